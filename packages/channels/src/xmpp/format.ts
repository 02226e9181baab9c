// Markdown in the dialect of XMPP, message styling (XEP-0393): *bold*, _italic_, ~strike~, `code`, quotes and code blocks.
import { writeSimpleMarks, type TableMode } from "@chela/sdk/markdown";

export function toStyling(markdown: string, tables: TableMode = "code"): string {
  return withoutForbidden(writeSimpleMarks(markdown, tables));
}

/** What XML cannot carry would end the whole stream. */
export function withoutForbidden(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
}

export function measureStyling(markdown: string): number {
  return toStyling(markdown).length;
}
