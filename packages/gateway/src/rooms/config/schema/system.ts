// The small sections: file bookkeeping, environment, logging, look of the control page.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  choice,
  key,
  openBlock,
  positive,
  secret,
  secretMap,
  section,
  text,
  textOrNumber,
  texts,
} from "@chela/sdk/config";

export const metaSection = section(
  "Who wrote this file last, and when; the gateway keeps it.",
  { reload: "live", guards: false },
  () =>
    block(() => ({
      lastTouchedVersion: key(text(), "The version that wrote this file last."),
      lastTouchedAt: key(textOrNumber(), "When this file was last written by a program."),
    })),
);

export const envSection = section(
  "Environment variables for the gateway and what it starts.",
  { reload: "restart" },
  () =>
    openBlock(
      () => ({ vars: key(secretMap(), "Environment variables to set unless they are set already.") }),
      key(secret().unwrap(), "The same as env.vars, written directly."),
    ),
);

export const wizardSection = section("What a guided setup noted of itself.", { reload: "live", guards: false }, () =>
  block(() => ({
    lastRunAt: key(text(), "When the setup was last run."),
    lastRunVersion: key(text(), "The version whose setup was last run."),
    lastRunCommit: key(text(), "The commit whose setup was last run."),
    lastRunCommand: key(text(), "The command that last ran the setup."),
    lastRunMode: key(choice("local", "remote"), "What the setup was last run for."),
  })),
);

const logLevel = once(() => choice("silent", "fatal", "error", "warn", "info", "debug", "trace"));

export const loggingSection = section("How much is written to the log, and where.", { reload: "live" }, () =>
  block(() => ({
    level: key(logLevel(), "Least important lines that go to the log file.", { preset: "info", guards: false }),
    file: key(text(), "The log file; without it there is one per day."),
    maxFileBytes: key(positive(), "Size at which a log file is set aside and a new one begun.", {
      preset: 500_000_000,
    }),
    consoleLevel: key(logLevel(), "Least important lines that are shown on the terminal.", {
      preset: "warn",
      guards: false,
    }),
    consoleStyle: key(choice("pretty", "compact", "json"), "How lines look on the terminal.", {
      preset: "pretty",
      guards: false,
    }),
    redactSensitive: key(
      choice("off", "tools"),
      "Whether what looks like a key, token or password is taken out of the log. Credentials of the gateway always are.",
      { preset: "tools" },
    ),
    redactPatterns: key(texts(), "Regular expressions for more that is taken out of the log: `word`, or `/word/i`."),
  })),
);

export const uiSection = section("How the control page looks.", { reload: "live", guards: false }, () =>
  block(() => ({
    assistant: block(() => ({
      name: key(z.string().max(50).optional(), "Name of the assistant on the control page."),
      avatar: key(z.string().max(200).optional(), "Picture of the assistant: an emoji, a few letters, or an address."),
    })),
  })),
);
