// Gathers what tools told an agent in the turn in which it says something, along the way through the ledger.
import type { HistoryEntry, Ledger } from "@chela/sdk";

/** The text of a tool's result, without known secrets; undefined for everything else. */
export type HeardReader = (line: string) => string | undefined;

/** More is hardly said again. The newest counts. */
const MOST_CHARS = 16_000;
/** As far back as a turn is looked for that began before what is read now. */
const MOST_STEPS = 60;

export class HeardFromTools {
  readonly #ledger: Pick<Ledger, "branch">;
  readonly #read: HeardReader;
  /** By session, since a person said something; lines as they are, because most of them are never asked for. */
  readonly #turns = new Map<string, string[]>();

  constructor(ledger: Pick<Ledger, "branch">, read: HeardReader) {
    this.#ledger = ledger;
    this.#read = read;
  }

  /** Entries come in the order of the ledger. */
  pass({ sessionId, line }: HistoryEntry): void {
    if (isFromPerson(line)) this.#turns.set(sessionId, []);
    else if (isFromTool(line)) this.#turns.get(sessionId)?.push(line);
  }

  /** Undefined when no tool was used. What is known depends on the ledger alone, not on where the reading began. */
  async before({ sessionId }: HistoryEntry, entryId: string): Promise<string | undefined> {
    const known = this.#turns.get(sessionId) ?? (await this.#lookBack(sessionId, entryId));
    this.#turns.set(sessionId, known);
    if (known.length === 0) return undefined;
    let heard = "";
    for (const line of known.toReversed()) {
      heard = `${this.#read(line) ?? ""}\n${heard}`;
      if (heard.length >= MOST_CHARS) break;
    }
    return heard.trim() === "" ? undefined : heard.slice(-MOST_CHARS);
  }

  async #lookBack(sessionId: string, entryId: string): Promise<string[]> {
    const way = await this.#ledger.branch(sessionId, entryId, MOST_STEPS);
    const begun = way.findLastIndex(({ line }) => isFromPerson(line));
    return way
      .slice(begun + 1)
      .map(({ line }) => line)
      .filter(isFromTool);
  }
}

/** Lines are not parsed for it: results of tools are long. */
function isFromPerson(line: string): boolean {
  return line.includes('"role":"user"') && !isFromTool(line);
}

function isFromTool(line: string): boolean {
  return line.includes('"role":"toolResult"');
}
