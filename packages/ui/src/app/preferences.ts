// Preferences of this browser's user: kept in this browser only.
import { Live } from "../state/live.ts";
import { LANGUAGES, preferredLanguage } from "../words/index.ts";

export type Theme = "system" | "light" | "dark";

export interface Preferences {
  readonly theme: Theme;
  readonly language: string;
  readonly notifies: boolean;
  /** Whether thinking and tool cards are open from the start. */
  readonly showsWork: boolean;
}

const STORE = "chela.preferences";

export class PreferenceStore {
  readonly now: Live<Preferences>;

  constructor() {
    this.now = new Live(read());
    this.#applyTheme();
  }

  change(part: Partial<Preferences>): void {
    this.now.set({ ...this.now.value, ...part });
    localStorage.setItem(STORE, JSON.stringify(this.now.value));
    this.#applyTheme();
  }

  #applyTheme(): void {
    const { theme, language } = this.now.value;
    document.documentElement.dataset["theme"] = theme;
    document.documentElement.lang = language;
  }
}

function read(): Preferences {
  const kept = readKept();
  const { theme, language } = kept;
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    language:
      typeof language === "string" && LANGUAGES.has(language) ? language : preferredLanguage(navigator.languages),
    notifies: kept["notifies"] === true,
    showsWork: kept["showsWork"] === true,
  };
}

function readKept(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
