// Finds where a key leads in a long list.

export function nextRow(key: string, at: number, count: number, rowsInView: number): number | undefined {
  const wished = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + rowsInView,
    PageUp: at - rowsInView,
    Home: 0,
    End: count - 1,
  }[key];
  if (wished === undefined || count === 0) return undefined;
  return Math.min(Math.max(wished, 0), count - 1);
}
