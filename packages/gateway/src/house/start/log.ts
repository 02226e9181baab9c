// The log of a start: where it goes before the configuration is read, and what the configuration makes of it.
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Clock } from "@chela/sdk";
import { createLog, type LogSink } from "../../base/log.ts";
import { redactSecrets } from "@chela/sdk/base";
import {
  issueSentence,
  loggingSettings,
  soundsSecret,
  type ConfigStore,
  type LoggingSettings,
  type StatePaths,
} from "../../rooms/config/room.ts";

import { logDirectory, logFileName } from "./log-place.ts";
import { readMaskPattern } from "./mask-pattern.ts";

export interface LogChoices {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly console?: (text: string) => void;
  readonly verbose?: boolean;
  readonly auth?: { readonly token?: string; readonly password?: string };
}

export interface StartLog {
  readonly log: LogSink;
  /** Takes levels, file and secrets from the configuration. */
  follow(config: ConfigStore): void;
}

export function openStartLog(choices: LogChoices, paths: StatePaths, clock: Clock): StartLog {
  const fixed = choices.env["OPENCLAW_LOG_FILE"];
  let file = fixed;
  const log = createLog({
    clock,
    level: "info",
    consoleLevel: choices.verbose ? "debug" : "warn",
    file: (at) => file ?? join(logDirectory(paths), logFileName(at)),
    ...(choices.console ? { console: choices.console } : {}),
  });
  return {
    log,
    follow(config) {
      const settings = loggingSettings(config.current(), paths);
      const next = fixed ?? settings.file;
      // What is still in memory belongs into the file it was said for.
      if (next !== file) log.flush();
      file = next;
      log.change({
        ...(choices.verbose ? { level: "debug" } : { level: settings.level, consoleLevel: settings.consoleLevel }),
        style: settings.consoleStyle,
        maxFileBytes: settings.maxFileBytes,
        mask: maskBy(settings, (why) => log.warn(why)),
      });
      for (const secret of secretsIn(config, choices)) log.addSecret(secret);
    },
  };
}

function maskBy(
  { redactsSecrets, redactPatterns }: Pick<LoggingSettings, "redactsSecrets" | "redactPatterns">,
  complain: (why: string) => void,
): (text: string) => string {
  const masks = redactPatterns.flatMap((written) => {
    const read = readMaskPattern(written);
    if (read.kind === "usable") return [read.mask];
    complain(`logging.redactPatterns: ${JSON.stringify(written)} is passed over: ${read.why}.`);
    return [];
  });
  return (text) => masks.reduce((rest, mask) => mask(rest), redactsSecrets ? redactSecrets(text) : text);
}

function secretsIn(config: ConfigStore, choices: LogChoices): string[] {
  const fromEnv = Object.entries(config.effectiveEnv()).flatMap(([name, value]) =>
    soundsSecret(name) && !isPlace(value) ? [value] : [],
  );
  const given = [choices.auth?.token, choices.auth?.password].filter((value) => value !== undefined);
  return [...config.secrets(), ...fromEnv, ...given];
}

/** `PWD`, `SSH_AUTH_SOCK` and the like: masking a folder would mask every file in it, for people and for agents. */
const isPlace = (value: string): boolean => isAbsolute(value) && existsSync(value);

/** What a person should know about the configuration that is in use. That a file is broken the store has said itself. */
export function configNotices(config: ConfigStore): string[] {
  const { source, issues, warnings } = config.snapshot();
  return [...(source === "file" ? issues : []), ...warnings].map(issueSentence);
}
