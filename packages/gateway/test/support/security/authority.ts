// Who may do what under a configuration: asked of the very functions the gateway decides with, and as one flat table.
import { networkInterfaces } from "node:os";
import type { ChannelEvent, ModelInfo, Requester } from "@chela/sdk";
import { createFakeChannel, createFakeClock } from "@chela/sdk/testing";
import { decidePolicy } from "../../../src/rooms/approvals/policy.ts";
import { believesAll } from "../../../src/base/files/believed.test-support.ts";
import { createIds } from "../../../src/base/ids.ts";
import { accountSettings } from "../../../src/rooms/channels/accounts.ts";
import { elevatedFor } from "../../../src/flow/commands/elevated.ts";
import { isOwner, may } from "../../../src/rooms/commands/authorise.ts";
import { readConfig } from "../../../src/rooms/config/read/load.ts";
import { commandSettings, execSettings, fileSettings, sandboxSettings } from "../../../src/rooms/config/room.ts";
import { openGate } from "../../../src/flow/gate.ts";
import { AS_OWNER, needOf } from "../../../src/rooms/sandbox/need.ts";
import { resolveAuthMode } from "../../../src/server/auth/auth-mode.ts";
import { resolveBind } from "../../../src/server/auth/bind.ts";
import { listTools } from "../../../src/rooms/tools/policy/catalogue.ts";
import { ALL_TOOLS, BUILT_IN } from "../../../src/rooms/tools/toolbox.test-support.ts";
import { createToolbox } from "../../../src/rooms/tools/toolbox.ts";
import type { Json } from "../wire-client.ts";

/** The more, the more is allowed. */
export type Authority = Readonly<Record<string, number>>;

export const PEOPLE = ["alice", "bob", "mallory", "*", ""];
export const PLACES = [
  { name: "direct", account: "default", chat: { kind: "direct" } },
  { name: "direct, second account", account: "second", chat: { kind: "direct" } },
  { name: "direct, third account", account: "third", chat: { kind: "direct" } },
  { name: "group g1", account: "default", chat: { kind: "group", id: "g1" } },
  { name: "group g9", account: "default", chat: { kind: "group", id: "g9" } },
] as const;
export const AGENTS = ["main", "work"];
export const TOOLS = ALL_TOOLS.map(({ name }) => name);

const MODEL = { provider: "scripted", id: "test", name: "Test", api: "demo", input: ["text"] } as unknown as ModelInfo;
const nothing = (): undefined => undefined;
const log = new Proxy({}, { get: () => nothing }) as never;

/** Undefined when no gateway would take this configuration: it keeps the one it has, or does not start. */
export function readRaw(config: Json): Json | undefined {
  const reading = readConfig(JSON.stringify(config), { configPath: "/nowhere/openclaw.json", env: {}, envFile: {} });
  return reading.kind === "loaded" ? (reading.config as Json) : undefined;
}

export async function authorityUnder(config: Json): Promise<Authority> {
  const current = config as never;
  return {
    ...(await authorityOfPeople(config)),
    ...authorityOfTools(current),
    ...Object.fromEntries(AGENTS.flatMap((agent) => authorityOfCommands(current, agent))),
    ...authorityOfTheDoor(config),
  };
}

async function authorityOfPeople(config: Json): Promise<Authority> {
  const { channel } = createFakeChannel();
  const channels = {
    ids: ["fake"],
    channel: async () => channel,
    connection: nothing,
    status: () => [],
    settings: (name: string, account: string) => accountSettings(config as never, name, account),
  } as never;
  const gate = openGate(
    {
      believed: believesAll,
      clock: createFakeClock(),
      ids: createIds(),
      log,
      config: { current: () => config } as never,
      paths: { stateDir: "/nowhere" } as never,
      ledger: { session: async () => undefined } as never,
      audit: log,
      people: { directory: { of: () => undefined, hasOn: () => false } } as never,
      changes: { note: nothing } as never,
    },
    channels,
  );
  const found: Record<string, number> = {};
  for (const place of PLACES)
    for (const id of PEOPLE) {
      const standing = await judge(gate, place, id);
      const settings = commandSettings(config as never);
      const requester = { kind: "sender", channel: "fake", account: place.account, id, ...standing } as const;
      const asks = { ...requester, canApprove: standing.isOwner };
      const where = `${id || "nobody"} in ${place.name}`;
      found[`${where} speaks`] = standing.speaks;
      found[`${where} commands`] = Number(
        standing.speaks > 0 && may(asks, { who: "authorised" }, settings).kind === "allowed",
      );
      found[`${where} owns`] = Number(standing.isOwner && isOwner(asks, settings));
      found[`${where} approves`] = Number(
        standing.isOwner && may(asks, { who: "approver" }, settings).kind === "allowed",
      );
      found[`${where} configures`] = Number(
        may(asks, { who: "owner", flag: "config" }, settings).kind === "allowed" && standing.isOwner,
      );
      found[`${where} elevates`] = Number(
        elevatedFor({ current: () => config } as never, "main", {
          channel: "fake",
          id,
          isOwner: standing.isOwner,
          standing: standing.standing,
        }).kind === "allowed",
      );
    }
  return found;
}

async function judge(gate: ReturnType<typeof openGate>, { account, chat }: (typeof PLACES)[number], id: string) {
  const nobody = { speaks: 0, isOwner: false, isAuthorised: false, standing: "stranger" as const };
  const event: ChannelEvent = {
    id: "e1",
    at: 0,
    chat: { id, ...chat } as never,
    sender: { id },
    replyTarget: { to: id },
    content: { kind: "message", text: "hello", mentionsUs: true },
  };
  try {
    const verdict = await gate.judge("fake", account, event, { agentId: "main", sessionKey: "agent:main:x" } as never);
    if (verdict.kind !== "allowed") return { ...nobody, speaks: verdict.kind === "heard" ? 1 : 0 };
    const standing = await gate.standingOf("fake", account, event);
    return { speaks: 2, isOwner: verdict.isOwner, isAuthorised: verdict.isAuthorised, standing };
  } catch {
    // An account that is not there any more.
    return nobody;
  }
}

function authorityOfTools(config: never): Authority {
  const toolbox = createToolbox({
    tools: () => ALL_TOOLS,
    lists: listTools(BUILT_IN),
    config: () => config,
    clock: createFakeClock(),
    log,
  });
  const found: Record<string, number> = {};
  for (const agentId of AGENTS)
    for (const [who, subject] of Object.entries(SUBJECTS)) {
      const offered = toolbox.for({
        agentId,
        sessionKey: `agent:${agentId}:x`,
        model: MODEL,
        sandboxed: false,
        ...subject,
      });
      const names = new Set(offered.described.map(({ name }) => name));
      for (const name of TOOLS) found[`${who} of ${agentId} uses ${name}`] = Number(names.has(name));
    }
  return found;
}

const person = (id: string, owns: boolean): Requester => ({
  channel: "fake",
  account: "default",
  id,
  isOwner: owns,
  standing: owns ? "owner" : "approved",
});
export const SUBJECTS = {
  "an owner": { requester: person("alice", true) },
  somebody: { requester: person("bob", false) },
  "a sub-agent": { requester: person("alice", true), subagentDepth: 1 },
  "a sandboxed one": { requester: person("bob", false), sandboxed: true },
} as const;

function authorityOfCommands(config: never, agentId: string): Array<[string, number]> {
  const { security, ask } = decidePolicy([execSettings(config, agentId).rules], {});
  const settings = sandboxSettings(config, agentId, { stateDir: "/s", home: "/h" } as never);
  const sessions = { main: `agent:${agentId}:main`, other: `agent:${agentId}:fake:group:g1` };
  const files = fileSettings(config, agentId);
  return [
    [`${agentId} exec security`, ["deny", "allowlist", "full"].indexOf(security)],
    [`${agentId} exec without a question`, Number(security === "full" && ask !== "always")],
    ...Object.entries(sessions).map(([name, key]): [string, number] => [
      `${agentId} runs ${name} outside of a sandbox`,
      Number(needOf(settings, { sessionKey: key, requester: AS_OWNER, mainKey: "main" }, true).kind === "none"),
    ]),
    [`${agentId} leaves the workspace`, Number(!files.workspaceOnly)],
  ];
}

function authorityOfTheDoor({ gateway = {} }: Json): Authority {
  const auth = resolveAuthMode(gateway as never, {});
  const { allowUsers } = auth.trustedProxy ?? {};
  const isOpenProxy =
    auth.mode === "trusted-proxy" && auth.trustedProxy?.userHeader !== undefined && allowUsers === undefined;
  let isExposed = false;
  try {
    isExposed = !resolveBind(gateway as never, networkInterfaces() as never).isLoopbackOnly;
  } catch {
    // It would not listen at all.
  }
  const page = ((gateway as Json)["controlUi"] ?? {}) as Json;
  return {
    "the door without a credential": Number(auth.mode === "none"),
    "the door by a proxy's word for anybody": Number(isOpenProxy),
    "the door by Tailscale's word": Number(auth.allowTailscale),
    "the door from other machines": Number(isExposed),
    "the page without a device": Number(page["dangerouslyDisableDeviceAuth"] === true),
    "the page over plain HTTP": Number(page["allowInsecureAuth"] === true),
  };
}
