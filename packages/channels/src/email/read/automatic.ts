// Mail that no person wrote. Answering it could make two machines write to each other for ever.
import { allOf, firstOf, type Headers } from "./headers.ts";

export type Automatic =
  | { readonly kind: "automatic"; readonly why: string }
  /** A mail of ours came back. */
  | { readonly kind: "bounce"; readonly why: string };

/** Undefined when a person may have written it. */
export function findAutomatic(headers: Headers): Automatic | undefined {
  if (isBounce(headers)) return { kind: "bounce", why: describeBounce(headers) };
  const sign = SIGNS.find(({ name, tells }) => allOf(headers, name).some((value) => tells(firstWord(value))));
  return sign && { kind: "automatic", why: `it was sent by a program (${sign.name})` };
}

const SIGNS: ReadonlyArray<{ readonly name: string; tells(word: string): boolean }> = [
  { name: "auto-submitted", tells: (word) => word !== "no" },
  { name: "precedence", tells: (word) => ["bulk", "list", "junk"].includes(word) },
  { name: "list-id", tells: () => true },
  { name: "x-auto-response-suppress", tells: (word) => word !== "none" && word !== "" },
];

function firstWord(value: string): string {
  return (
    value
      .trim()
      .toLowerCase()
      .split(/[\s;,]/, 1)[0] ?? ""
  );
}

function isBounce(headers: Headers): boolean {
  const isFromNobody = allOf(headers, "return-path").some((path) => path.replace(/\s/g, "") === "<>");
  return isFromNobody || firstWord(firstOf(headers, "content-type") ?? "") === "multipart/report";
}

function describeBounce(headers: Headers): string {
  const failed = firstOf(headers, "x-failed-recipients");
  const subject = firstOf(headers, "subject");
  const words = [failed && `to ${failed}`, subject && `"${subject}"`].filter(Boolean).join(" ");
  return `a mail came back ${words}`.trim().slice(0, 200).toWellFormed();
}
