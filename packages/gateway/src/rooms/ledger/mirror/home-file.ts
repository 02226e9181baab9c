// `sessions/default.json`: all pairs of the home session. New ones are written at its end; the rest is left as it is.
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, Exchange, Ledger } from "@chela/sdk";
import type { HomeImport } from "../import/import-home.ts";
import { stampOf } from "./file-stamp.ts";
import { createdAt, inOrder, pairOf, readPast, type HomeMessage } from "./home-session.ts";
import { writeText } from "./transcript-file.ts";

export type HomeParts = Omit<HomeImport, "path" | "text" | "sessionKey" | "seen"> & { readonly stateDir: string };

/** The file as we left it. */
interface KnownHome {
  readonly sessionKey: string;
  readonly stamp: string;
  /** Where the end of the list begins. */
  readonly endAt: number;
  /** Numbers of the newest runs that are in it. */
  readonly written: ReadonlySet<number>;
}

const STAMP_KEY = "mirror-home";
const RUNS_AT_ONCE = 200;
const LOOKED_BACK = 50;

export class HomeFile {
  readonly #parts: HomeParts;
  readonly #path: string;
  #known: KnownHome | undefined;
  #recorded: string | undefined;

  constructor(parts: HomeParts) {
    this.#parts = parts;
    this.#path = join(parts.stateDir, "sessions", "default.json");
  }

  /** Takes over what another program wrote into it, before anything of ours is. */
  async takeOver(sessionKey: string): Promise<void> {
    const stamp = stampOf(this.#path);
    if (stamp === "" || stamp === (this.#known?.stamp ?? (await this.#parts.ledger.value(STAMP_KEY)))) return;
    const { importHome } = await import("../import/import-home.ts");
    const text = await readFile(this.#path, "utf8");
    await importHome({ ...this.#parts, path: this.#path, text, sessionKey, seen: { key: STAMP_KEY, value: stamp } });
  }

  /** What the ledger should know of the file from now on. */
  takeUnrecorded(): Change[] {
    const { stamp } = this.#known ?? {};
    if (stamp === undefined || stamp === this.#recorded) return [];
    this.#recorded = stamp;
    return [{ kind: "value-put", key: STAMP_KEY, value: stamp }];
  }

  async write(sessionKey: string): Promise<void> {
    await this.takeOver(sessionKey);
    const known = this.#known;
    const isOurs = known?.sessionKey === sessionKey && known.stamp === stampOf(this.#path);
    if (!known || !isOurs) return this.#writeAll(sessionKey);
    const newest = await this.#parts.ledger.exchanges(sessionKey, LOOKED_BACK);
    const fresh = newest.filter(({ seq }) => !known.written.has(seq));
    if (fresh.length === 0) return;
    const last = Math.max(...known.written);
    // One that was admitted earlier ended later, or there are too many: the order is made anew.
    if (fresh.length === LOOKED_BACK || fresh.some(({ seq }) => seq < last)) return this.#writeAll(sessionKey);
    await this.#append(known, fresh);
  }

  async #append(known: KnownHome, runs: readonly Exchange[]): Promise<void> {
    const past = await readPast(this.#parts.ledger);
    const pairs = runs.flatMap((run) => pairOf(run, past));
    const written = new Set([...known.written, ...runs.map(({ seq }) => seq)].slice(-RUNS_AT_ONCE));
    const [last] = pairs.slice(-1);
    if (!last) return void (this.#known = { ...known, written });
    const text = pairs.map((pair) => `,\n${render(pair)}`).join("");
    const file = await open(this.#path, "r+");
    try {
      const bytes = Buffer.from(text + endOf(last));
      await file.write(bytes, 0, bytes.length, known.endAt);
      await file.truncate(known.endAt + bytes.length);
    } finally {
      await file.close();
    }
    const endAt = known.endAt + Buffer.byteLength(text);
    this.#known = { ...known, stamp: stampOf(this.#path), endAt, written };
  }

  async #writeAll(sessionKey: string): Promise<void> {
    this.#known = await writeHomeFile(this.#parts.ledger, this.#parts.stateDir, sessionKey);
  }
}

/** All of it. Undefined, and no file, while nothing was ever said. */
export async function writeHomeFile(
  ledger: Ledger,
  stateDir: string,
  sessionKey: string,
): Promise<KnownHome | undefined> {
  const path = join(stateDir, "sessions", "default.json");
  const past = await readPast(ledger);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new.tmp`;
  const file = await open(temporary, "w", 0o600);
  let endAt = 0;
  let last: HomeMessage | undefined;
  let seqs: number[] = [];
  const add = async (pairs: readonly HomeMessage[]): Promise<void> => {
    const [first] = pairs;
    if (!first) return;
    const head = last ? ",\n" : headOf(await createdAt(ledger, first));
    endAt += await writeText(file, head + pairs.map(render).join(",\n"));
    last = pairs.at(-1);
  };
  try {
    let foreign = past.pairs;
    for await (const runs of allRuns(ledger, sessionKey)) {
      const own = runs.flatMap((run) => pairOf(run, past));
      const end = Number(own.at(-1)?.id ?? 0);
      await add(inOrder([...foreign.filter(({ id }) => Number(id) < end), ...own]));
      foreign = foreign.filter(({ id }) => Number(id) >= end);
      seqs = [...seqs, ...runs.map(({ seq }) => seq)].slice(-RUNS_AT_ONCE);
    }
    await add(foreign);
    if (last) await writeText(file, endOf(last));
  } finally {
    await file.close();
  }
  if (!last) return void (await rm(temporary, { force: true }));
  const stamp = stampOf(temporary);
  await rename(temporary, path);
  return { sessionKey, stamp, endAt, written: new Set(seqs) };
}

async function* allRuns(ledger: Ledger, sessionKey: string): AsyncGenerator<Exchange[]> {
  for (let after = 0; ;) {
    const runs = await ledger.exchanges(sessionKey, RUNS_AT_ONCE, { after });
    yield runs;
    if (runs.length < RUNS_AT_ONCE) return;
    after = runs.at(-1)?.seq ?? after;
    await nextTurn();
  }
}

const headOf = (createdAt: string): string =>
  `{\n  "id": "home",\n  "created_at": ${JSON.stringify(createdAt)},\n  "messages": [\n`;

/** Last in the file, so that a new pair changes nothing before it. */
const endOf = ({ replied_at }: HomeMessage): string => `\n  ],\n  "updated_at": ${JSON.stringify(replied_at)}\n}\n`;

const render = (pair: HomeMessage): string => `    ${JSON.stringify(pair, undefined, 2).replaceAll("\n", "\n    ")}`;
