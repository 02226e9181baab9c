// The schema as a whole: every key can be written and read back, and everything derived from it agrees.
import { describe, expect, it } from "vitest";
import { loadConfigReference, type ChelaConfig } from "./room.ts";
import { examineConfig, wholeOf } from "./read/examine.ts";
import { setInText, removeFromText } from "./edit/json5-edit.ts";
import { formatPath, isObject, parsePath, putAt, valueAt, type JsonObject, type Path } from "./edit/path.ts";
import { readConfigText } from "./read/read-text.ts";
import { temporaryState } from "./temporary-state.test-support.ts";

const { configJsonSchema, configReferenceRows, configUiHints } = await loadConfigReference();
const rows = configReferenceRows();

/** A value that fits a type of the reference. */
function sample(type: string): unknown {
  if (type.startsWith("record<string,")) return { key: sample(type.slice(14, -1)) };
  if (type.startsWith("string[]|")) return ["text"];
  if (type.startsWith("(")) return [sample(type.slice(1, -3))];
  if (type.endsWith("[]") && !type.startsWith("{")) return [sample(type.slice(0, -2))];
  if (type.startsWith("{"))
    return type.includes("provider:") ? { source: "env", provider: "p", id: "i" } : { source: "env" };
  const first = type.split("|")[0] ?? "";
  if (first.startsWith('"')) return JSON.parse(first);
  if (first.startsWith("number")) return sampleNumber(first);
  if (first.startsWith("string")) return "text";
  if (first === "boolean") return true;
  return first === "unknown" ? { anything: 1 } : JSON.parse(first);
}

function sampleNumber(type: string): number {
  const least = Number(/>=?([\d.]+)/.exec(type)?.[1] ?? 0);
  const most = Number(/<=([\d.]+)/.exec(type)?.[1] ?? Infinity);
  return Math.min(type.includes("int") ? least + 1 : least + 0.01, most);
}

function placeOf(row: { path: string }): Path {
  return parsePath(row.path.replaceAll("<key>", "some-key").replaceAll("[]", "[0]").replace(/\.\*$/, ".OTHER"));
}

/** What an entry of a list must have besides the key under test. */
function withCompanions(path: Path): JsonObject {
  const config: JsonObject = {};
  const text = formatPath(path);
  if (text.startsWith("agents.list[0]")) putAt(config, parsePath("agents.list[0].id"), "a");
  if (text.includes(".models[0]") && text.startsWith("models."))
    putAt(config, [...path.slice(0, path.indexOf(0) + 1), "id"], "m");
  if (text.startsWith("tools.links.models[0]")) putAt(config, parsePath("tools.links.models[0].command"), "c");
  const provider = /^secrets\.providers\.some-key\.(\w+)$/.exec(text)?.[1];
  if (provider !== undefined) putAt(config, path.slice(0, 3), providerWith(provider));
  const room = path.indexOf("rooms");
  if (text.includes("xmpp") && path[room + 1] === 0) putAt(config, [...path.slice(0, room + 2), "jid"], "r@rooms");
  const join = path.indexOf("autoJoin");
  if (join >= 0) putAt(config, path.slice(0, join + 2), { guildId: "g", channelId: "c" });
  return config;
}

/** The kind of provider that has this key, with what it must have. */
function providerWith(key: string): JsonObject {
  if (key === "source" || key === "allowlist") return { source: "env" };
  return ["path", "mode", "maxBytes"].includes(key)
    ? { source: "file", path: "/p" }
    : { source: "exec", command: "/bin/c" };
}

describe("every key of the schema", () => {
  it("can be set in a text and read back", () => {
    expect(rows.length).toBeGreaterThanOrEqual(2292);
    const wrong: string[] = [];
    for (const row of rows) {
      const path = placeOf(row);
      const value = sample(row.type);
      const start = JSON.stringify(withCompanions(path));
      const read = readConfigText(setInText(start, path, value));
      const examined = examineConfig(read.kind === "read" ? read.value : {});
      const complaint = examined.findings[0]?.message ?? examined.quarantined[0]?.message;
      if (complaint) wrong.push(`${row.path}: ${complaint}`);
      else if (JSON.stringify(valueAt(wholeOf(examined), path)) !== JSON.stringify(value))
        wrong.push(`${row.path}: lost`);
      else if (row.implemented !== (examined.unused.length === 0)) wrong.push(`${row.path}: whether it is used`);
    }
    expect(wrong).toEqual([]);
  });

  it("can be removed from a text that has them all", () => {
    const everything: JsonObject = {};
    const some = rows.filter((_row, index) => index % 25 === 0);
    for (const row of some) putAt(everything, placeOf(row), sample(row.type));
    let text = JSON.stringify(everything, null, 2);
    for (const row of some) text = removeFromText(text, placeOf(row));
    expect(leavesOf(readConfigText(text))).toEqual([]);
  });

  it("refuses a value of the wrong kind", () => {
    const tolerant = rows.filter((row) => {
      if (row.type === "unknown" || row.path.endsWith("*")) return false;
      const config = withCompanions(placeOf(row));
      putAt(config, placeOf(row), { "not allowed": [[]] });
      const { findings, quarantined } = examineConfig(config);
      return findings.length + quarantined.length === 0;
    });
    // Maps of anything accept anything; so does the object form of a service account.
    expect(tolerant.filter((row) => !row.type.includes("record<string,unknown>")).map((row) => row.path)).toEqual([]);
  });
});

function leavesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (!isObject(value)) return [value].filter((leaf) => leaf !== "read");
  return Object.values(value).flatMap(leavesOf);
}

describe("what is derived from the schema", () => {
  it("describes every key that is used", () => {
    expect(rows.filter((row) => row.implemented).length).toBeGreaterThan(1700);
    const row = rows.find((each) => each.path === "gateway.port");
    expect(row).toEqual({
      path: "gateway.port",
      type: "number(int,>=1,<=65535)",
      default: 18789,
      secret: false,
      implemented: true,
      description: "The one port of the gateway.",
    });
    expect(rows.find((each) => each.path === "secrets.providers.<key>.source")?.type).toBe('"env"|"file"|"exec"');
    expect(rows.find((each) => each.path === "channels.xmpp.rooms[].password")?.secret).toBe(true);
    expect(rows.some((each) => each.path === "channels.telegram.botToken.source")).toBe(false);
    expect(rows.find((each) => each.path === "gateway.tls.enabled")?.implemented).toBe(true);
    expect(rows.find((each) => each.path === "agents.list[].id")?.implemented).toBe(true);
    expect(rows.find((each) => each.path === "env.shellEnv.enabled")?.implemented).toBe(false);
  });

  it("says the same of a key in a channel's block and in its accounts", () => {
    const ofAccount = rows.filter(({ path }) => path.startsWith("channels.") && path.includes(".accounts.<key>."));
    const ofBlock = new Map(rows.map((row) => [row.path, row]));
    for (const row of ofAccount) {
      const above = ofBlock.get(row.path.replace(".accounts.<key>", ""));
      if (above) expect({ ...row, path: "", default: 0 }).toEqual({ ...above, path: "", default: 0 });
    }
    expect(ofAccount.length).toBeGreaterThan(400);
  });

  it("gives defaults that the schema itself allows", () => {
    const config: JsonObject = {};
    for (const { path, default: value } of rows) {
      if (value !== undefined && !path.includes("<key>")) putAt(config, parsePath(path), value);
    }
    expect(examineConfig(config)).toMatchObject({ findings: [], quarantined: [] });
  });

  it("is a JSON Schema that knows types, defaults and secrets, and allows $schema and $include", () => {
    const schema = configJsonSchema() as {
      properties: Record<string, { properties: Record<string, JsonObject>; additionalProperties: unknown }>;
    };
    expect(schema.properties["$schema"]).toMatchObject({ type: "string" });
    const gateway = schema.properties["gateway"];
    expect(gateway?.additionalProperties).toBe(false);
    expect(gateway?.properties["port"]).toMatchObject({ type: "integer", minimum: 1, maximum: 65535, default: 18789 });
    expect(gateway?.properties["$include"]).toBeDefined();
    expect(gateway?.properties["channelHealthCheckMinutes"]).not.toHaveProperty("description");
    expect(JSON.stringify(gateway?.properties["auth"])).toContain('"secret":true');
    expect(Object.keys(schema.properties)).toContain("channels");
  });

  it("gives hints with labels, help and secrecy, by path with stars", () => {
    const hints = configUiHints();
    expect(hints["models.providers.*.apiKey"]).toMatchObject({ label: "Api key", sensitive: true });
    expect(hints["gateway.customBindHost"]).toMatchObject({ label: "Custom bind host" });
    expect(hints["browser.enabled"]).toMatchObject({ advanced: true });
  });
});

describe("the typed config", () => {
  it("has the types of its keys", () => {
    using state = temporaryState({
      "openclaw.json": { gateway: { port: 1 }, agents: { list: [{ id: "a", model: { primary: "x" } }] } },
    });
    const config: ChelaConfig = state.open().current();
    const port: number | undefined = config.gateway?.port;
    const id: string | undefined = config.agents?.list?.[0]?.id;
    const mode: "merge" | "replace" | undefined = config.models?.mode;
    expect([port, id, mode]).toEqual([1, "a", undefined]);
  });
});
