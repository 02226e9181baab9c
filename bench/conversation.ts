// Turns as the measurements need them: each message carries a mark under which the model server notes its own time.
import type { ModelProcess } from "./model-process.ts";
import type { WireClient } from "./wire-client.ts";

export interface TimedTurn {
  readonly mark: string;
  readonly ms: number;
}

export interface Marks {
  next(): string;
}

export function createMarks(): Marks {
  let last = 0;
  return { next: () => String(++last) };
}

/** The model calls a tool before it answers this one. */
export const WITH_TOOL = "Look it up.";

export async function timeTurn(
  client: WireClient,
  sessionKey: string,
  marks: Marks,
  question = "How is it going?",
): Promise<TimedTurn> {
  const mark = marks.next();
  const began = performance.now();
  await client.turn(sessionKey, `${question} #${mark}#`);
  return { mark, ms: performance.now() - began };
}

/** `parallel` workers share `turns` turns; each worker walks through its own part of the sessions. */
export async function converse(
  client: WireClient,
  marks: Marks,
  load: { readonly parallel: number; readonly sessions: number; readonly turns: number; readonly name: string },
): Promise<{ readonly turns: TimedTurn[]; readonly ms: number }> {
  const turns: TimedTurn[] = [];
  let started = 0;
  const work = async (worker: number): Promise<void> => {
    for (let round = 0; started < load.turns; round++) {
      started += 1;
      const session = (worker + round * load.parallel) % load.sessions;
      turns.push(await timeTurn(client, `agent:main:${load.name}-${session}`, marks));
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: load.parallel }, (_, worker) => work(worker)));
  return { turns, ms: performance.now() - began };
}

/** What a turn cost beyond the model's own time. */
export async function overheads(turns: readonly TimedTurn[], model: ModelProcess): Promise<number[]> {
  const took = await model.took();
  return turns.map(({ mark, ms }) => ms - (took.get(mark) ?? 0));
}
