// The part of the audit trail that is on the page: the newest first, more on demand, and what came since set aside.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { AuditRecord } from "./filter.ts";

type AuditPage = MethodAnswer<"audit.list">;

interface TrailRange {
  readonly before?: number;
  readonly after?: number;
  readonly order?: "newest" | "oldest";
  readonly limit: number;
}

export type FetchEvents = (place: TrailRange) => Promise<AuditPage>;

const PAGE = 100;
/** More than this is not taken in one by one: the list begins anew instead. */
const MOST_NEW = 500;

export class TrailBook {
  readonly #changed: () => void;
  #fetch: FetchEvents | undefined;
  /** Counts questions; answers to earlier ones are thrown away. */
  #question = 0;
  #answered = 0;
  #isFetchingMore = false;
  #isLooking = false;
  #isToLookAgain = false;
  #records: readonly AuditRecord[] = [];
  #waiting: readonly AuditRecord[] = [];
  #isOverrun = false;
  #hasMore = false;
  #total: number | undefined;
  #forgotten = 0;
  #failure: Error | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The newest first. */
  get records(): readonly AuditRecord[] {
    return this.#records;
  }

  /** How many came since, and are not among the records yet. */
  get newCount(): number {
    return this.#waiting.length;
  }

  /** There are even more than `newCount`. */
  get hasManyNew(): boolean {
    return this.#isOverrun;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Undefined until it is known. */
  get total(): number | undefined {
    return this.#total;
  }

  /** Events up to this one were let go. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  /** What is here answers an earlier question. */
  get isBehind(): boolean {
    return this.#answered !== this.#question;
  }

  /** Asks for another list; the one before stays until there is something to show instead. */
  ask(fetch: FetchEvents): void {
    this.#fetch = fetch;
    this.reload();
  }

  reload(): void {
    const question = ++this.#question;
    this.#failure = undefined;
    this.#changed();
    void this.#attempt(question, async (fetch) => {
      const page = await fetch({ limit: PAGE });
      if (question !== this.#question) return;
      this.#answered = question;
      this.#records = page.records;
      this.#waiting = [];
      this.#isOverrun = false;
      this.#isFetchingMore = false;
      this.#take(page);
      this.#hasMore = page.hasMore;
    });
  }

  /** The next older ones. */
  more(): void {
    const last = this.#records.at(-1);
    if (!last || !this.#hasMore || this.#isFetchingMore || this.#failure || this.isBehind) return;
    this.#isFetchingMore = true;
    const question = this.#question;
    void this.#attempt(question, async (fetch) => {
      const page = await fetch({ before: last.seq, limit: PAGE }).finally(() => {
        if (question === this.#question) this.#isFetchingMore = false;
      });
      if (question !== this.#question) return;
      this.#records = [...this.#records, ...page.records];
      this.#take(page);
      this.#hasMore = page.hasMore;
    });
  }

  /** Something was written: what is new is set aside, or shown at once. */
  look(isShownAtOnce: () => boolean): void {
    if (this.isBehind || this.#isOverrun) return;
    if (this.#isLooking) {
      this.#isToLookAgain = true;
      return;
    }
    this.#isLooking = true;
    const question = this.#question;
    const after = (this.#waiting[0] ?? this.#records[0])?.seq ?? this.#forgotten;
    void this.#attempt(question, async (fetch) => {
      const page = await fetch({ after, order: "oldest", limit: MOST_NEW });
      if (question !== this.#question) return;
      this.#waiting = [...page.records.toReversed(), ...this.#waiting];
      this.#isOverrun = page.hasMore || this.#waiting.length >= MOST_NEW;
      this.#take(page);
      if (isShownAtOnce()) this.showNew();
    }).finally(() => {
      this.#isLooking = false;
      if (this.#isToLookAgain) {
        this.#isToLookAgain = false;
        this.look(isShownAtOnce);
      }
    });
  }

  showNew(): void {
    if (this.#isOverrun) return this.reload();
    if (this.#waiting.length === 0) return;
    this.#records = [...this.#waiting, ...this.#records];
    this.#waiting = [];
    this.#changed();
  }

  #take({ total, base }: AuditPage): void {
    this.#total = total;
    this.#forgotten = base.seq;
    this.#failure = undefined;
  }

  async #attempt(question: number, work: (fetch: FetchEvents) => Promise<void>): Promise<void> {
    if (!this.#fetch) return;
    try {
      await work(this.#fetch);
    } catch (error) {
      if (question !== this.#question) return;
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
    this.#changed();
  }
}
