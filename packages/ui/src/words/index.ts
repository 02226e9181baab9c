// All texts of the page, by language and section. A section is loaded with the page that needs it.

/** Sections that are the words of one page; the `words.ts` of its folder adds itself here. */
// oxlint-disable-next-line typescript/no-empty-interface typescript/no-empty-object-type
export interface PageSections {}

/** Sections of the frame and of parts that stand in several pages; each file in `words/en` adds itself here. */
// oxlint-disable-next-line typescript/no-empty-interface typescript/no-empty-object-type
export interface SharedSections {}

/** Sections and their English texts, which are the measure for the others. */
export type Sections = PageSections & SharedSections;

export type PageId = keyof PageSections;
export type Section = keyof Sections;

/** The same texts in another language: the same names, and functions of the same arguments. */
export type InOtherWords<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer A) => string ? (...given: A) => string : string;
};

/** What pages are called in another language. The English name stands in the page's spec. */
export type PageTitles = { readonly [K in PageId]?: string };

export interface LanguageSpec {
  /** In itself, for whoever looks for it in a list. */
  readonly name: string;
  /** Whose numbers and times it takes, if the language's name alone does not say it. */
  readonly locale?: string;
}

interface Loaded {
  readonly default: Readonly<Record<string, unknown>>;
  readonly titles?: PageTitles;
}

const FALLBACK = "en";

/** A folder is a language; its file `language.ts` says what it is called. */
export const LANGUAGES: ReadonlyMap<string, LanguageSpec> = new Map(
  Object.entries(import.meta.glob<LanguageSpec>("./*/language.ts", { eager: true, import: "default" })).map(
    ([path, spec]) => [path.split("/")[1] ?? "", spec],
  ),
);

const files = import.meta.glob<Loaded>(["./*/*.ts", "!./*/language.ts", "./*/pages/*.ts", "../pages/*/words.ts"]);

/** What a language does not have is English. */
function fileOf(section: Section, language: string): (() => Promise<Loaded>) | undefined {
  return (
    files[`./${language}/${section}.ts`] ??
    files[`./${language}/pages/${section}.ts`] ??
    files[`./${FALLBACK}/${section}.ts`] ??
    files[`../pages/${section}/words.ts`]
  );
}

/** The browser's wish, as far as we speak it. */
export function preferredLanguage(wishes: readonly string[]): string {
  const known = wishes.flatMap((wish) => [wish, wish.split("-")[0] ?? ""]).map((wish) => wish.toLowerCase());
  return known.find((wish) => LANGUAGES.has(wish)) ?? FALLBACK;
}

export class Words {
  readonly language: string;
  /** All there are to choose from. */
  readonly languages = LANGUAGES;
  readonly #loaded = new Map<Section, unknown>();
  #titles: PageTitles;

  /** With the names of pages in English. */
  constructor(language: string, titles: PageTitles = {}) {
    this.language = language;
    this.#titles = titles;
  }

  async load(...sections: readonly Section[]): Promise<void> {
    await Promise.all(
      sections.map(async (section) => {
        if (this.#loaded.has(section)) return;
        const load = fileOf(section, this.language);
        if (!load) throw new Error(`no words for ${section}`);
        const { default: words, titles } = await load();
        this.#loaded.set(section, words);
        // They come with the frame, which shows them.
        if (titles) this.#titles = { ...this.#titles, ...titles };
      }),
    );
  }

  pageTitle(id: PageId): string {
    return this.#titles[id] ?? id;
  }

  of<S extends Section>(section: S): InOtherWords<Sections[S]> {
    const words = this.#loaded.get(section);
    if (!words) throw new Error(`the words of ${section} were not loaded`);
    return words as InOtherWords<Sections[S]>;
  }

  get #locale(): string {
    return LANGUAGES.get(this.language)?.locale ?? this.language;
  }

  number(value: number, options?: Intl.NumberFormatOptions): string {
    return formatter("number", this.#locale, options, () => new Intl.NumberFormat(this.#locale, options)).format(value);
  }

  /** 12,300 → 12.3K. */
  compact(value: number): string {
    return this.number(value, { notation: "compact", maximumFractionDigits: 1 });
  }

  money(dollars: number): string {
    const digits = dollars !== 0 && Math.abs(dollars) < 0.1 ? 4 : 2;
    return this.number(dollars, {
      style: "currency",
      currency: "USD",
      minimumFractionDigits: 2,
      maximumFractionDigits: digits,
    });
  }

  date(ms: number, options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" }): string {
    return formatter("date", this.#locale, options, () => new Intl.DateTimeFormat(this.#locale, options)).format(ms);
  }

  /** A time of today as a time alone, any other with its day. */
  moment(ms: number): string {
    const isToday = new Date(ms).toDateString() === new Date().toDateString();
    return this.date(ms, isToday ? { timeStyle: "short" } : undefined);
  }

  /** "3 minutes ago", "in 2 hours". */
  ago(ms: number, now = Date.now()): string {
    const seconds = Math.round((ms - now) / 1000);
    const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (["second", 1] as const);
    const options = { numeric: "auto" } as const;
    return formatter("ago", this.#locale, options, () => new Intl.RelativeTimeFormat(this.#locale, options)).format(
      Math.round(seconds / size),
      unit,
    );
  }

  /** "1.2 s", "340 ms", "3 min". */
  duration(ms: number): string {
    if (ms < 1000) return `${this.number(Math.round(ms))} ms`;
    if (ms < 60_000) return `${this.number(ms / 1000, { maximumFractionDigits: 1 })} s`;
    if (ms < 3_600_000) return `${this.number(ms / 60_000, { maximumFractionDigits: 1 })} min`;
    return `${this.number(ms / 3_600_000, { maximumFractionDigits: 1 })} h`;
  }

  bytes(count: number): string {
    if (count < 1000) return `${this.number(count)} B`;
    const [unit, size] = count < 1e6 ? ["kB", 1e3] : count < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
    return `${this.number(count / (size as number), { maximumFractionDigits: 1 })} ${unit}`;
  }
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const formatters = new Map<string, unknown>();

/** Making one costs more than using it. */
function formatter<T>(kind: string, locale: string, options: object | undefined, make: () => T): T {
  const name = `${kind} ${locale} ${JSON.stringify(options)}`;
  const known = (formatters.get(name) as T | undefined) ?? make();
  formatters.set(name, known);
  return known;
}
