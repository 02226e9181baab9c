import * as z from "zod";
import { describe, expect, it } from "vitest";
import { GatewayError, type Tool } from "@chela/sdk";
import {
  BUILT_IN,
  ALL_TOOLS,
  callOf,
  fakeTool,
  MODEL,
  openToolbox,
  STRANGER,
  subjectWith,
} from "./toolbox.test-support.ts";

describe("what a model is told", () => {
  it("is in a fixed order, with tools of no fixed place by name at the end", () => {
    const tools = ["tts", "zebra", "image", "apply_patch", "sessions_spawn", "exec", "read"].map((name) =>
      fakeTool(
        name,
        BUILT_IN.find((one) => one.name === name),
      ),
    );
    const names = openToolbox({ tools }).toolbox.for(subjectWith()).allowed;
    expect(names).toEqual(["read", "apply_patch", "exec", "image", "sessions_spawn", "tts", "zebra"]);
  });

  it("is the very same list for everybody who may use the same tools", () => {
    const { toolbox } = openToolbox({ config: () => ({ tools: { allow: ["read", "write"] } }) });
    const one = toolbox.for(subjectWith({ sessionKey: "agent:main:one" })).described;
    const other = toolbox.for(subjectWith({ requester: STRANGER, model: { ...MODEL, id: "other" } })).described;
    expect(other).toBe(one);
  });

  it("is the same bytes after more different sets of tools than are kept", () => {
    let allow: string[] = ["read"];
    const { toolbox } = openToolbox({ config: () => ({ tools: { allow } }) });
    const bytes = () => JSON.stringify(toolbox.for(subjectWith()).described);
    const before = bytes();
    for (const { name } of ALL_TOOLS) {
      for (const other of ["read", "tts", "nodes"]) {
        allow = [name, other];
        bytes();
      }
    }
    allow = ["read"];
    expect(bytes()).toBe(before);
  });

  it("asks each tool for its parameters once", () => {
    let asked = 0;
    const parameters = () => (asked++, z.object({ path: z.string() }));
    const { toolbox } = openToolbox({ tools: [fakeTool("read", { parameters })] });
    for (let turn = 0; turn < 3; turn++)
      toolbox.for(subjectWith({ requester: turn ? STRANGER : subjectWith().requester }));
    expect(asked).toBe(1);
  });

  it("has schemas without anything a model does not need", () => {
    const parameters = () =>
      z.strictObject({
        title: z.string().describe("A heading."),
        count: z.int().optional(),
        at: z.number().min(3).default(4),
        env: z.record(z.string(), z.string()).optional(),
        any: z.record(z.string(), z.unknown()).optional(),
        rows: z.array(z.strictObject({ kind: z.enum(["a", "b"]) })).optional(),
      });
    const tools = [fakeTool("read", { parameters }), fakeTool("write")];
    const [read, write] = openToolbox({ tools }).toolbox.for(subjectWith()).described;
    expect(read?.parameters).toEqual({
      type: "object",
      properties: {
        title: { type: "string", description: "A heading." },
        count: { type: "integer" },
        at: { type: "number", minimum: 3, default: 4 },
        env: { type: "object", additionalProperties: { type: "string" } },
        any: { type: "object" },
        rows: {
          type: "array",
          items: { type: "object", properties: { kind: { type: "string", enum: ["a", "b"] } }, required: ["kind"] },
        },
      },
      required: ["title"],
    });
    expect(write?.parameters).toEqual({ type: "object", properties: {} });
  });

  it("stays as it is during a turn, while a new turn follows the configuration", () => {
    let deny: string[] = [];
    const { toolbox } = openToolbox({ config: () => ({ tools: { deny } }) });
    const turn = toolbox.for(subjectWith());
    deny = ["exec"];
    expect(turn.allowed.includes("exec")).toBe(true);
    expect(toolbox.for(subjectWith()).allowed.includes("exec")).toBe(false);
  });
});

it.each([
  ["read", "read"],
  ["read", "Read"],
  ["exec", "bash"],
])("does not take two tools that a policy cannot tell apart: %s and %s", (one, other) => {
  const open = () => openToolbox({ tools: [fakeTool(one), fakeTool(other)] });
  expect(open).toThrow(GatewayError);
  expect(open).toThrow(/Two tools have the same name/);
});

it.each<[string, Partial<Tool>, boolean]>([
  ["reads", { effects: ["read"] }, true],
  ["looks something up", { effects: ["read", "network"] }, true],
  ["writes", { effects: ["read", "write"] }, false],
  ["runs commands", { effects: ["exec"] }, false],
  ["sends", { effects: ["network", "send"] }, false],
  ["does not exist", { name: "other", effects: ["read"] }, false],
])("knows whether a call changes nothing: a tool that %s", (_name, over, expected) => {
  const { toolbox } = openToolbox({ tools: [fakeTool("one", over)] });
  expect(toolbox.for(subjectWith()).isHarmless(callOf("one"))).toBe(expected);
});

it("lists all tools by family, with the profiles that include them", () => {
  const { toolbox } = openToolbox({ config: () => ({ tools: { deny: ["*"] } }) });
  const catalog = toolbox.catalog("main");
  expect(catalog.agentId).toBe("main");
  expect(catalog.profiles.map(({ id }) => id)).toEqual(["minimal", "coding", "messaging", "full"]);
  expect(catalog.groups.map(({ id }) => id)).toEqual(
    "fs runtime web memory sessions ui messaging automation nodes agents media".split(" "),
  );
  const sessions = catalog.groups.find(({ id }) => id === "sessions");
  expect(sessions?.tools.find(({ id }) => id === "session_status")).toEqual({
    id: "session_status",
    label: "session_status",
    description: "The tool session_status.",
    source: "core",
    defaultProfiles: ["minimal", "coding", "messaging"],
  });
});
