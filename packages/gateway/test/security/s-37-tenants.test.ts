// S-37: what one channel, account, agent, conversation or node uses up is counted as its own, and takes nothing from others.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { textOf, type Logger, type SandboxBackend } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { createIds } from "../../src/base/ids.ts";
import { Sandboxes, type SandboxesHouse, type SandboxesParts } from "../../src/rooms/sandbox/room.ts";
import { castOf, CHANNEL_IDS, type World } from "../support/models/chat-cast.ts";
import { directWith, eventOf, roomsOf, type Place, type Somebody } from "../support/models/chat-model.ts";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { openEveryChannel, type EveryChannelStage } from "../support/stages/every-channel-stage.ts";
import { eventually, startTestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import { connectNode } from "../support/test-node.ts";

let cases = 0;
afterAll(() => countCases("S-37", cases));

const person = (id: string): Somebody => ({ what: id, is: "somebody", sender: { id } });
const words = (text: string) => ({ kind: "message", text, mentionsUs: true }) as const;

describe("S-37: people who ask to be let in", () => {
  const PAIRING: Omit<World, "name"> = { direct: "pairing", listed: "nobody", group: "disabled" };
  /** Named so that they look like another channel's own, together with the channel before them. */
  const WORLDS: readonly World[] = ["default", "cloud", "second"].map((name) => ({ name, ...PAIRING }));

  async function askToBeLetIn(stage: EveryChannelStage, channel: string, account: string, ids: readonly string[]) {
    for (const id of ids) {
      cases += 1;
      const who = person(id);
      expect((await stage.receive(channel, account, eventOf(who, directWith(who), words("hello")))).kind).toBe(
        "settled",
      );
    }
  }
  const crowdOf = (channel: string): string[] => {
    const { stranger } = castOf(channel);
    return Array.from({ length: 6 }, (_one, at) => stranger.replace(/.(?=[^0-9a-z]*$)/i, String(at + 3)));
  };

  test("are counted for each channel and account: no crowd anywhere keeps others from asking elsewhere", async () => {
    await using stage = await openEveryChannel({ worlds: WORLDS });
    for (const channel of CHANNEL_IDS) await askToBeLetIn(stage, channel, "default", crowdOf(channel));
    for (const channel of CHANNEL_IDS) await askToBeLetIn(stage, channel, "second", [castOf(channel).stranger]);
    const { requests } = await stage.client.call("pairing.list");
    const counts = new Map<string, number>();
    for (const { channel, accountId } of requests as { channel: string; accountId: string }[]) {
      const key = `${channel} ${accountId}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const expected = CHANNEL_IDS.flatMap((channel) => [
      [`${channel} default`, crowdOf(channel).length] as const,
      [`${channel} second`, 1] as const,
    ]);
    expect([...counts].toSorted()).toEqual(expected.toSorted());
  });

  test("are let in on the account that approved them, and on no other account of any channel", async () => {
    await using stage = await openEveryChannel({ worlds: WORLDS });
    const places = CHANNEL_IDS.flatMap((channel) => WORLDS.map(({ name }) => ({ channel, account: name })));
    const approved = { channel: "whatsapp", account: "cloud" };
    const { stranger } = castOf("whatsapp");
    await askToBeLetIn(stage, approved.channel, approved.account, [stranger]);
    const sent = await eventually("the code", () => stage.sent[0]);
    const code = /Pairing code: (\S+)/.exec(sent.text)?.[1];
    await stage.client.call("pairing.approve", { channel: approved.channel, accountId: approved.account, code });
    const letIn: unknown[] = [];
    for (const { channel, account } of places) {
      cases += 1;
      const who = person(stranger);
      const received = await stage.receive(channel, account, eventOf(who, directWith(who), words("hello")));
      if (received.kind === "accepted") letIn.push({ channel, account });
    }
    expect(letIn).toEqual([approved]);
  });
});

describe("S-37: a group that is full of talk", () => {
  test("takes no word out of what was heard in another", async () => {
    const OPEN: World = { name: "open", direct: "disabled", listed: "nobody", group: "open" };
    await using stage = await openEveryChannel({ worlds: [OPEN] });
    const { stranger } = castOf("telegram");
    const who = person(stranger);
    const [room] = roomsOf(castOf("telegram")) as [Place];
    const quiet: Place = { what: "quiet", is: "elsewhere", chat: { kind: "group", id: "-100777" } };
    const overheard = (text: string) => ({ kind: "message", text, mentionsUs: false }) as const;
    await stage.receive("telegram", "open", eventOf(who, quiet, overheard("a word in the quiet group")));
    for (let count = 0; count < 300; count += 1) {
      cases += 1;
      await stage.receive("telegram", "open", eventOf(who, room, overheard(`flood ${count} ${"x".repeat(400)}`)));
    }
    await stage.receive("telegram", "open", eventOf(who, quiet, words("what was said?")));
    const request = await eventually("a turn", () => stage.model.requests[0]);
    const told = textOf(request.messages.at(-1) ?? { content: "" });
    expect(told).toContain("a word in the quiet group");
    expect(told).not.toContain("flood");
  });
});

describe("S-37: a conversation that is full of messages", () => {
  test("waits for itself: somebody else has the next turn", async () => {
    await using stage = await openChannelStage({
      settings: { dmPolicy: "open", allowFrom: ["*"] },
      config: {
        session: { dmScope: "per-channel-peer" },
        agents: { defaults: { model: "scripted/test", maxConcurrent: 1 } },
      },
    });
    const gate = stage.gateway.gate();
    stage.model.script(gate.step("", "first"));
    await stage.fake.say("flood 0", { from: "mallory" });
    await gate.reached;
    for (let count = 1; count <= 20; count += 1) {
      cases += 1;
      await stage.fake.say(`flood ${count}`, { from: "mallory" });
    }
    await stage.fake.say("one word", { from: "bob" });
    gate.open();
    const sent = await stage.fake.until(3);
    expect(sent.slice(0, 3).findIndex(({ target }) => target.to === "bob")).toBeGreaterThan(0);
    const asked = stage.model.requests.map(({ messages }) => textOf(messages.at(-1) ?? { content: "" }));
    expect(asked.slice(0, 3).some((text) => text.includes("one word"))).toBe(true);
  });
});

describe("S-37: a node that talks without end", () => {
  test("has to wait, and no other node has", async () => {
    const clock = createFakeClock(Date.UTC(2026, 5, 1));
    await using gateway = await startTestGateway({ clock });
    const loud = await connectNode(gateway, { name: "Loud" });
    const other = await connectNode(gateway, { name: "Other" });
    const talk = (node: typeof loud) => node.client.request("node.event", { event: "chat.subscribe", payload: {} });
    const answers: boolean[] = [];
    for (let count = 0; count < 40; count += 1) {
      cases += 1;
      answers.push((await talk(loud)).ok);
    }
    expect(answers.filter(Boolean)).toHaveLength(30);
    expect((await talk(other)).ok).toBe(true);
  });
});

describe("S-37: sandboxes", () => {
  const HOUR_MS = 3_600_000;
  const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, log() {}, child: () => silent } as Logger;

  test("of an agent are taken down by its own rules, and never by those of another", async () => {
    const root = mkdtempSync(join(tmpdir(), "chela-test-"));
    const clock = createFakeClock();
    const standing = new Map<string, number>();
    const backend: SandboxBackend = {
      id: "docker",
      check: async () => ({ kind: "ready", version: "1", notes: [] }),
      async open(profile) {
        standing.set(profile.scope, clock.now());
        return {
          backend: "docker",
          profile,
          start: () => Promise.reject(new Error("not here")),
          close: async () => {},
        };
      },
      list: async () =>
        [...standing].map(([scope, at]) => ({
          backend: "docker",
          name: scope,
          scope,
          isRunning: true,
          createdAt: at,
          lastUsedAt: at,
          isOutdated: false,
        })),
      remove: async (name) => void standing.delete(name),
      close: async () => {},
    };
    const idleHours: Readonly<Record<string, number>> = { hasty: 1, patient: 100 };
    const house: SandboxesHouse = {
      clock,
      ids: createIds(),
      log: silent,
      ledger: createMemoryLedger(),
      keys: () => ({ defaultAgentId: "hasty", mainKey: "main", scope: "per-sender" }),
      workspaceOf: (agentId) => join(root, agentId),
    };
    const parts: SandboxesParts = {
      settings: (agentId) => ({
        mode: "all",
        backend: "docker",
        scope: agentId === "hasty" ? "session" : "agent",
        workspaceAccess: "none",
        root: join(root, "sandboxes"),
        allowHosts: [],
        limits: {},
        docker: {},
        prune: { idleHours: idleHours[agentId] ?? 24, maxAgeDays: 0 },
      }),
      agentIds: () => ["hasty", "patient"],
      notes: () => [],
      closedFolders: () => [],
      isInstalled: () => true,
      load: async () => backend,
      noted: () => {},
    };
    const sandboxes = new Sandboxes(house, parts);
    try {
      for (const agentId of ["hasty", "patient"]) {
        const view = await sandboxes.enter({
          agentId,
          sessionKey: `agent:${agentId}:telegram:group:7`,
          requester: { standing: "stranger", isOwner: false },
        });
        await view?.open();
      }
      expect(standing.size).toBe(2);
      for (let hour = 0; hour < 4; hour += 1) await clock.advance(HOUR_MS);
      await eventually("the idle one is gone", () => standing.size < 2 || undefined);
      cases += 1;
      expect([...standing.keys()]).toEqual(["agent:patient"]);
    } finally {
      await sandboxes.close();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
