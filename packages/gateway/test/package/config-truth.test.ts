// What is said of a setting is so: what is called implemented is read, what is read is called implemented, and a preset
// that somebody writes down changes nothing.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contextSettings } from "../../src/rooms/agent/room.ts";
import {
  concurrencyLimits,
  firstWaitMs,
  historyLimit,
  replySettings,
} from "../../src/rooms/config/settings/message-settings.ts";
import * as reading from "../../src/rooms/config/room.ts";
import { configReferenceRows, type ReferenceRow } from "../../src/rooms/config/reference.ts";
import { beatSettings } from "../../src/rooms/heartbeat/settings.ts";
import { listWays } from "../../src/rooms/media/transcription-settings.ts";
import { resolveAuthMode } from "../../src/server/auth/index.ts";
import { queueSettings } from "../../src/rooms/sessions/queue-rules.ts";
import { resetRuleFor } from "../../src/rooms/sessions/reset-rules.ts";
import { loopSettings } from "../../src/rooms/tools/loop-detection/settings.ts";
import { profileOf } from "../../src/rooms/sandbox/profile.ts";

const PACKAGES = join(import.meta.dirname, "../../..");
/** Files that tell of settings instead of acting on them. */
const BOOKS =
  /\.test(-support)?\.|\/testing\/|config\/(schema\/|secret-rules|state\/legacy-keys|reference)|sdk\/src\/config\/|\/(section|setup)\.ts$|security-(audit|checks)[/.]|base\/settings\/|cli\/command-groups/;

interface Source {
  readonly path: string;
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** `one.other`, for each name behind a dot. */
  readonly accesses: ReadonlySet<string>;
}

const sources: readonly Source[] = globSync(
  "{gateway,memory,sdk,channels,channel-matrix,channel-whatsapp}/src/**/*.ts",
  {
    cwd: PACKAGES,
  },
)
  .filter((path) => !BOOKS.test(path))
  .map((path) => {
    const text = readFileSync(join(PACKAGES, path), "utf8").replace(/^\s*(\/\/|\/\*|\*).*$/gm, "");
    const accesses = [...text.matchAll(/\b(\w+)\??(?=\.(\w+))/g)].map(([, one, other]) => `${one}.${other}`);
    return { path, text, words: new Set(text.match(/[A-Za-z_$][\w$]*/g)), accesses: new Set(accesses) };
  });

/** The names in a path. Accounts have what their channel has. */
function namesIn({ path }: ReferenceRow): string[] {
  const names = path.replace(".accounts.<key>", "").replaceAll("[]", "").split(".");
  return names.filter((name) => name !== "<key>" && name !== "*");
}

/** Written by programs about the file, for people and other programs: nothing has to happen because of them. */
const REMARKS = /^(\$schema|meta|wizard)\b/;
/** Only one value is allowed, so there is nothing to decide. */
const ONE_VALUE = /\.store\.driver$/;

const rows = configReferenceRows();

describe("settings that are called implemented", () => {
  test("are read by somebody who knows where they stand", () => {
    const unread = rows
      .filter(({ implemented, path }) => implemented && !REMARKS.test(path) && !ONE_VALUE.test(path))
      .filter((row) => !isRead(namesIn(row)))
      .map(({ path }) => path);
    expect(unread).toEqual([]);
  });

  test("go from the config room to those who act on them", () => {
    const outside = sources.filter(({ path }) => !path.includes("/config/"));
    const kept = sources
      .filter(({ path }) => /\/config\/settings\/(defaults|[a-z]+-settings|maintenance-limits)\.ts$/.test(path))
      .flatMap(({ text }) => [...text.matchAll(/^ +readonly (\w+)\??:/gm)].map(([, name = ""]) => name));
    expect(kept.length).toBeGreaterThan(80);
    expect(kept.filter((name) => !outside.some(({ words }) => words.has(name)))).toEqual([]);
  });
});

/** A word alone may be anybody's: whoever reads a setting names what it stands in, too. */
function isRead(names: readonly string[]): boolean {
  const leaf = names.at(-1) ?? "";
  const above = names.slice(-3, -1).flatMap((name) => [name, name.replace(/s$/, ""), ...(SECTION_FILES[name] ?? [])]);
  const isOfChannel = names[0] === "channels";
  return sources.some(
    ({ words }) => words.has(leaf) && (isOfChannel || above.length === 0 || above.some((name) => words.has(name))),
  );
}

/** Sections whose room speaks of each entry by another name. */
const SECTION_FILES: Readonly<Record<string, readonly string[]>> = { budgets: ["BudgetRule"] };

describe("settings that are said to have no effect", () => {
  const called = new Set(rows.filter(({ implemented }) => implemented).map((row) => namesIn(row).slice(-2).join(".")));

  test("are read by nobody", () => {
    const read = rows
      .filter((row) => !row.implemented && !called.has(namesIn(row).slice(-2).join(".")))
      .flatMap((row) => readersOf(namesIn(row)).map((path) => `${row.path} by ${path}`));
    expect(read).toEqual([]);
  });

  test("are in no channel's own schema", () => {
    const read = rows
      .filter((row) => !row.implemented && row.path.startsWith("channels."))
      .filter((row) => {
        const [, channel = "", key = "", ...below] = namesIn(row);
        const own = sources.find(({ path }) =>
          [`channels/src/${channel}/config.ts`, `channel-${channel}/src/config.ts`].includes(path),
        );
        return below.length === 0 && own !== undefined && new RegExp(`^ +${key}: z`, "m").test(own.text);
      });
    expect(read.map(({ path }) => path)).toEqual([]);
  });
});

/** Who has `above.leaf` or `above?.leaf` in the code. */
function readersOf(names: readonly string[]): string[] {
  const access = names.slice(-2).join(".");
  if (names.length < 2 || COINCIDENCES.has(access)) return [];
  return sources.filter(({ accesses }) => accesses.has(access)).map(({ path }) => path);
}

/** The same words, of something else. */
const COINCIDENCES: ReadonlySet<string> = new Set([
  // Of one job.
  "failureAlert.after",
  "failureAlert.cooldownMs",
  // What a conversation was told by /exec.
  "exec.host",
  // Of connections and of requests.
  "limits.timeoutMs",
  // Of a prompt.
  "slots.memory",
]);

describe("presets", () => {
  const presets = rows.filter((row) => row.default !== undefined && !row.path.startsWith("channels."));
  const written = presets.reduce<Record<string, unknown>>(
    (config, row) => setAt(config, row.path.split("."), row.default),
    {},
  ) as reading.ChelaConfig;
  const paths = reading.resolveStatePaths({ HOME: "/home/ann" });
  const readers: Readonly<Record<string, (config: reading.ChelaConfig) => unknown>> = {
    agent: (config) => reading.agentSettings(config, { id: "main", isDefault: true }, paths),
    audit: reading.auditRetentionMs,
    auth: (config) => resolveAuthMode(config.gateway ?? {}, {}),
    bind: reading.bindSettings,
    commands: reading.commandSettings,
    concurrency: concurrencyLimits,
    context: (config) => contextSettings(config),
    cron: (config) => reading.cronSettings(config, {}, paths),
    exec: (config) => reading.execSettings(config, "main"),
    files: (config) => reading.fileSettings(config, "main"),
    "first wait": (config) => firstWaitMs(config, "telegram"),
    heartbeat: (config) => beatSettings(config, "main"),
    history: (config) => historyLimit(config, {}, "main"),
    logging: (config) => reading.loggingSettings(config, paths),
    loops: (config) => loopSettings({ all: config.tools?.loopDetection }, 100),
    maintenance: reading.maintenanceLimits,
    memory: (config) => reading.memorySettings(config, "main", "/work", paths),
    page: (config) => reading.pageSettings(config, paths),
    port: (config) => reading.gatewayPort(config, {}, paths),
    queue: (config) => queueSettings(config.messages?.queue, undefined, "telegram", "collect"),
    replies: (config) => replySettings(config, {}, "main"),
    resets: (config) => resetRuleFor(config.session ?? {}, { type: "direct" }),
    sandbox: (config) =>
      profileOf(reading.sandboxSettings(config, "main", paths), {
        agentId: "main",
        sessionKey: "agent:main:main",
        access: "none",
        workspace: "/work",
        binds: { closed: [], allowed: [] },
      } as never),
    sessions: reading.sessionSettings,
    speech: (config) => listWays({ audio: config.tools?.media?.audio }),
    subagents: (config) => reading.subagentSettings(config, "main"),
  };

  test("are shown for settings that have an effect, and for no others", () => {
    expect(presets.length).toBeGreaterThan(200);
    expect(presets.filter(({ implemented }) => !implemented)).toEqual([]);
  });

  test.each(Object.entries(readers))("change nothing when they are written down: %s", (_name, read) => {
    expect(shownOf(read(written), read({}))).toEqual(read({}));
  });
});

/** What is written, without what is nothing in particular unless it is written: whoever acts on that has the preset. */
function shownOf(written: unknown, unwritten: unknown): unknown {
  if (unwritten === undefined) return undefined;
  if (typeof written !== "object" || typeof unwritten !== "object" || !written || !unwritten) return written;
  if (Array.isArray(written)) return written;
  return Object.fromEntries(
    Object.entries(unwritten).map(([key, value]) => [key, shownOf((written as Record<string, unknown>)[key], value)]),
  );
}

function setAt(target: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown) {
  if (rest.length === 0) target[key] = value;
  else target[key] = setAt((target[key] ?? {}) as Record<string, unknown>, rest, value);
  return target;
}
