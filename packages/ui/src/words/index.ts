// All texts of the page, by language and section. A section is loaded with the page that needs it.
import type agents from "./en/agents.ts";
import type app from "./en/app.ts";
import type approval from "./en/approval.ts";
import type approvals from "./en/approvals.ts";
import type audit from "./en/audit.ts";
import type automation from "./en/automation.ts";
import type channels from "./en/channels.ts";
import type chat from "./en/chat.ts";
import type composer from "./en/composer.ts";
import type config from "./en/config.ts";
import type console from "./en/console.ts";
import type credentials from "./en/credentials.ts";
import type cron from "./en/cron.ts";
import type devices from "./en/devices.ts";
import type explain from "./en/explain.ts";
import type logs from "./en/logs.ts";
import type conversation from "./en/conversation.ts";
import type memory from "./en/memory.ts";
import type overview from "./en/overview.ts";
import type people from "./en/people.ts";
import type sandbox from "./en/sandbox.ts";
import type security from "./en/security.ts";
import type sessions from "./en/sessions.ts";
import type setup from "./en/setup.ts";
import type subagents from "./en/subagents.ts";
import type usage from "./en/usage.ts";

/** Sections and their English texts, which are the measure for the others. */
export interface Sections {
  agents: typeof agents;
  app: typeof app;
  approval: typeof approval;
  approvals: typeof approvals;
  audit: typeof audit;
  automation: typeof automation;
  devices: typeof devices;
  channels: typeof channels;
  chat: typeof chat;
  composer: typeof composer;
  conversation: typeof conversation;
  config: typeof config;
  memory: typeof memory;
  overview: typeof overview;
  people: typeof people;
  sandbox: typeof sandbox;
  security: typeof security;
  sessions: typeof sessions;
  setup: typeof setup;
  subagents: typeof subagents;
  explain: typeof explain;
  usage: typeof usage;
  console: typeof console;
  credentials: typeof credentials;
  cron: typeof cron;
  logs: typeof logs;
}

export type Section = keyof Sections;

/** The same texts in another language: the same names, and functions of the same arguments. */
export type InOtherWords<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer A) => string ? (...given: A) => string : string;
};

export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

type Loaded = { readonly default: Readonly<Record<string, unknown>> };

const files = import.meta.glob<Loaded>("./*/*.ts");

/** The browser's wish, as far as we speak it. */
export function preferredLanguage(wishes: readonly string[]): Language {
  const found = wishes.map((wish) => wish.slice(0, 2).toLowerCase()).find((wish) => wish in LANGUAGES);
  return (found as Language | undefined) ?? "en";
}

export class Words {
  readonly language: Language;
  readonly #loaded = new Map<Section, unknown>();

  constructor(language: Language) {
    this.language = language;
  }

  async load(...sections: readonly Section[]): Promise<void> {
    await Promise.all(
      sections.map(async (section) => {
        if (this.#loaded.has(section)) return;
        const load = files[`./${this.language}/${section}.ts`];
        if (!load) throw new Error(`no words for ${section} in ${this.language}`);
        this.#loaded.set(section, (await load()).default);
      }),
    );
  }

  of<S extends Section>(section: S): InOtherWords<Sections[S]> {
    const words = this.#loaded.get(section);
    if (!words) throw new Error(`the words of ${section} were not loaded`);
    return words as InOtherWords<Sections[S]>;
  }

  get #locale(): string {
    return this.language === "zh" ? "zh-CN" : this.language;
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
