// Secrets that can be told apart wherever they come out, whole or in halves, plain or in another writing.

/** Every canary begins and ends with these, so that looking for two words finds all of them, and halves of them. */
const HEAD = "kNry8VwBq";
const TAIL = "zQ4tMxLp7";
/** Long enough that nothing else contains it by chance. */
const SHORTEST_PART = 12;
/** What is shown of its neighbourhood. */
const AROUND = 60;

export interface Leak {
  /** Where the secret was planted. */
  readonly secret: string;
  readonly as: string;
  /** What stands around it. */
  readonly around: string;
}

interface Writing {
  readonly as: string;
  readonly ignoresCase: boolean;
  write(text: string): readonly string[];
}

const WRITINGS: readonly Writing[] = [
  { as: "plain", ignoresCase: true, write: (text) => [text] },
  { as: "backwards", ignoresCase: true, write: (text) => [[...text].toReversed().join("")] },
  { as: "hex", ignoresCase: true, write: (text) => [Buffer.from(text).toString("hex")] },
  { as: "percent", ignoresCase: true, write: (text) => [Buffer.from(text).toString("hex").replace(/../g, "%$&")] },
  { as: "base64", ignoresCase: false, write: (text) => [0, 1, 2].map((shift) => base64Inside(text, shift)) },
  {
    as: "base64url",
    ignoresCase: false,
    write: (text) => [0, 1, 2].map((shift) => base64Inside(text, shift).replaceAll("+", "-").replaceAll("/", "_")),
  },
];

/** The letters that base64 has for this text wherever it stands in a longer one. */
function base64Inside(text: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
  return shift === 0 ? whole : whole.slice(4);
}

interface Needle {
  readonly text: string;
  readonly as: string;
  readonly ignoresCase: boolean;
  /** Undefined where it is the mark that all canaries share. */
  readonly secret: string | undefined;
}

const needlesFor = (text: string, secret?: string): Needle[] =>
  WRITINGS.flatMap(({ as, ignoresCase, write }) =>
    [...new Set(write(text))].map((written) => ({
      text: ignoresCase ? written.toLowerCase() : written,
      as,
      ignoresCase,
      secret,
    })),
  );

export class Canaries {
  readonly #planted = new Map<string, string>();
  readonly #needles: Needle[] = [...needlesFor(HEAD), ...needlesFor(TAIL)];

  /** A new one; `inside` stands between its two marks, for letters that are written differently in places. */
  plant(where: string, inside = ""): string {
    const id = `n${String(this.#planted.size).padStart(4, "0")}`;
    const canary = `${HEAD}${id}${inside}${TAIL}`;
    this.#planted.set(id, where);
    return canary;
  }

  /** A secret that somebody else made; looked for whole and by its halves. */
  know(where: string, secret: string): void {
    const middle = Math.ceil(secret.length / 2);
    const halves = middle >= SHORTEST_PART ? [secret.slice(0, middle), secret.slice(middle)] : [secret];
    this.#needles.push(...halves.flatMap((half) => needlesFor(half, where)));
  }

  get planted(): readonly string[] {
    return [...this.#planted.values()];
  }

  findIn(output: string | Uint8Array): Leak[] {
    const text = typeof output === "string" ? output : Buffer.from(output).toString("latin1");
    const lower = text.toLowerCase();
    const leaks: Leak[] = [];
    for (const needle of this.#needles) {
      const hay = needle.ignoresCase ? lower : text;
      for (let at = hay.indexOf(needle.text); at >= 0; at = hay.indexOf(needle.text, at + 1)) {
        const before = text.slice(Math.max(0, at - AROUND), at);
        const after = text.slice(at, at + needle.text.length + AROUND);
        const secret = needle.secret ?? this.#nameOf(before, after);
        leaks.push({ secret, as: needle.as, around: before + after });
      }
    }
    return leaks;
  }

  /** By its beginning; of an end, by the beginning that came last before it. */
  #nameOf(before: string, after: string): string {
    const own = new RegExp(`^${HEAD}(n\\d{4})`, "i").exec(after)?.[1];
    const id = own ?? before.match(new RegExp(`(?<=${HEAD})n\\d{4}`, "gi"))?.at(-1);
    return (id && this.#planted.get(id.toLowerCase())) ?? "one that cannot be told";
  }
}
