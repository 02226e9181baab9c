// Counts how long a regular expression may take at worst, before it ever runs.
//
// A matcher that tries one way after the other takes, at worst, every way through the pattern, from every character it may
// begin at. That can be counted before: ways multiply along a sequence, add up over alternatives, and a repetition has as
// many as it has lengths; each part is visited once for every way to it.

const MAX_COUNT = 100;
const COUNTED = /^\{(\d{1,5})(,(\d{0,5}))?\}/;
const GROUP_START = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/;

export type CountedPattern =
  | {
      readonly kind: "counted";
      /** How often something is looked at, at worst, from one place to begin at. May be Infinity. */
      readonly visits: number;
      /** The pattern with every open repetition ending at `reach`. */
      readonly source: string;
    }
  /** `why` completes "the pattern cannot be used: …". */
  | { readonly kind: "refused"; readonly why: string };

/** For a pattern that compiles, and texts of which no repetition covers more than `reach` characters. */
export function countVisits(pattern: string, reach: number): CountedPattern {
  return new Count(pattern, reach).run();
}

interface PatternPart {
  /** In how many ways it can fit. */
  readonly ways: number;
  /** How often something in it is looked at, at worst, each time it is reached. */
  readonly visits: number;
  readonly source: string;
  readonly repeats: boolean;
}

/** Reads the pattern from left to right. It was compiled before, so brackets are known to be closed. */
class Count {
  readonly #text: string;
  readonly #reach: number;
  #at = 0;
  #refused: string | undefined;

  constructor(text: string, reach: number) {
    this.#text = text;
    this.#reach = reach;
  }

  run(): CountedPattern {
    const { visits, source } = this.#alternatives();
    return this.#refused === undefined ? { kind: "counted", visits, source } : { kind: "refused", why: this.#refused };
  }

  #alternatives(): PatternPart {
    let all = this.#sequence();
    while (this.#text[this.#at] === "|") {
      this.#at += 1;
      const next = this.#sequence();
      all = {
        ways: all.ways + next.ways,
        visits: all.visits + next.visits,
        source: `${all.source}|${next.source}`,
        repeats: all.repeats || next.repeats,
      };
    }
    return all;
  }

  #sequence(): PatternPart {
    let all: PatternPart = { ways: 1, visits: 1, source: "", repeats: false };
    while (this.#at < this.#text.length && !"|)".includes(this.#text.charAt(this.#at))) {
      const next = this.#quantified(this.#atom());
      all = {
        ways: all.ways * next.ways,
        visits: all.visits + all.ways * next.visits,
        source: all.source + next.source,
        repeats: all.repeats || next.repeats,
      };
    }
    return all;
  }

  #atom(): PatternPart {
    const next = this.#text.charAt(this.#at);
    if (next === "(") return this.#group();
    if (next === "[") return this.#take(/^\[(?:\\[^]|[^\]\\])*\]/);
    if (next !== "\\") return this.#take(/^[^]/);
    if (/^\\(?:[1-9]|k)/.test(this.#text.slice(this.#at))) this.#refused = "it refers back to an earlier part";
    return this.#take(/^\\[^]/);
  }

  #group(): PatternPart {
    const start = this.#take(GROUP_START).source;
    const inner = this.#alternatives();
    this.#at += 1;
    return { ...inner, source: `${start}${inner.source})` };
  }

  #quantified(part: PatternPart): PatternPart {
    const range = this.#range();
    if (!range) return part;
    const lazy = this.#text[this.#at] === "?" ? "?" : "";
    this.#at += lazy.length;
    const { least, most } = range;
    if (most > 1 && part.repeats) this.#refused = "it has a repetition inside a repetition";
    if ((range.isCounted ? most : least) > MAX_COUNT)
      this.#refused = `it repeats something more than ${MAX_COUNT} times`;
    const each = part.ways ** most;
    // What is never entered is never visited, however many visits it would take: 0 times Infinity is no number.
    const [ways, visits] = [(most - least + 1) * each, most === 0 ? 0 : most * part.visits * each];
    return { ways, visits, source: `${part.source}{${least},${most}}${lazy}`, repeats: part.repeats || most > 1 };
  }

  #range(): { least: number; most: number; isCounted: boolean } | undefined {
    const [counted, least = "0", comma, most] = COUNTED.exec(this.#text.slice(this.#at)) ?? [];
    const sign = counted ?? this.#text.charAt(this.#at);
    if (counted === undefined && !"*+?".includes(sign || "none")) return undefined;
    this.#at += sign.length;
    if (sign === "?") return { least: 0, most: 1, isCounted: false };
    if (counted === undefined) return { least: sign === "+" ? 1 : 0, most: this.#reach, isCounted: false };
    if (comma === undefined) return { least: Number(least), most: Number(least), isCounted: true };
    if (most) return { least: Number(least), most: Number(most), isCounted: true };
    return { least: Number(least), most: Number(least) + this.#reach, isCounted: false };
  }

  #take(what: RegExp): PatternPart {
    const [source = ""] = what.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += source.length;
    return { ways: 1, visits: 1, source, repeats: false };
  }
}
