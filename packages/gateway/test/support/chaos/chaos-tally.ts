// Counts what people said and what they heard, by the number each message carries, and finds what is missing or too much.

/** One person in one chat; `prefix` is theirs alone. */
interface Person {
  readonly channel: string;
  readonly prefix: string;
}

export interface Count {
  readonly channel: string;
  readonly said: number;
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
  /** Answers that came after the answer to a later message of the same person. */
  readonly disordered: readonly string[];
}

export class Tally {
  /** By person, in the order they were said. */
  readonly #said = new Map<Person, string[]>();
  /** By mark, how often it was heard. */
  readonly #heard = new Map<string, number>();
  /** Marks by person, in the order they were heard for the first time. */
  readonly #order = new Map<string, string[]>();

  readonly #waiting = new Set<() => void>();

  /** The text of a person's next message. */
  say(person: Person): { readonly mark: string; readonly text: string } {
    const said = this.#said.get(person) ?? [];
    this.#said.set(person, said);
    const mark = `${person.prefix}-${said.length + 1}`;
    said.push(mark);
    return { mark, text: `message ${mark}` };
  }

  /** Whatever a peer was handed; gives the mark of the message it answers. */
  hear(text: string): string | undefined {
    const mark = /^re: (\S+)$/.exec(text)?.[1];
    if (mark === undefined) return undefined;
    const times = (this.#heard.get(mark) ?? 0) + 1;
    this.#heard.set(mark, times);
    const prefix = mark.slice(0, mark.lastIndexOf("-"));
    const order = this.#order.get(prefix) ?? [];
    this.#order.set(prefix, order);
    if (times === 1) order.push(mark);
    for (const look of this.#waiting) look();
    return mark;
  }

  /** Resolves when fewer than `limit` messages of this person wait for an answer. */
  async untilFewWait(person: Person, limit: number): Promise<void> {
    const isTime = (): boolean => (this.#said.get(person) ?? []).filter((mark) => !this.wasHeard(mark)).length < limit;
    if (isTime()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => void (isTime() && resolve());
    this.#waiting.add(look);
    await promise;
    this.#waiting.delete(look);
  }

  /** Marks of everything that was said on a channel so far. */
  marks(channel: string): string[] {
    return [...this.#said].filter(([person]) => person.channel === channel).flatMap(([, said]) => said);
  }

  wasHeard(mark: string): boolean {
    return this.#heard.has(mark);
  }

  /** `gone`: messages that never arrived, on a network that keeps nothing. */
  count(channel: string, gone: ReadonlySet<string>): Count {
    const people = [...this.#said].filter(([person]) => person.channel === channel);
    const marks = this.marks(channel).filter((mark) => !gone.has(mark));
    return {
      channel,
      said: marks.length,
      lost: marks.filter((mark) => !this.wasHeard(mark)),
      duplicated: marks.filter((mark) => (this.#heard.get(mark) ?? 0) > 1),
      disordered: people.flatMap(([{ prefix }]) => outOfOrder(this.#order.get(prefix) ?? [])),
    };
  }
}

/** What the model answers: it names the newest message, and nothing else. */
export function answerTo(request: string): string {
  const { messages } = JSON.parse(request) as { messages: Array<{ role: string; content: unknown }> };
  const newest = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content ?? "");
  return `re: ${Array.from(newest.matchAll(/message ([a-z]+\d*-\d+)/g)).at(-1)?.[1] ?? "nothing"}`;
}

function outOfOrder(marks: readonly string[]): string[] {
  const numberOf = (mark: string | undefined): number => Number(mark?.slice(mark.lastIndexOf("-") + 1) ?? 0);
  return marks.filter((mark, index) => numberOf(mark) < numberOf(marks[index - 1]));
}
