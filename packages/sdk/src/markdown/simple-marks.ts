// Markdown in the few marks of messengers on telephones: *bold*, _italic_, ~strike~, `code`. There is nothing like an escape
// there, so marks are only put where they can work.
import type { Dialect, TableMode } from "./dialect.ts";
import { writeListItem } from "./lines.ts";
import { parseMarkdown } from "./parse.ts";
import { plainDialect } from "./plain.ts";
import { renderBlocks } from "./render.ts";

export function writeSimpleMarks(markdown: string, tables: TableMode): string {
  return renderBlocks(parseMarkdown(clean(markdown)), { ...DIALECT, tables });
}

/** Half characters and control characters may not come through, and would make our count wrong. */
function clean(markdown: string): string {
  // eslint-disable-next-line no-control-regex
  return markdown.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ");
}

const DIALECT: Dialect = {
  text: (text) => text,
  bold: (inner) => mark("*", inner),
  italic: (inner) => mark("_", inner),
  strike: (inner) => mark("~", inner),
  spoiler: (inner) => inner,
  codeSpan: writeCodeSpan,
  link: plainDialect.link,
  image: plainDialect.image,
  heading: (_level, inner) => mark("*", inner),
  codeBlock: (text) => `\`\`\`\n${withoutFences(text)}\n\`\`\``,
  quote: plainDialect.quote,
  listItem: (marker, inner, depth) => writeListItem(marker === "•" && depth === 0 ? "-" : marker, inner, depth),
  rule: () => "———",
};

/** A mark holds for one line and cannot be nested in itself. What stands in code is left as it is. */
function mark(sign: "*" | "_" | "~", inner: string): string {
  return inner
    .split("\n")
    .map((line) => {
      const bare = line
        .split(/(`[^`]*`)/)
        .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(sign, "")))
        .join("");
      const core = bare.trim();
      return core === "" ? "" : bare.replace(core, () => `${sign}${core}${sign}`);
    })
    .join("\n");
}

function writeCodeSpan(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  return line.includes("`") ? `\`\`\`${withoutFences(line)}\`\`\`` : `\`${line}\``;
}

/** A fence inside would end the block; a mark without width between its signs keeps it readable. */
function withoutFences(text: string): string {
  return text.replace(/`{3,}/g, (fence) => [...fence].join("\u200b"));
}
