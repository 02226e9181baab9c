// The dialect is Markdown itself: the receiver writes it in whatever form it has.

export const TEXT_LIMIT = 100_000;

/** Half characters and control characters have no place in JSON that others read. */
export function cleanMarkdown(markdown: string): string {
  // eslint-disable-next-line no-control-regex
  return markdown.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}

export function measure(markdown: string): number {
  return cleanMarkdown(markdown).length;
}
