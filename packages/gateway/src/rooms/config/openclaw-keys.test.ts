// Keys of OpenClaw that nobody here acts on: kept, checked, told, and no part of the config in use.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stepAnywhere } from "./openclaw-keys.ts";
import { REDACTED } from "./room.ts";
import { isUndescribed, type Standing } from "./schema-walk.ts";
import { isObject } from "./edit/path.ts";
import { temporaryState } from "./temporary-state.test-support.ts";
import { schemaFrom, typeText } from "./read/type-text.ts";

const CONFIG = "openclaw.json";
const told: unknown = JSON.parse(readFileSync(new URL("./openclaw-keys.json", import.meta.url), "utf8"));

function textsIn(value: unknown): string[] {
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [String(value)];
}

describe("the notation of types", () => {
  it.each([...new Set(textsIn(told))])("reads %s as it is written", (text) => {
    expect(typeText(schemaFrom(text))).toBe(text.replaceAll("secret", "string"));
  });

  it.each(["strin", "number(int", '"a"|', "record<string,", "{a}", "string]"])("refuses %s", (text) => {
    expect(() => schemaFrom(text)).toThrow();
  });
});

/** Of its own schema, asked of a running gateway of 2026.3.23: `*` is any name, `[]` each entry. */
const KEYS = new URL("../../../test/fixtures/openclaw-2026.3.23-keys.txt", import.meta.url);

describe("the keys of OpenClaw 2026.3.23", () => {
  it("are all known here, used or not", () => {
    const paths = readFileSync(KEYS, "utf8").trimEnd().split("\n");
    expect(paths.length).toBeGreaterThan(1_800);
    expect(paths.filter((path) => !isKnown(path))).toEqual([]);
  });

  it("are told as not used where nobody acts on them", () => {
    const content = {
      agents: {
        defaults: { compaction: { model: "a/b" }, pdfModel: "a/b" },
        list: [{ id: "a", thinkingDefault: "high" }],
      },
      cron: { retry: { maxAttempts: 3 } },
      mcp: { servers: { files: { command: "npx", env: { KEY: "k" }, more: 1 } } },
    };
    using state = temporaryState({ [CONFIG]: content });
    const store = state.open();
    expect(store.check().issues).toEqual([]);
    expect(store.notUsedYet().toSorted()).toEqual([
      "agents.defaults.compaction.model",
      "agents.defaults.pdfModel",
      "cron.retry",
      "mcp",
    ]);
    expect(JSON.stringify(store.describe().config)).not.toContain('"KEY":"k"');
  });
});

function isKnown(path: string): boolean {
  const from: Array<string | number> = [];
  let standing: Standing | undefined;
  for (const part of path.match(/[^.[\]]+|\[\]/g) ?? []) {
    const key = part === "[]" ? 0 : part === "*" ? "any" : part;
    standing = stepAnywhere(standing, from, key);
    from.push(key);
    // Anything may stand there.
    if (standing.length > 0 && standing.every(isUndescribed)) return true;
  }
  return standing !== undefined && standing.length > 0;
}

describe("a key that has no effect", () => {
  it("stays in the file and in what clients see, and is no part of the config in use", () => {
    const content = {
      browser: { enabled: true, profiles: { work: { color: "#fff" } } },
      talk: { providers: { some: { apiKey: "k", other: [1] } } },
      agents: { list: [{ id: "a", params: { x: 1 } }] },
    };
    using state = temporaryState({ [CONFIG]: content });
    const store = state.open();
    expect(store.current()).toEqual({ agents: { list: [{ id: "a" }] } });
    expect(store.notUsedYet()).toEqual(["browser", "talk", "agents.list[0].params"]);
    expect(store.describe().config).toEqual({
      ...content,
      talk: { providers: { some: { apiKey: REDACTED, other: [1] } } },
    });
    expect(store.getPath("browser.profiles.work")).toEqual({ kind: "found", value: { color: "#fff" } });
    store.setPath("browser.headless", true);
    expect(JSON.parse(state.read(CONFIG))).toMatchObject({ ...content, browser: { headless: true } });
  });

  it("is checked all the same", () => {
    using state = temporaryState({
      [CONFIG]: { browser: { enabled: "yes" }, agents: { list: [{ id: "a", params: "x" }] } },
    });
    expect(
      state
        .open()
        .check()
        .issues.map(({ path }) => path),
    ).toEqual(["browser.enabled", "agents.list[0].params"]);
  });

  it("is what may have been meant by another one", () => {
    using state = temporaryState({
      [CONFIG]: { browsr: {}, browser: { enabld: true }, gateway: { chanelHealthCheckMinutes: 1 } },
    });
    const messages = state
      .open()
      .check()
      .warnings.map(({ message }) => /did you mean "(.+)"/.exec(message)?.[1]);
    expect(messages).toEqual(["browser", "browser.enabled", "gateway.channelHealthCheckMinutes"]);
  });

  it("hides its secrets, by name or not", () => {
    using state = temporaryState({
      [CONFIG]: {
        diagnostics: { otel: { headers: { "x-own": "canary-header" } } },
        plugins: { entries: { a: { config: { apiKey: "canary-key" } } } },
      },
    });
    const store = state.open();
    expect([...store.secrets()].sort()).toEqual(["canary-header", "canary-key"]);
    expect(JSON.stringify(store.describe())).not.toContain("canary");
  });
});
