// The settings of jobs in numbers, from the configuration's "24h" and "2mb".
import { join, resolve } from "node:path";
import { readDuration } from "../../../base/text/read-duration.ts";
import type { ProcessEnv } from "../read/environment.ts";
import { filledSection } from "@chela/sdk/config";
import { bytesOf } from "./maintenance-limits.ts";
import { cronSection } from "../schema/automation.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import type { StatePaths } from "../state/state-paths.ts";

export interface JobSettings {
  readonly isEnabled: boolean;
  readonly storePath: string;
  readonly runLog: { readonly maxBytes: number; readonly keepLines: number };
  readonly sessionRetentionMs: number | undefined;
  readonly commandsAtOnce: number;
  readonly legacyWebhook?: string;
  readonly webhookToken?: string;
}

/** Commands cost less than turns: without a limit of the operator's, a few may run at once. */
const COMMANDS_AT_ONCE = 4;
const DAY_MS = 86_400_000;

export function cronSettings({ cron }: ChelaConfig, env: ProcessEnv, paths: StatePaths): JobSettings {
  const { enabled, sessionRetention: retention, runLog, webhook, webhookToken } = filledSection(cronSection, cron);
  const isSkipped = /^(1|true|yes|on)$/i.test(env["OPENCLAW_SKIP_CRON"] ?? "");
  return {
    isEnabled: !isSkipped && enabled,
    storePath: storePath(cron?.store, paths),
    runLog: {
      maxBytes: bytesOf(runLog.maxBytes) ?? usualLogBytes(),
      keepLines: runLog.keepLines,
    },
    sessionRetentionMs: retention === false ? undefined : (readDuration(retention, "h") ?? DAY_MS),
    commandsAtOnce: cron?.maxConcurrentRuns ?? COMMANDS_AT_ONCE,
    ...(webhook ? { legacyWebhook: webhook } : {}),
    ...(typeof webhookToken === "string" && webhookToken ? { webhookToken } : {}),
  };
}

/** For a size that cannot be read. */
function usualLogBytes(): number {
  return Number(filledSection(cronSection, {}).runLog.maxBytes);
}

function storePath(written: string | undefined, { stateDir, home }: StatePaths): string {
  if (!written) return join(stateDir, "cron", "jobs.json");
  return written.startsWith("~/") ? join(home, written.slice(2)) : resolve(stateDir, written);
}
