// Cuts the middle out of a text without tearing a character apart.

export function firstChars(text: string, length: number): string {
  if (length >= text.length) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

export function lastChars(text: string, length: number): string {
  if (length >= text.length) return text;
  const start = text.length - length;
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
