// A list too long to have: windows of it are fetched as they are looked at, and fetched again when they are old.

export interface FetchedRows<Row> {
  readonly rows: readonly Row[];
  /** Of the whole list. */
  readonly total: number;
}

export type FetchRows<Row> = (offset: number, limit: number) => Promise<FetchedRows<Row>>;

interface Window<Row> {
  readonly rows: readonly Row[];
  isOld: boolean;
}

const SIZE = 100;
/** Further away from what is looked at they are forgotten. */
const MOST_WINDOWS = 40;

export class RowWindows<Row> {
  readonly #changed: () => void;
  #fetch: FetchRows<Row> | undefined;
  readonly #windows = new Map<number, Window<Row>>();
  /** First and last window somebody looks at. */
  #wanted: readonly [number, number] = [0, 0];
  /** Counts questions; answers to earlier ones are thrown away. */
  #question = 0;
  /** Whose answers are in the windows. */
  #answered = 0;
  /** The question an answer is awaited for. */
  #awaited = 0;
  /** Counts up when everything becomes old. */
  #age = 0;
  #total: number | undefined;
  #failure: Error | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Undefined until it is known. */
  get total(): number | undefined {
    return this.#total;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  /** What is here answers an earlier question. */
  get isBehind(): boolean {
    return this.#answered !== this.#question;
  }

  row(index: number): Row | undefined {
    return this.#windows.get(Math.floor(index / SIZE))?.rows[index % SIZE];
  }

  /** Where a row is now, of those that are here. */
  find(isMeant: (row: Row) => boolean): number | undefined {
    for (const [at, { rows }] of this.#windows) {
      const found = rows.findIndex(isMeant);
      if (found >= 0) return at * SIZE + found;
    }
    return undefined;
  }

  /** Asks for another list. The rows of the one before stay until there is something to show instead. */
  ask(fetch: FetchRows<Row>): void {
    this.#fetch = fetch;
    this.#question += 1;
    this.#failure = undefined;
    this.#wanted = [0, 0];
    void this.#fill();
  }

  /** These rows are looked at. */
  show(first: number, last: number): void {
    if (this.isBehind) return;
    this.#wanted = [Math.floor(first / SIZE), Math.floor(last / SIZE)];
    void this.#fill();
  }

  /** Everything may have changed: what is looked at is fetched again at once, the rest when it is looked at. */
  refresh(): void {
    this.#age += 1;
    this.#failure = undefined;
    for (const window of this.#windows.values()) window.isOld = true;
    void this.#fill();
  }

  /** One answer at a time: whoever drags through the list gets what they stop at. */
  async #fill(): Promise<void> {
    const question = this.#question;
    const missing = this.#missing();
    const [first, last] = [missing.at(0), missing.at(-1)];
    if (!this.#fetch || this.#awaited === question || this.#failure || first === undefined || last === undefined)
      return;
    this.#awaited = question;
    const age = this.#age;
    try {
      const fetched = await this.#fetch(first * SIZE, (last - first + 1) * SIZE);
      if (question !== this.#question) return;
      this.#keep(fetched, first, last, age);
    } catch (error) {
      if (question !== this.#question) return;
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
    this.#awaited = 0;
    this.#changed();
    void this.#fill();
  }

  #missing(): number[] {
    const [first, last] = this.#wanted;
    const end = this.#total === undefined || this.isBehind ? 0 : Math.max(0, Math.ceil(this.#total / SIZE) - 1);
    const wanted: number[] = [];
    for (let at = Math.min(first, end); at <= Math.min(last, end); at++) {
      const window = this.#windows.get(at);
      if (this.isBehind || !window || window.isOld) wanted.push(at);
    }
    return wanted;
  }

  #keep({ rows, total }: FetchedRows<Row>, first: number, last: number, age: number): void {
    if (this.isBehind) this.#windows.clear();
    this.#answered = this.#question;
    this.#total = total;
    for (let at = first; at <= last; at++) {
      const from = (at - first) * SIZE;
      this.#windows.set(at, { rows: rows.slice(from, from + SIZE), isOld: age !== this.#age });
    }
    const end = Math.ceil(total / SIZE);
    for (const at of this.#windows.keys()) if (at >= Math.max(end, 1)) this.#windows.delete(at);
    this.#forgetFar();
  }

  #forgetFar(): void {
    if (this.#windows.size <= MOST_WINDOWS) return;
    const distance = (at: number): number => Math.abs(at - this.#wanted[0]);
    const near = [...this.#windows.keys()].toSorted((a, b) => distance(a) - distance(b));
    for (const at of near.slice(MOST_WINDOWS / 2)) this.#windows.delete(at);
  }
}
