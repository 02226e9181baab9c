// Profiles whose secrets lie in a vault: the file refers to them, and everything else goes on as before.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Secret, type ModelInfo } from "@chela/sdk";
import { createFakeClock, plainRequest } from "@chela/sdk/testing";
import { createModels, type CallEvent, type Models, type ProfileVault } from "../room.ts";
import { openReplayServer, type ReplayServer } from "../testing/replay-server.ts";
import { replyFor, silentLog } from "../testing/wire-harness.ts";

interface FakeVault extends ProfileVault {
  readonly values: Map<string, { readonly value: Secret; readonly origin?: string }>;
  readonly uses: string[];
}

function createFakeVault(): FakeVault {
  const values: FakeVault["values"] = new Map();
  const uses: string[] = [];
  let stamp = 0;
  return {
    values,
    uses,
    stamp: () => String(stamp),
    ready: async () => {},
    find(id) {
      const found = values.get(id);
      return found && new Secret(found.value.reveal(), found.origin ? { origin: new URL(found.origin).origin } : {});
    },
    async keep(secrets) {
      for (const { id, ...kept } of secrets) values.set(id, kept);
      stamp++;
    },
    async drop(ids) {
      for (const id of ids) values.delete(id);
    },
    used: (id, forWhat) => void uses.push(`${id} for ${forWhat}`),
  };
}

let directory: string;
let server: ReplayServer;
let vault: FakeVault;
let models: Models;
let acmeUrl: string;
const clock = createFakeClock();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "chela-profiles-"));
  server = await openReplayServer();
  acmeUrl = server.url;
  vault = createFakeVault();
  models = createModels({
    config: () => ({
      models: {
        providers: { acme: { baseUrl: acmeUrl, api: "openai-completions" }, anthropic: { baseUrl: server.url } },
      },
    }),
    env: () => ({}),
    clock,
    log: silentLog,
    vault,
    agentDir: (agentId) => join(directory, agentId),
    tokenEndpoints: { anthropic: `${server.url}/token` },
  });
});
afterEach(async () => {
  models.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const file = () => join(directory, "main", "auth-profiles.json");
const row = (id: string) => JSON.parse(readFileSync(file(), "utf8")).profiles[id];
const write = (profiles: object): void => {
  mkdirSync(join(directory, "main"), { recursive: true });
  writeFileSync(file(), JSON.stringify({ version: 1, profiles }));
};
async function converse(model: Partial<ModelInfo> = {}): Promise<CallEvent[]> {
  const events: CallEvent[] = [];
  const call = {
    agentId: "main",
    sessionId: "s",
    candidates: [{ ...plainRequest({ provider: "acme", id: "m" }).model, ...model }],
    request: (candidate: ModelInfo) => plainRequest(candidate),
    deadlineAt: clock.steady() + 60_000,
    compactions: 0,
  };
  for await (const event of models.converse(call, new AbortController().signal)) events.push(event);
  return events;
}
const bearers = () => server.requests.map(({ headers }) => headers.authorization);

it("a new key goes into the vault, the file refers to it, and calls are sent with it", async () => {
  server.answer(replyFor("openai-completions", "text"));
  await models.profiles.add("main", "acme:one", { type: "api_key", provider: "acme", key: new Secret("canary-key") });
  expect(row("acme:one")).toEqual({ type: "api_key", provider: "acme", key: "vault:profiles/main/acme:one/key" });
  await converse();
  expect(bearers()).toEqual(["Bearer canary-key"]);
  expect(vault.uses).toEqual(["profiles/main/acme:one/key for model acme/m"]);
  expect(readFileSync(file(), "utf8")).not.toContain("canary");
});

it("a key is sent to the address it was added for, and to no other", async () => {
  await models.profiles.add("main", "acme:one", { type: "api_key", provider: "acme", key: new Secret("canary-key") });
  await using elsewhere = await openReplayServer();
  acmeUrl = elsewhere.url;
  const events = await converse();
  expect(events.at(-1)).toMatchObject({
    kind: "failure",
    failure: { message: expect.stringContaining("is only for http://127.0.0.1") },
  });
  expect(elsewhere.requests).toEqual([]);
});

it("a renewed sign-in lands in the vault, and the file only says until when it is good", async () => {
  write({
    "anthropic:me": { type: "oauth", provider: "anthropic", access: "old", refresh: "r-1", expires: 1, note: 1 },
  });
  const body = JSON.stringify({ access_token: "canary-new", refresh_token: "canary-r2", expires_in: 3_600 });
  server.answer({ headers: { "content-type": "application/json" }, body }, replyFor("anthropic-messages", "text"));
  await converse({ provider: "anthropic", id: "claude-x", api: "anthropic-messages" });
  expect(bearers()).toEqual([undefined, "Bearer canary-new"]);
  expect(row("anthropic:me")).toEqual({
    type: "oauth",
    provider: "anthropic",
    access: "vault:profiles/main/anthropic:me/access",
    refresh: "vault:profiles/main/anthropic:me/refresh",
    expires: clock.now() + 3_300_000,
    note: 1,
  });
  expect(vault.find("profiles/main/anthropic:me/refresh")?.reveal()).toBe("canary-r2");
});

it("a value that changes in the vault is used with the next call", async () => {
  server.answer(replyFor("openai-completions", "text"));
  write({ "acme:one": { type: "api_key", provider: "acme", key: "vault:mine" } });
  await vault.keep([{ id: "mine", service: "acme", value: new Secret("first") }]);
  await converse();
  await vault.keep([{ id: "mine", service: "acme", value: new Secret("second") }]);
  await converse();
  expect(bearers()).toEqual(["Bearer first", "Bearer second"]);
});

it("a reference to nothing is an empty profile, and never sent as it is", async () => {
  write({ "acme:one": { type: "api_key", provider: "acme", key: "vault:nothing" } });
  expect(models.profiles.view("main")).toMatchObject([{ id: "acme:one", state: { kind: "empty" } }]);
  await converse();
  expect(bearers()).not.toContain("Bearer vault:nothing");
});

it("removing a profile removes what was kept for it, and nothing of others", async () => {
  await models.profiles.add("main", "acme:one", { type: "api_key", provider: "acme", key: new Secret("canary") });
  await vault.keep([{ id: "shared", service: "acme", value: new Secret("shared") }]);
  await models.profiles.remove("main", "acme:one");
  expect([...vault.values.keys()]).toEqual(["shared"]);
  write({ "acme:two": { type: "api_key", provider: "acme", key: "vault:shared" } });
  await models.profiles.remove("main", "acme:two");
  expect([...vault.values.keys()]).toEqual(["shared"]);
});
