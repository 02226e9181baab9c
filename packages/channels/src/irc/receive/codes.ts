// Formatting codes of IRC: taken out of what others write.

// Colours (^C with numbers, ^D with hexadecimal ones), then the codes without arguments.
const CODES =
  // oxlint-disable-next-line no-control-regex -- the codes are control characters
  /\u0003(?:\d{1,2}(?:,\d{1,2})?)?|\u0004(?:[0-9a-f]{6}(?:,[0-9a-f]{6})?)?|[\u0002\u000f\u0011\u0016\u001d-\u001f]/gi;
// oxlint-disable-next-line no-control-regex -- what is left of them has no meaning in a text
const OTHER_CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export function stripCodes(text: string): string {
  return text.replaceAll(CODES, "").replaceAll(OTHER_CONTROLS, "");
}

export interface Ctcp {
  readonly verb: string;
  readonly text: string;
}

/** A message inside the message, such as `/me waves`. */
export function readCtcp(text: string): Ctcp | undefined {
  if (!text.startsWith("\u0001")) return undefined;
  const [verb = "", ...rest] = text.replaceAll("\u0001", "").split(" ");
  return { verb: verb.toUpperCase(), text: rest.join(" ") };
}
