// What the configuration says about the memory of agents, and what must not pass from one to another.
import { describe, expect, test } from "vitest";
import { memorySettings } from "./memory-settings.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import type { StatePaths } from "../state/state-paths.ts";

type Written = NonNullable<NonNullable<NonNullable<ChelaConfig["agents"]>["defaults"]>["memorySearch"]>;

const PATHS = { stateDir: "/state", home: "/home/anna" } as StatePaths;

function settingsOf(agentId: string, all: Written, own: Written = {}, more: object = {}) {
  const list = [{ id: "main" }, { id: "other", memorySearch: own, ...more }];
  return memorySettings({ agents: { defaults: { memorySearch: all }, list } }, agentId, "/workspace", PATHS);
}

describe("where the index lies", () => {
  test.each<[string, string, Written, string]>([
    ["in the state directory, one for each agent", "other", {}, "/state/memory/other.sqlite"],
    ["where the owner says", "main", { store: { path: "~/notes.sqlite" } }, "/home/anna/notes.sqlite"],
    [
      "in a file of its own, where all are told the same",
      "other",
      { store: { path: "a.sqlite" } },
      "/state/a.sqlite.other",
    ],
    ["under the name of the agent", "other", { store: { path: "/var/{agentId}.sqlite" } }, "/var/other.sqlite"],
  ])("%s", (_what, agentId, all, path) => expect(settingsOf(agentId, all).path).toBe(path));

  test("the default agent keeps the file that all are told", () => {
    const all = { store: { path: "a.sqlite" } };
    expect(settingsOf("other", all, {}, { default: true }).path).toBe("/state/a.sqlite");
    expect(settingsOf("main", all, {}, { default: true }).path).toBe("/state/a.sqlite.main");
  });
});

test("further notes lie in the workspace, unless they are said to lie elsewhere", () => {
  const extraPaths = ["more", "~/notes", "/srv/notes"];
  expect(settingsOf("main", { extraPaths }).extraPaths).toEqual(["/workspace/more", "/home/anna/notes", "/srv/notes"]);
});

test("Ollama is spoken to as OpenAI is, on this machine unless another address is named", () => {
  expect(settingsOf("main", { provider: "ollama", fallback: "ollama" })).toMatchObject({
    provider: "openai",
    fallback: "local",
    model: "nomic-embed-text",
    remote: { baseUrl: "http://127.0.0.1:11434/v1" },
  });
  const named: Written = { provider: "ollama", model: "bge-m3", remote: { baseUrl: "http://10.0.0.2:11434/v1" } };
  expect(settingsOf("main", named)).toMatchObject({ model: "bge-m3", remote: { baseUrl: "http://10.0.0.2:11434/v1" } });
});

describe("the key of a service", () => {
  const all: Written = { provider: "openai", remote: { apiKey: "of all", baseUrl: "https://one.example" } };
  test.each<[string, Written, Written["remote"]]>([
    ["is that of all where the agent says nothing", {}, { apiKey: "of all", baseUrl: "https://one.example" }],
    [
      "is not sent to another address",
      { remote: { baseUrl: "https://two.example" } },
      { baseUrl: "https://two.example" },
    ],
    ["is not sent to another service", { provider: "voyage" }, {}],
    ["is the agent's own", { remote: { apiKey: "own" } }, { apiKey: "own", baseUrl: "https://one.example" }],
  ])("%s", (_what, own, remote) => expect(settingsOf("other", all, own).remote).toEqual(remote));
});
