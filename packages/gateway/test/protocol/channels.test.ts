// What operators see and do of channels, over the wire.
import { describe, expect, it } from "vitest";
import type { ChannelConnection } from "@chela/sdk";
import { eventually, startTestGateway, type TestGatewayOptions } from "../support/in-process.ts";
import { createOperatorChannel } from "../support/operator-channel.ts";
import type { Json } from "../support/wire-client.ts";

interface StageOptions extends TestGatewayOptions {
  readonly connection?: Partial<ChannelConnection>;
  readonly account?: string;
}

async function openStage(settings: Json = {}, { connection, account = "default", ...more }: StageOptions = {}) {
  const operated = createOperatorChannel(connection);
  const gateway = await startTestGateway({
    ...more,
    channels: { fake: operated.channel },
    config: { channels: { fake: { token: "t", dmPolicy: "pairing", ...settings } }, ...more.config },
  });
  const client = await gateway.connect();
  const accountRow = async (name = account): Promise<Json> => {
    const { channelAccounts } = await client.call("channels.status");
    return channelAccounts.fake?.find((one: Json) => one["accountId"] === name) ?? {};
  };
  const untilRow = (what: string, fits: (row: Json) => unknown) =>
    eventually(what, async () => {
      const row = await accountRow();
      return fits(row) ? row : undefined;
    });
  await untilRow("it is connected", ({ connected }) => connected);
  return {
    ...operated,
    gateway,
    client,
    accountRow,
    untilRow,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

describe("channels.status", () => {
  it("says that there is nothing when no channel is configured", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    expect(await client.call("channels.status", { probe: true })).toEqual({
      ts: expect.any(Number),
      channelOrder: [],
      channelLabels: {},
      channelDetailLabels: {},
      channelSystemImages: {},
      channelMeta: [],
      channels: {},
      channelAccounts: {},
      channelDefaultAccountId: {},
    });
    expect(await client.call("status")).toMatchObject({ channelSummary: [], deliveries: { undeliverable: 0 } });
  });

  it("shows every flag of every account, also of those that cannot run", async () => {
    const accounts = {
      home: { token: "t", allowFrom: ["1", "@nobody"], name: "House" },
      off: { token: "t", enabled: false },
      broken: {},
    };
    await using stage = await openStage({ token: undefined, accounts, defaultAccount: "home" }, { account: "home" });
    const { ts, ...status } = await stage.client.call("channels.status");
    expect(ts).toEqual(expect.any(Number));
    expect(status).toMatchObject({
      channelOrder: ["fake"],
      channelLabels: { fake: "Fake" },
      channelDetailLabels: { fake: "Fake" },
      channelMeta: [{ id: "fake", label: "Fake", detailLabel: "Fake" }],
      channels: { fake: { accountId: "home", configured: true, connected: true, accounts: { broken: {}, off: {} } } },
      channelDefaultAccountId: { fake: "home" },
    });
    const none = { pending: 0, undeliverable: 0 };
    const [home, off, broken] = status.channelAccounts.fake;
    expect(home).toEqual({
      accountId: "home",
      name: "House",
      enabled: true,
      configured: true,
      linked: true,
      running: true,
      connected: true,
      reconnectAttempts: 0,
      lastStartAt: expect.any(Number),
      lastConnectedAt: expect.any(Number),
      self: { id: "bot-home" },
      mode: "socket",
      tokenSource: "config",
      dmPolicy: "pairing",
      groupPolicy: expect.any(String),
      allowFrom: ["1", "@nobody"],
      unresolved: [expect.stringContaining("nobody")],
      deliveries: none,
    });
    expect(off).toMatchObject({ enabled: false, running: false, connected: false, deliveries: none });
    const failed = { enabled: true, configured: false, running: false, connected: false };
    expect(broken).toMatchObject({ ...failed, lastError: "token is missing" });
    expect((await stage.client.call("status")).channelSummary).toEqual([
      "Fake (home): connected",
      "Fake (off): switched off",
      "Fake (broken): not set up: token is missing",
    ]);
  });

  it.each([
    ["an answer", { probe: async () => ({ bot: "fake" }) }, { ok: true, bot: "fake" }],
    ["a failure", { probe: async () => Promise.reject(new Error("no such bot")) }, { ok: false, error: "no such bot" }],
    ["no answer", { probe: () => new Promise<never>(() => {}) }, { ok: false, error: "no answer within 5 ms" }],
  ])("asks the platform when told to, and shows %s, then and later", async (_what, connection, probe) => {
    await using stage = await openStage({}, { connection });
    expect(await stage.accountRow()).not.toHaveProperty("probe");
    const { channelAccounts } = await stage.client.call("channels.status", { probe: true, timeoutMs: 5 });
    expect(channelAccounts.fake[0]).toMatchObject({ probe, lastProbeAt: expect.any(Number) });
    const [{ lastProbeAt }] = channelAccounts.fake;
    expect(await stage.accountRow()).toMatchObject({ probe, lastProbeAt });
  });

  it("is known to health: what the platform said last, and what it says now when told to ask", async () => {
    let asked = 0;
    await using stage = await openStage({}, { connection: { probe: async () => ({ asked: ++asked }) } });
    const fakeIn = async (params?: Json) => (await stage.client.call("health", params)).channels.fake;
    await stage.client.call("channels.status", { probe: true });
    const probed = { probe: { ok: true, asked: 2 }, lastProbeAt: expect.any(Number) };
    const shown = { mode: "socket", tokenSource: "config", connected: true, ...probed };
    expect(await fakeIn({ probe: true })).toMatchObject({ ...shown, accounts: { default: shown } });
    expect(await fakeIn()).toMatchObject(shown);
    expect((await stage.accountRow())["probe"]).toEqual(probed.probe);
    expect(asked).toBe(2);
  });

  it("lets nobody who may not read learn of it, nor have the platform asked", async () => {
    let asked = 0;
    await using stage = await openStage({}, { connection: { probe: async () => ({ asked: ++asked }) } });
    await stage.client.call("health", { probe: true });
    const stranger = await stage.gateway.connect({ scopes: [] });
    const health = await stranger.call("health", { probe: true });
    expect(health).toMatchObject({ ok: true, channels: {}, channelOrder: [] });
    expect(JSON.stringify(stranger.frames)).not.toMatch(/lastProbeAt|tokenSource/);
    expect(asked).toBe(1);
  });

  it("tells why a connection ended, and counts what waits and what was given up", async () => {
    await using stage = await openStage({ dmPolicy: "allowlist", allowFrom: ["alice"] });
    stage.fake.failNext({ kind: "failed", reason: "unreachable", why: "the bot was blocked" });
    await stage.fake.say("hello");
    await stage.untilRow("one is given up", ({ deliveries }) => (deliveries as Json)["undeliverable"] === 1);
    stage.fake.cut({ why: "the platform went away", isFinal: true });
    const row = await stage.untilRow("it is stopped", ({ running }) => !running);
    expect(row).toMatchObject({
      linked: false,
      lastError: "the platform went away",
      lastDisconnect: { at: expect.any(Number), error: "the platform went away" },
      lastInboundAt: expect.any(Number),
      reconnectAttempts: 1,
    });
    expect(await stage.client.call("status")).toMatchObject({
      channelSummary: ["Fake: not linked: the platform went away"],
      deliveries: { undeliverable: 1 },
    });
  });
});

describe("deliveries", () => {
  it("are listed, and those that were given up can be sent again", async () => {
    await using stage = await openStage({ dmPolicy: "allowlist", allowFrom: ["alice"] });
    stage.fake.failNext({ kind: "failed", reason: "unreachable", why: "the bot was blocked" });
    await stage.fake.say("hello");
    const [lost] = await eventually("it is given up", async () => {
      const { deliveries } = await stage.client.call("deliveries.list", { state: "undeliverable", channel: "fake" });
      return deliveries.length > 0 ? deliveries : undefined;
    });
    expect(lost).toMatchObject({
      channel: "fake",
      accountId: "default",
      to: "alice",
      error: "the bot was blocked",
      preview: expect.stringMatching(/./),
    });
    expect(await stage.client.call("deliveries.resend", { id: lost.id })).toEqual({
      id: lost.id,
      channel: "fake",
      accountId: "default",
      to: "alice",
    });
    await stage.fake.until(1);
    const done = await eventually("it is delivered", async () => {
      const { deliveries } = await stage.client.call("deliveries.list", { state: "delivered", channel: "fake" });
      return deliveries.find(({ id }: Json) => id === lost.id);
    });
    expect(done).toMatchObject({ messageId: "out-2" });
    const again = await stage.client.request("deliveries.resend", { id: lost.id });
    expect(again.error?.message).toContain("is delivered; it need not be sent again");
    const unknown = await stage.client.request("deliveries.resend", { id: "x" });
    expect(unknown.error?.message).toContain('There is no delivery "x"');
  });
});

describe("a login", () => {
  const offline = async (stage: Awaited<ReturnType<typeof openStage>>): Promise<void> => {
    stage.fake.cut({ why: "not linked", isFinal: true });
    await stage.untilRow("it is stopped", ({ running }) => !running);
  };

  it("shows the picture, the next picture, and connects when it was scanned", async () => {
    await using stage = await openStage();
    await offline(stage);
    const { client, logins } = stage;
    const started = await client.call("web.login.start");
    expect(started).toMatchObject({ message: expect.stringContaining("Scan"), step: { kind: "qr", text: "qr-1" } });
    const [, encoded = ""] = /^data:image\/svg\+xml;base64,(.+)$/.exec(started.qrDataUrl) ?? [];
    expect(Buffer.from(encoded, "base64").toString()).toMatch(/^<svg /);
    expect((await client.call("web.login.start")).step).toEqual(started.step);
    expect(logins).toHaveLength(1);

    const next = client.call("web.login.wait", { seen: "qr-1" });
    logins[0]!.show({ kind: "code", code: "1234-5678", hint: "On the telephone." });
    expect(await next).toMatchObject({
      connected: false,
      state: "waiting",
      message: "Type this code: 1234-5678. On the telephone.",
    });
    const end = client.call("web.login.wait");
    logins[0]!.succeed();
    expect(await end).toEqual({ connected: true, state: "linked", message: "Fake is linked." });
    await stage.untilRow("it is connected again", ({ connected }) => connected);
  });

  it("that fails says why, and can be begun again", async () => {
    await using stage = await openStage();
    await offline(stage);
    await stage.client.call("web.login.start", { channel: "fake" });
    stage.logins[0]!.fail(new Error("the telephone said no"));
    expect(await stage.client.call("web.login.wait", { channel: "fake" })).toMatchObject({
      connected: false,
      state: "ended",
      message: expect.stringContaining("the telephone said no"),
    });
    expect(await stage.client.call("web.login.start")).toMatchObject({ step: { text: "qr-2" } });
    expect(await stage.client.call("web.login.start", { force: true })).toMatchObject({ step: { text: "qr-3" } });
    expect(stage.logins[1]!.signal.aborted).toBe(true);
    expect(await stage.client.call("web.login.wait", { timeoutMs: 1 })).toMatchObject({ state: "waiting" });
  });

  it("of an account that is linked changes nothing, unless it is forced", async () => {
    await using stage = await openStage();
    expect(await stage.client.call("web.login.start")).toEqual({ state: "linked", message: "Fake is linked." });
    expect(stage.logins).toEqual([]);
    expect(await stage.client.call("web.login.start", { force: true })).toMatchObject({ step: { kind: "qr" } });
    expect(stage.loggedOut).toEqual(["default"]);
  });

  it("needs a channel that is linked in this way, and an account that exists", async () => {
    await using bare = await startTestGateway();
    const response = await (await bare.connect()).request("web.login.start");
    expect(response.error).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/^web login provider is not available/),
    });
    await using stage = await openStage();
    const unknown = await stage.client.request("web.login.start", { accountId: "work" });
    expect(unknown.error?.message).toContain('fake has no account "work" (it has: default)');
    const nobody = await stage.client.call("web.login.wait");
    expect(nobody).toMatchObject({ connected: false, state: "ended", message: "Nobody is linking this account now." });
  });
});

describe("a logout", () => {
  it("ends the link", async () => {
    await using stage = await openStage();
    expect(await stage.client.call("channels.logout", { channel: "fake" })).toEqual({
      channel: "fake",
      accountId: "default",
      cleared: true,
      loggedOut: true,
      message: "Fake (default) is logged out.",
    });
    expect(stage.loggedOut).toEqual(["default"]);
    await stage.untilRow("it is not linked", ({ linked }) => linked === false);
    const again = await stage.client.request("channels.logout", { channel: "fake" });
    expect(again.error?.message).toContain("can only be logged out while it is connected");
    const unknown = await stage.client.request("channels.logout", { channel: "pigeon" });
    expect(unknown.error?.message).toContain('"pigeon" is not configured (configured: fake)');
  });
});

describe("what a channel can do and knows", () => {
  it("is told from its connection", async () => {
    await using stage = await openStage();
    const { channels } = await stage.client.call("channels.capabilities", { channel: "fake" });
    expect(channels).toEqual([
      {
        id: "fake",
        label: "Fake",
        configured: true,
        chats: ["direct", "group", "channel", "thread"],
        textLimit: 1000,
        dedupe: "none",
        isLinkedByPerson: true,
        accounts: [
          {
            accountId: "default",
            connected: true,
            abilities: expect.arrayContaining(["send", "edit", "react", "directory", "logout"]),
          },
        ],
      },
    ]);
    expect(channels[0].accounts[0].abilities).not.toContain("history");
    const all = (await stage.client.call("channels.capabilities")).channels;
    expect(all[0]).toEqual(channels[0]);
    expect(all).toContainEqual({ id: "telegram", label: "Telegram", configured: false });
  });

  it("is told as far as it is known of a channel whose code is not there", async () => {
    await using stage = await openStage({}, { config: { channels: { fake: { token: "t" }, pigeon: { loft: "x" } } } });
    const { channels } = await stage.client.call("channels.capabilities");
    const pigeon = {
      id: "pigeon",
      label: "pigeon",
      configured: true,
      problem: expect.stringContaining("pigeon"),
      accounts: [{ accountId: "default", connected: false, abilities: [] }],
    };
    expect(channels).toContainEqual(pigeon);
    expect(channels).toContainEqual(expect.objectContaining({ id: "fake", chats: expect.anything() }));
    expect((await stage.client.call("channels.capabilities", { channel: "pigeon" })).channels).toEqual([pigeon]);
    expect((await stage.client.request("channels.capabilities", { channel: "no-such" })).ok).toBe(false);
  });

  it("resolves names, leaves ids, and says what it cannot find", async () => {
    await using stage = await openStage();
    const entries = ["7", "@known-8", "@stranger", " "];
    const { results } = await stage.client.call("channels.resolve", { channel: "fake", entries });
    expect(results).toEqual([
      { input: "7", resolved: true, id: "7" },
      { input: "@known-8", resolved: true, id: "8", kind: "user" },
      { input: "@stranger", resolved: false, note: expect.stringContaining("Nobody has this name") },
      { input: " ", resolved: false, note: "it is empty" },
    ]);
    stage.fake.cut({ why: "gone", isFinal: true });
    await stage.untilRow("it is stopped", ({ running }) => !running);
    const later = await stage.client.call("channels.resolve", { channel: "fake", entries: ["7", "@known-8"] });
    expect(later.results).toMatchObject([
      { id: "7" },
      { resolved: false, note: expect.stringContaining("not connected") },
    ]);
  });

  it("lists people, groups and members, and itself", async () => {
    await using stage = await openStage();
    const { client } = stage;
    const here = { channel: "fake", accountId: "default" };
    expect(await client.call("directory.self")).toEqual({
      ...here,
      self: { kind: "user", id: "bot-default", name: "Bot" },
    });
    expect((await client.call("directory.users", { query: "ali" })).entries).toEqual([
      { kind: "user", id: "1", name: "Alice" },
    ]);
    expect((await client.call("directory.users", { limit: 1 })).entries).toHaveLength(1);
    expect((await client.call("directory.groups")).entries).toEqual([{ kind: "group", id: "g1", name: "Garden" }]);
    expect(await client.call("directory.members", { channel: "fake", groupId: "g1" })).toEqual({
      ...here,
      entries: [{ kind: "user", id: "member-of-g1" }],
    });
  });

  it("says so when it cannot list them", async () => {
    const directory = { self: async () => ({ kind: "user" as const, id: "bot" }) };
    await using stage = await openStage({}, { connection: { directory } });
    const response = await stage.client.request("directory.groups");
    expect(response.error?.message).toBe("This channel cannot do that: fake cannot list groups");
  });
});

describe("routing.explain", () => {
  it("gives the route and the reasons", async () => {
    const config = {
      agents: { list: [{ id: "main" }, { id: "garden" }] },
      bindings: [{ agentId: "garden", match: { channel: "fake", peer: { kind: "group", id: "g1" } } }],
    };
    await using stage = await openStage({}, { config: { ...config, channels: { fake: { token: "t" } } } });
    const peer = { kind: "group", id: "g1" };
    const { route, text } = await stage.client.call("routing.explain", { channel: "fake", peer, senderId: "alice" });
    expect(route).toMatchObject({ agentId: "garden", binding: 0, accountId: "default" });
    expect(route.sessionKey).toBe("agent:garden:fake:group:g1");
    expect(text).toContain("Agent:   garden");
    const other = await stage.client.call("routing.explain", { channel: "fake", peer: { kind: "direct", id: "bob" } });
    expect(other.route).toMatchObject({ agentId: "main", matchedBy: "default" });
    const unknown = await stage.client.request("routing.explain", { channel: "pigeon", peer });
    expect(unknown.error?.message).toContain("There is no such channel");
  });
});

describe("pairing", () => {
  const ask = async (stage: Awaited<ReturnType<typeof openStage>>, from: string): Promise<string> => {
    await stage.fake.say("hello", { from, name: "Somebody" });
    const { requests } = await stage.client.call("pairing.list", { channel: "fake" });
    return requests.find(({ id }: Json) => id === from).code;
  };

  it("lets the first person in as the owner, the next one as a guest, and tells them when asked to", async () => {
    await using stage = await openStage();
    const code = await ask(stage, "alice");
    expect((await stage.client.call("pairing.list")).requests).toEqual([
      {
        channel: "fake",
        accountId: "default",
        id: "alice",
        code,
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        meta: expect.objectContaining({ name: "Somebody" }),
      },
    ]);
    const approved = { channel: "fake", accountId: "default", id: "alice", isOwner: true, notified: true };
    const typed = code.toLowerCase();
    expect(await stage.client.call("pairing.approve", { channel: "fake", code: typed, notify: true })).toEqual(
      approved,
    );
    const [, welcome] = await stage.fake.until(2);
    expect(welcome).toMatchObject({ target: { to: "alice" }, text: expect.stringContaining("let in") });
    expect(await stage.fake.say("hello again")).toEqual({ kind: "accepted" });
    const next = await ask(stage, "bob");
    expect(await stage.client.call("pairing.approve", { channel: "fake", code: next })).toMatchObject({
      id: "bob",
      isOwner: false,
      notified: false,
    });
  });

  it("makes nobody an owner when one is configured", async () => {
    await using stage = await openStage({}, { config: { commands: { ownerAllowFrom: ["me"] } } });
    const code = await ask(stage, "alice");
    expect(await stage.client.call("pairing.approve", { channel: "fake", code })).toMatchObject({ isOwner: false });
  });

  it("forgets a request that is rejected, and knows no such code then", async () => {
    await using stage = await openStage();
    const code = await ask(stage, "alice");
    const here = { channel: "fake", code };
    expect(await stage.client.call("pairing.reject", here)).toEqual({
      channel: "fake",
      accountId: "default",
      id: "alice",
    });
    expect((await stage.client.call("pairing.list")).requests).toEqual([]);
    for (const method of ["pairing.approve", "pairing.reject"]) {
      const { error } = await stage.client.request(method, here);
      expect(error).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining(code) });
    }
  });
});

describe("scopes", () => {
  it.each([
    ["channels.logout", { channel: "fake" }, "operator.admin"],
    ["web.login.start", {}, "operator.admin"],
    ["web.login.wait", {}, "operator.admin"],
    ["pairing.list", {}, "operator.pairing"],
    ["pairing.approve", { channel: "fake", code: "A" }, "operator.pairing"],
    ["pairing.reject", { channel: "fake", code: "A" }, "operator.pairing"],
    ["deliveries.resend", { id: "x" }, "operator.write"],
  ])("%s is not for everybody who may read", async (method, params, scope) => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect({ scopes: ["operator.read"] });
    expect((await client.request(method, params)).error?.message).toBe(`missing scope: ${scope}`);
  });
});

describe("setting up a channel", () => {
  it("tells what a form has to ask for", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const { channels } = await client.call("channels.setup");
    const telegram = channels.find(({ id }: Json) => id === "telegram");
    expect(telegram).toMatchObject({
      label: "Telegram",
      installed: true,
      steps: [expect.stringMatching(/BotFather/), expect.stringMatching(/token/)],
    });
    expect(telegram.fields).toEqual([
      expect.objectContaining({ name: "botToken", label: "Bot token", secret: true, required: true, list: false }),
    ]);
  });

  it("says what is missing, and writes nothing", async () => {
    await using stage = await openStage();
    const check = (params: Json) => stage.client.call("channels.check", params);
    const before = await stage.client.call("config.get");
    expect(await check({ channel: "telegram", settings: {} })).toEqual({
      ready: false,
      why: expect.stringContaining("There is no bot token"),
      isLinkedByPerson: false,
    });
    expect(await check({ channel: "telegram", settings: { botToken: "1:a" } })).toMatchObject({ ready: true });
    // What the account has already need not be filled in again.
    expect(await check({ channel: "fake", accountId: "default", settings: {} })).toMatchObject({ ready: true });
    expect((await stage.client.call("config.get")).hash).toBe(before.hash);
  });

  it("does not know a channel that does not exist", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    await expect(client.call("channels.check", { channel: "pigeon", settings: {} })).rejects.toThrow(/pigeon/);
  });
});
