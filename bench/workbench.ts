// Setting of every measurement: the command under test, a model to talk to, and how much work to do.
import { createState, startGateway, type Command, type Gateway, type State } from "./gateway-process.ts";
import type { ModelProcess } from "./model-process.ts";

export interface Amount {
  readonly startRounds: number;
  readonly sequentialTurns: number;
  readonly parallelTurns: number;
  /** Turns between two looks at the memory. */
  readonly memoryStep: number;
  readonly memorySteps: number;
  readonly pipelined: number;
  readonly rpcRounds: number;
  readonly sessionCounts: readonly number[];
  readonly commandRounds: number;
  readonly toolTurns: number;
  readonly auditRounds: number;
  readonly sandboxes: number;
  /** Messages in one long conversation, and turns that continue it. */
  readonly historyEntries: number;
  readonly historyTurns: number;
  /** Messages in many conversations that are searched. */
  readonly searchMessages: number;
  readonly soakTurns: number;
  /** Messages through a channel: one after the other, and many at once. */
  readonly channelTurns: number;
  readonly channelMessages: number;
  /** Jobs that are due together, or in future. */
  readonly jobs: number;
  /** How long a gateway is watched that has nothing to do. */
  readonly idleMs: number;
  readonly execJobs: number;
  readonly webhooks: number;
}

export interface TurnRunner {
  readonly root: string;
  readonly command: Command;
  readonly model: ModelProcess;
  readonly amount: Amount;
  /** Tells a person what is going on. */
  say(text: string): void;
}

export function newState(bench: TurnRunner): Promise<State> {
  return createState(bench.root, bench.model.port);
}

/** Runs `work` against a gateway of its own, which is stopped whatever happens. */
export async function withGateway<T>(
  bench: TurnRunner,
  work: (gateway: Gateway, state: State) => Promise<T>,
  options: { readonly state?: State; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<T> {
  const state = options.state ?? (await newState(bench));
  const gateway = await startGateway(bench.command, state, options.env);
  try {
    return await work(gateway, state);
  } finally {
    await gateway.stop();
  }
}
