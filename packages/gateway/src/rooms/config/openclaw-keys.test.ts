// Keys of OpenClaw that nobody here acts on: kept, checked, told, and no part of the config in use.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { REDACTED } from "./room.ts";
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

describe("a key that has no effect", () => {
  it("stays in the file and in what clients see, and is no part of the config in use", () => {
    const content = {
      browser: { enabled: true, profiles: { work: { color: "#fff" } } },
      talk: { providers: { some: { apiKey: "k", other: [1] } } },
      agents: { list: [{ id: "a", skills: ["x"] }] },
    };
    using state = temporaryState({ [CONFIG]: content });
    const store = state.open();
    expect(store.current()).toEqual({ agents: { list: [{ id: "a" }] } });
    expect(store.notUsedYet()).toEqual(["browser", "talk", "agents.list[0].skills"]);
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
      [CONFIG]: { browser: { enabled: "yes" }, agents: { list: [{ id: "a", skills: "x" }] } },
    });
    expect(
      state
        .open()
        .check()
        .issues.map(({ path }) => path),
    ).toEqual(["browser.enabled", "agents.list[0].skills"]);
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
