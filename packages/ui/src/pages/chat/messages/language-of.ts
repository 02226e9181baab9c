// Language of a file, by the end of its name, as the highlighter calls it.
import { entryOf } from "../../../state/entry-of.ts";

const BY_ENDING: Readonly<Record<string, string>> = {
  bash: "bash",
  c: "c",
  cc: "cpp",
  cpp: "cpp",
  cs: "csharp",
  css: "css",
  diff: "diff",
  go: "go",
  h: "c",
  hpp: "cpp",
  htm: "xml",
  html: "xml",
  ini: "ini",
  java: "java",
  js: "javascript",
  json: "json",
  json5: "json",
  jsonl: "json",
  jsx: "javascript",
  kt: "kotlin",
  less: "less",
  lua: "lua",
  md: "markdown",
  mjs: "javascript",
  patch: "diff",
  php: "php",
  pl: "perl",
  py: "python",
  r: "r",
  rb: "ruby",
  rs: "rust",
  scss: "scss",
  sh: "bash",
  sql: "sql",
  svg: "xml",
  swift: "swift",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  vb: "vbnet",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zsh: "bash",
};
const BY_NAME: Readonly<Record<string, string>> = { makefile: "makefile", dockerfile: "bash" };

/** Empty when it is unknown. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return entryOf(BY_NAME, name) ?? entryOf(BY_ENDING, name.slice(name.lastIndexOf(".") + 1)) ?? "";
}
