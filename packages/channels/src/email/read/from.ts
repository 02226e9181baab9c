// Reads the sender a mail claims: exactly one plain address. Whatever could be read in two ways is refused.
import { decodeWords } from "postal-mime";
import { normaliseAddress } from "../address.ts";
import { allOf, type Headers } from "./headers.ts";
import { hasQuoted, putBack, takeApart } from "./structured-value.ts";

export type From =
  | { readonly kind: "from"; readonly address: string; readonly name?: string }
  | { readonly kind: "unusable"; readonly why: string };

const MOST_NAME = 100;

export function readFrom(headers: Headers): From {
  const [value, ...more] = allOf(headers, "from");
  if (value === undefined) return unusable("it does not say who it is from");
  if (more.length > 0) return unusable("it has more than one From header");
  const parts = takeApart(value);
  if (!parts) return unusable("its From header cannot be read");
  // Several people, or a group of them: nobody knows who of them wrote.
  if (/[,;:]/.test(parts.text)) return unusable("it is from more than one address");
  const [before = "", inside, ...rest] = parts.text.split(/[<>]/);
  const isBare = inside === undefined;
  const isBracketed = rest.length === 1 && rest[0]?.trim() === "" && parts.text.indexOf("<") < parts.text.indexOf(">");
  if (!isBare && !isBracketed) return unusable("its From header cannot be read");
  const written = (isBare ? before : inside).trim();
  const address = hasQuoted(written) ? undefined : normaliseAddress(written);
  if (address === undefined) return unusable("its From header has no plain address");
  const name = isBare ? "" : readName(putBack(before, parts.quoted));
  return { kind: "from", address, ...(name === "" ? {} : { name }) };
}

const unusable = (why: string): From => ({ kind: "unusable", why });

/** For showing only. */
function readName(written: string): string {
  return decodeWords(written)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MOST_NAME)
    .toWellFormed();
}
