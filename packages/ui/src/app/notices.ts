// Short words about what just happened, at the edge of the page, and questions that need a yes.
import { Live } from "../state/live.ts";
import { wordsOf } from "../wire/failure.ts";

export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  /** Something that can be done about it. */
  readonly action?: { readonly label: string; run(): void };
}

export interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly isDangerous?: boolean;
}

const STAYS_MS = 5000;

export class Notices {
  readonly all = new Live<readonly Notice[]>([]);
  readonly question = new Live<(Confirmation & { answer(isYes: boolean): void }) | undefined>(undefined);
  #count = 0;

  say(text: string, action?: Notice["action"]): void {
    const notice = this.#add("good", text, action);
    setTimeout(() => this.dismiss(notice.id), STAYS_MS);
  }

  /** Stays until it is read: a failure that vanishes was not told. */
  complain(error: unknown, action?: Notice["action"]): void {
    this.#add("bad", wordsOf(error), action);
  }

  dismiss(id: number): void {
    this.all.set(this.all.value.filter((notice) => notice.id !== id));
  }

  ask(confirmation: Confirmation): Promise<boolean> {
    this.question.value?.answer(false);
    return new Promise((resolve) => {
      const answer = (isYes: boolean): void => {
        this.question.set(undefined);
        resolve(isYes);
      };
      this.question.set({ ...confirmation, answer });
    });
  }

  #add(tone: Notice["tone"], text: string, action: Notice["action"]): Notice {
    const notice = { id: ++this.#count, tone, text, ...(action ? { action } : {}) };
    this.all.set([...this.all.value.filter((one) => one.text !== text), notice].slice(-4));
    return notice;
  }
}
