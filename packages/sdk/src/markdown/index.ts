// Markdown for channels: what a text says as a tree, written in any dialect, and cut so that each piece fits.
export type { Block, Inline, ListItem } from "./tree.ts";
export { parseMarkdown } from "./parse.ts";
export { renderBlocks } from "./render.ts";
export type { Dialect, TableMode } from "./dialect.ts";
export { writeListItem, writeQuote } from "./lines.ts";
export { plainDialect, plainText } from "./plain.ts";
export { writeSimpleMarks } from "./simple-marks.ts";
export { chunkMarkdown, type ChunkOptions } from "./chunk.ts";
export { BlockStream, type BlockStreamOptions } from "./block-stream.ts";
