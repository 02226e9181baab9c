// Types that the tools `exec` and `process` share with the rest of the gateway.
import type { Standing } from "@chela/sdk";

/** The section `tools.exec` as it holds for one agent, defaults filled in. */
export interface ExecSettings {
  /** How long a call waits before its command goes on in the background. */
  readonly backgroundMs: number;
  readonly timeoutSec: number;
  /** How long a finished command can still be looked at. */
  readonly cleanupMs: number;
  readonly notifyOnExit: boolean;
  /** Tell also of commands that succeeded without printing anything. */
  readonly notifyOnExitEmptySuccess: boolean;
  /** Directories that come before the gateway's own PATH. */
  readonly pathPrepend: readonly string[];
  /** Names of further variables a command inherits from the gateway. */
  readonly env: readonly string[];
}

/** A background command ended while nobody was waiting for it. */
export interface ExitNotice {
  readonly agentId: string;
  /** The conversation that started the command. */
  readonly sessionKey: string;
  /** What whoever asked for it is to this gateway. */
  readonly standing: Standing;
  readonly processId: string;
  readonly exitCode: number | null;
  /** One line for the agent. */
  readonly text: string;
}

export type ElevatedLevel = "off" | "on" | "ask" | "full";
