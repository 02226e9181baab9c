// The owner's patterns for what the log must not show. Strangers write what is logged, so a pattern that some text could keep
// busy for long is none.
import { countVisits } from "../../base/count-visits.ts";

export type MaskPattern =
  | { readonly kind: "usable"; mask(text: string): string }
  /** `why` goes on after the pattern: "… is passed over: it is no regular expression". */
  | { readonly kind: "refused"; readonly why: string };

/** About a quarter of a second for one text, at worst. */
const MAX_VISITS = 50_000_000;
/** How far an open repetition reaches; the longer a text, the shorter. */
const REACHES = [4_000, 1_000, 200, 60, 20];
const HIDDEN = "[redacted]";
const TOO_LONG = "[too long to be searched for what logging.redactPatterns names]";

interface Form {
  readonly pattern: RegExp;
  /** At worst, from each character. */
  readonly visits: number;
}

/** `word`, in whatever case, or `/word/flags`. */
export function readMaskPattern(written: string): MaskPattern {
  const [, source = written, given = "i"] = /^\/(.+)\/([a-z]*)$/.exec(written) ?? [];
  const flags = given.includes("g") ? given : `${given}g`;
  if (!compile(source, flags)) return { kind: "refused", why: "it is no regular expression" };
  const forms: Form[] = [];
  for (const reach of REACHES) {
    const counted = countVisits(source, reach);
    if (counted.kind === "refused") return counted;
    const pattern = compile(counted.source, flags);
    if (pattern) forms.push({ pattern, visits: counted.visits });
  }
  const shortest = forms.at(-1);
  if (!shortest || shortest.visits * 1_000 > MAX_VISITS) {
    return { kind: "refused", why: "some texts would take too long to search; use fewer repetitions" };
  }
  return { kind: "usable", mask: (text) => hide(text, forms) };
}

/** What cannot be searched in time is not shown at all. */
function hide(text: string, forms: readonly Form[]): string {
  const form = forms.find(({ visits }) => visits * text.length <= MAX_VISITS);
  return form ? text.replace(form.pattern, HIDDEN) : TOO_LONG;
}

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
