// Tells hooks of the owner what happens. While no hook is enabled it does nothing and loads nothing.
import type { CommitNote, HookSignal, RunRecord } from "@chela/sdk";
import type { ConfigStore } from "../../rooms/config/room.ts";
import type { InboundHooks } from "../arrival.ts";
import type { MessageBody } from "../message-body.ts";
import type { TakenIn } from "../turn/kit.ts";
import type { TurnEvent } from "../turn/events.ts";
import { lazy } from "../../base/lazy.ts";
import { hearsSignals } from "./brought-hooks.ts";
import type { HookServices, HookHouse } from "./hooks.ts";
import type { FileSet, InjectedFile } from "../../rooms/workspace/room.ts";

/** Whom files are given to. */
export interface FileQuestion {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly workspaceDir: string;
  readonly fileSet: FileSet;
}

export interface HookTeller extends InboundHooks {
  side(): Promise<HookServices>;
  /** The files as hooks leave them. Throws HOOK_VETO. */
  files(question: FileQuestion, files: readonly InjectedFile[]): Promise<readonly InjectedFile[]>;
  committed(note: CommitNote): void;
  told(event: TurnEvent): void;
  transcribed(record: RunRecord, body: MessageBody, heard: { text: string; mimeType: string }): void;
  takenIn(record: RunRecord, taken: TakenIn): void;
  /** What a part tells of itself. Nobody waits for it. */
  tell(signal: HookSignal): void;
  start(): void;
  stop(): Promise<void>;
}

export function createHookTeller(house: HookHouse): HookTeller {
  const { config, log } = house;
  const isOn = (): boolean => isWanted(config) || hearsSignals(house);
  const hooks = lazy(async () => (await import("./hooks.ts")).openHookServices(house));
  const side = (): Promise<HookServices> => hooks();
  /** For those who do not wait. In the order of the calls. */
  const ring = (tell: (side: HookServices) => void): void => {
    if (!isOn()) return;
    side().then(tell, (error: unknown) => log.error("hooks could not be loaded", { error: String(error) }));
  };
  return {
    side,
    received: async (message, route, body) => (isOn() ? (await side()).received(message, route, body) : undefined),
    async command(action, session, by) {
      if (!isOn()) return;
      try {
        await (await side()).command(action, session, by);
      } catch (error) {
        log.error("hooks could not be told of a command", { action, session, error: String(error) });
      }
    },
    given: (command, session, by) => ring((hooks) => hooks.given(command, session, by)),
    tell: (signal) => ring((hooks) => hooks.tell(signal)),
    files: async (question, files) => (isOn() ? (await side()).files(question, files) : files),
    committed: (note) => ring((hooks) => hooks.committed(note)),
    told: (event) => ring((hooks) => hooks.told(event)),
    transcribed: (record, body, heard) => ring((hooks) => hooks.transcribed(record, body, heard)),
    takenIn: (record, taken) => ring((hooks) => hooks.takenIn(record, taken)),
    start: () => ring((hooks) => hooks.started()),
    async stop() {
      if (isOn()) await (await side()).stopping();
    },
  };
}

function isWanted(config: ConfigStore): boolean {
  const { enabled, entries, handlers = [] } = config.current().hooks?.internal ?? {};
  // A file that is named with its event is wanted, unless all hooks are switched off.
  if (handlers.length > 0 && enabled !== false) return true;
  return enabled === true && entries !== undefined && Object.values(entries).some((entry) => entry.enabled === true);
}
