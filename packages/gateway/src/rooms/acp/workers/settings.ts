// What the configuration says of workers: which there are, and which of them answers for an agent or a conversation. Pure.
import * as z from "zod";
import { once, type SessionEntry } from "@chela/sdk";

export interface WorkerProgram {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The parts of the configuration this room reads. */
export interface WorkerConfig {
  readonly acp?:
    | {
        readonly enabled?: boolean | undefined;
        readonly agents?: Readonly<Record<string, WorkerProgram | undefined>> | undefined;
        readonly defaultAgent?: string | undefined;
        readonly allowedAgents?: readonly string[] | undefined;
        readonly maxConcurrentSessions?: number | undefined;
        readonly runtime?: { readonly ttlMinutes?: number | undefined } | undefined;
      }
    | undefined;
  readonly agents?:
    | {
        readonly list?:
          | ReadonlyArray<{
              readonly id?: string | undefined;
              readonly runtime?:
                | {
                    readonly type?: string | undefined;
                    readonly acp?:
                      | { readonly agent?: string | undefined; readonly cwd?: string | undefined }
                      | undefined;
                  }
                | undefined;
            }>
          | undefined;
      }
    | undefined;
}

/** Who answers in place of a model, and where it works. */
export interface WorkerChoice {
  readonly worker: string;
  /** Unless it is named, the agent's workspace. */
  readonly cwd?: string | undefined;
  /** An agent named the folder: it goes no further than its workspace. */
  readonly isAsked: boolean;
}

export type FoundWorker =
  | { readonly kind: "found"; readonly name: string; readonly program: WorkerProgram & { readonly command: string } }
  | { readonly kind: "refused"; readonly why: string };

const Chosen = once(() => z.looseObject({ agent: z.string().min(1), cwd: z.string().optional() }));

/** Undefined when a model answers. What a session was started with goes before what its agent has. */
export function workerFor(
  config: WorkerConfig,
  agentId: string,
  entry: SessionEntry | undefined,
): WorkerChoice | undefined {
  const chosen = entry?.acp === undefined ? undefined : Chosen().safeParse(entry.acp).data;
  if (chosen) return { worker: chosen.agent, cwd: chosen.cwd, isAsked: true };
  const runtime = config.agents?.list?.find(({ id }) => id === agentId)?.runtime;
  if (runtime?.type !== "acp") return undefined;
  return { worker: runtime.acp?.agent ?? config.acp?.defaultAgent ?? "", cwd: runtime.acp?.cwd, isAsked: false };
}

/** By its name, or the default. */
export function findWorker({ acp = {} }: WorkerConfig, written: string | undefined): FoundWorker {
  const { enabled = true, agents = {}, defaultAgent, allowedAgents } = acp;
  const known = Object.keys(agents).filter((name) => agents[name]?.command);
  const name = written?.trim() || defaultAgent?.trim() || (known.length === 1 ? known[0] : undefined);
  const refuse = (why: string): FoundWorker => ({ kind: "refused", why });
  if (!enabled) return refuse("Workers that speak ACP are switched off (acp.enabled).");
  if (known.length === 0) return refuse("No worker is configured (acp.agents).");
  if (name === undefined) return refuse(`Say which worker: ${known.join(", ")} (or set acp.defaultAgent).`);
  const program = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (!program?.command) return refuse(`There is no worker "${name}"; acp.agents has ${known.join(", ")}.`);
  if (allowedAgents && allowedAgents.length > 0 && !allowedAgents.includes(name)) {
    return refuse(`The worker "${name}" is not allowed (acp.allowedAgents).`);
  }
  return { kind: "found", name, program: { ...program, command: program.command } };
}
