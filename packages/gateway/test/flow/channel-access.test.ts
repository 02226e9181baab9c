// Who is let in by a channel, who is told a code, who may give commands: through the front door, for every kind of event.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Channel, ChannelContent, ChannelEvent } from "@chela/sdk";
import { say, type FakeChannel, type SaidOptions } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import type { Json } from "../support/wire-client.ts";

type Fate = "answered" | "heard" | "code" | "nothing";

/** What became of a message; waits for whatever is sent because of it. */
async function fateOf({ fake, model }: ChannelStage, text: string, said: SaidOptions): Promise<Fate> {
  const [sent, asked] = [fake.sent.length, model.requests.length];
  const received = await fake.say(text, said);
  if (received.kind === "accepted") {
    await fake.until(sent + 1);
    return model.requests.length > asked ? "answered" : "nothing";
  }
  if (received.why === "kept for the next turn") return "heard";
  if (received.why !== "the sender has to be approved first") return "nothing";
  await fake.until(sent + 1);
  return /Pairing code: [A-Z0-9]{8}/.test(fake.sent.at(-1)?.text ?? "") ? "code" : "nothing";
}

function approve({ gateway }: ChannelStage, account: string, id: string): void {
  const directory = join(gateway.stateDir, "credentials");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `fake-${account}-allowFrom.json`), JSON.stringify({ version: 1, allowFrom: [id] }));
}

describe("a direct message", () => {
  const ACCOUNTS: Readonly<Record<string, Json>> = {
    unset: { allowFrom: ["alice"] },
    pairing: { dmPolicy: "pairing", allowFrom: ["alice"] },
    "pairing-star": { dmPolicy: "pairing", allowFrom: ["*"] },
    allowlist: { dmPolicy: "allowlist", allowFrom: ["alice"] },
    "allowlist-empty": { dmPolicy: "allowlist", allowFrom: [] },
    "allowlist-star": { dmPolicy: "allowlist", allowFrom: ["*"] },
    open: { dmPolicy: "open", allowFrom: ["alice"] },
    "open-star": { dmPolicy: "open", allowFrom: ["*"] },
    disabled: { dmPolicy: "disabled", allowFrom: ["alice", "*"] },
  };
  const TABLE: ReadonlyArray<readonly [account: string, listed: Fate, paired: Fate, stranger: Fate]> = [
    ["unset", "answered", "answered", "code"],
    ["pairing", "answered", "answered", "code"],
    ["pairing-star", "answered", "answered", "answered"],
    ["allowlist", "answered", "nothing", "nothing"],
    ["allowlist-empty", "nothing", "nothing", "nothing"],
    ["allowlist-star", "answered", "answered", "answered"],
    ["open", "answered", "nothing", "nothing"],
    ["open-star", "answered", "answered", "answered"],
    ["disabled", "nothing", "nothing", "nothing"],
  ];
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await openChannelStage({
      settings: { dmPolicy: undefined, accounts: ACCOUNTS },
      config: { session: { dmScope: "per-account-channel-peer" } },
    });
    for (const account of Object.keys(ACCOUNTS)) approve(stage, account, "paula");
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(TABLE)("with policy %s: listed %s, approved %s, stranger %s", async (account, listed, paired, stranger) => {
    const fates = [];
    for (const from of ["alice", "paula", "stranger"]) fates.push(await fateOf(stage, "hello", { account, from }));
    expect(fates).toEqual([listed, paired, stranger]);
  });

  it("of a bot, of ourselves or of nobody is passed over, although everybody may write", async () => {
    const account = "open-star";
    expect(await fateOf(stage, "hello", { account, from: "robot", isBot: true })).toBe("nothing");
    expect(await fateOf(stage, "hello", { account, from: `bot-${account}` })).toBe("nothing");
    expect(await fateOf(stage, "hello", { account, from: "" })).toBe("nothing");
  });
});

describe("a message in a group", () => {
  const GROUPS: Json = {
    free: { requireMention: false },
    calm: {},
    shut: { enabled: false },
    bobs: { requireMention: false, allowFrom: ["bob"] },
    public: { requireMention: false, groupPolicy: "open" },
    forum: {
      topics: {
        news: { requireMention: false },
        closed: { enabled: false },
        bobs: { requireMention: false, allowFrom: ["bob"] },
      },
    },
    "guild/lobby": { requireMention: false },
    "club/*": { requireMention: false },
    parent: { requireMention: false },
  };
  const ACCOUNTS: Readonly<Record<string, Json>> = {
    // Whoever is named in allowFrom is an owner.
    lists: { groupPolicy: "allowlist", allowFrom: ["olga"], groupAllowFrom: ["alice", "olga"], groups: GROUPS },
    "no-groups": { groupPolicy: "allowlist", groupAllowFrom: ["alice"] },
    "dm-list": { groupPolicy: "allowlist", allowFrom: ["alice"] },
    "dm-star": { dmPolicy: "open", allowFrom: ["*"] },
    open: { groupPolicy: "open" },
    "open-list": { groupPolicy: "open", groupAllowFrom: ["alice"] },
    "star-shut": { groupPolicy: "open", groups: { "*": { enabled: false }, kept: { requireMention: false } } },
    off: { groupPolicy: "disabled", groupAllowFrom: ["alice", "*"], groups: { free: { requireMention: false } } },
  };
  const MENTION = { more: { mentionsUs: true } } as const;
  const ANSWER = { more: { replyTo: { id: "m1", isOurs: true } } } as const;
  type Row = readonly [Fate, account: string, from: string, chat: Partial<ChannelEvent["chat"]>, said?: SaidOptions];
  const group = (id: string, threadId?: string) => ({ kind: "group" as const, id, ...(threadId ? { threadId } : {}) });
  const TABLE: readonly Row[] = [
    ["answered", "lists", "alice", group("free")],
    ["nothing", "lists", "bob", group("free")],
    ["nothing", "lists", "bob", group("free"), MENTION],
    ["heard", "lists", "alice", group("calm")],
    ["answered", "lists", "alice", group("calm"), MENTION],
    ["answered", "lists", "alice", group("calm"), ANSWER],
    ["heard", "lists", "alice", group("calm"), { more: { replyTo: { id: "m1", isOurs: false } } }],
    ["answered", "lists", "alice", group("calm"), { more: { text: "Hey Claw, are you there?" } }],
    ["heard", "lists", "alice", group("calm"), { more: { text: "They clawed at it." } }],
    ["nothing", "lists", "bob", group("calm"), MENTION],
    ["nothing", "lists", "alice", group("shut"), MENTION],
    ["answered", "lists", "bob", group("bobs")],
    ["nothing", "lists", "alice", group("bobs"), MENTION],
    ["answered", "lists", "stranger", group("public")],
    ["nothing", "lists", "alice", group("unlisted"), MENTION],
    ["answered", "lists", "alice", group("forum", "news")],
    ["nothing", "lists", "alice", group("forum", "closed"), MENTION],
    ["answered", "lists", "bob", group("forum", "bobs")],
    ["nothing", "lists", "alice", group("forum", "bobs"), MENTION],
    ["heard", "lists", "alice", group("forum", "other")],
    ["answered", "lists", "alice", { kind: "channel", id: "lobby", guildId: "guild" }],
    ["nothing", "lists", "alice", { kind: "channel", id: "attic", guildId: "guild" }, MENTION],
    ["nothing", "lists", "alice", { kind: "channel", id: "lobby", guildId: "another" }, MENTION],
    ["answered", "lists", "alice", { kind: "channel", id: "anywhere", guildId: "club" }],
    ["answered", "lists", "alice", { kind: "channel", id: "thread-1", parentId: "parent" }],
    ["nothing", "lists", "alice", { kind: "channel", id: "thread-1", parentId: "stranger" }, MENTION],
    ["nothing", "lists", "paula", group("free"), MENTION],
    ["answered", "no-groups", "alice", group("any"), MENTION],
    ["nothing", "no-groups", "bob", group("any"), MENTION],
    ["answered", "dm-list", "alice", group("any"), MENTION],
    ["nothing", "dm-star", "bob", group("any"), MENTION],
    ["answered", "open", "stranger", group("any"), MENTION],
    ["heard", "open", "stranger", group("any")],
    ["answered", "open-list", "alice", group("any"), MENTION],
    ["nothing", "open-list", "bob", group("any"), MENTION],
    ["answered", "star-shut", "stranger", group("kept")],
    ["nothing", "star-shut", "stranger", group("any"), MENTION],
    ["nothing", "off", "alice", group("free"), MENTION],
  ];
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await openChannelStage({
      settings: { allowFrom: [], accounts: ACCOUNTS },
      config: { messages: { groupChat: { mentionPatterns: [String.raw`\bhey claw\b`] } } },
    });
    for (const account of Object.keys(ACCOUNTS)) approve(stage, account, "paula");
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.for(TABLE)("is %s by account %s from %s in %j %j", async ([fate, account, from, chat, said = {}]) => {
    expect(await fateOf(stage, "hello", { account, from, chat, ...said })).toBe(fate);
  });

  it("follows /activation over what the settings say", async () => {
    const said = { account: "lists", from: "alice", chat: group("activated") };
    const calm = { ...said, chat: group("calm") };
    const free = { ...said, chat: group("free") };
    const command = async (text: string, at: SaidOptions) =>
      expect(await fateOf(stage, text, { ...at, from: "olga" })).toBe("nothing");
    await command("/activation always", calm);
    expect(await fateOf(stage, "hello", calm)).toBe("answered");
    await command("/activation mention", calm);
    expect(await fateOf(stage, "hello", calm)).toBe("heard");
    await command("/activation mention", free);
    expect(await fateOf(stage, "hello", free)).toBe("heard");
    await command("/activation always", free);
    expect(await fateOf(stage, "hello", free)).toBe("answered");
  });
});

describe("somebody unknown", () => {
  const codeIn = (text = ""): string => /Pairing code: (\S+)/.exec(text)?.[1] ?? "";

  it("is told a code once, and answered when it was approved", async () => {
    await using stage = await openChannelStage({ settings: { dmPolicy: "pairing", allowFrom: [] } });
    const { fake, client, model } = stage;
    expect(await fateOf(stage, "hello", { from: "bob", name: "Bob" })).toBe("code");
    expect(fake.sent[0]).toMatchObject({ target: { to: "bob" } });
    expect((await fake.say("hello?", { from: "bob" })).kind).toBe("settled");
    const { requests } = await client.call("pairing.list");
    const meta = { name: "Bob", firstName: "Bob" };
    expect(requests).toMatchObject([{ channel: "fake", accountId: "default", id: "bob", meta }]);
    const code = codeIn(fake.sent[0]?.text);
    expect(requests[0].code).toBe(code);
    expect((await client.request("pairing.approve", { channel: "fake", code: "WRONG234" })).ok).toBe(false);
    const approved = await client.call("pairing.approve", { channel: "fake", code: code.toLowerCase() });
    expect(approved).toMatchObject({ id: "bob", accountId: "default", isOwner: true });
    model.script(say("Hello, Bob."));
    expect(await stage.ask("here I am", { from: "bob" })).toBe("Hello, Bob.");
    expect(fake.sent).toHaveLength(2);
    expect(JSON.stringify(model.requests)).not.toContain("hello?");
    expect((await client.call("pairing.list")).requests).toEqual([]);
  });

  it("does not become an owner when somebody else is one already", async () => {
    await using stage = await openChannelStage({ settings: { dmPolicy: "pairing", allowFrom: [] } });
    for (const from of ["bob", "carol"]) await fateOf(stage, "hello", { from });
    const approved = [];
    for (const { text } of stage.fake.sent)
      approved.push(await stage.client.call("pairing.approve", { channel: "fake", code: codeIn(text) }));
    expect(approved.map(({ id, isOwner }) => [id, isOwner])).toEqual([
      ["bob", true],
      ["carol", false],
    ]);
  });

  it("gets another code when the first one is an hour old", async () => {
    const clock = createShiftedClock();
    await using stage = await openChannelStage({ clock, settings: { dmPolicy: "pairing" } });
    await fateOf(stage, "hello", { from: "bob" });
    const first = codeIn(stage.fake.sent[0]?.text);
    clock.advance(61 * 60_000);
    const late = await stage.client.request("pairing.approve", { channel: "fake", code: first });
    expect(late.error?.message).toMatch(/older than an hour/);
    expect(await fateOf(stage, "hello again", { from: "bob" })).toBe("code");
    expect(codeIn(stage.fake.sent[1]?.text)).not.toBe(first);
  });

  it("is one of thirty at most who are told a code in an hour; others wait on the list and are told later", async () => {
    const clock = createShiftedClock();
    await using stage = await openChannelStage({ clock, settings: { dmPolicy: "pairing" } });
    for (let count = 0; count < 30; count += 1) await stage.fake.say("hello", { from: `stranger${count}` });
    await stage.fake.until(30);
    clock.advance(30 * 60_000);
    await stage.fake.say("hello", { from: "friend" });
    const { requests } = await stage.client.call("pairing.list");
    const [waiting] = (requests as Array<{ id: string; code: string }>).filter(({ id }) => id === "friend");
    clock.advance(31 * 60_000);
    expect(await fateOf(stage, "hello?", { from: "friend" })).toBe("code");
    expect(codeIn(stage.fake.sent.at(-1)?.text)).toBe(waiting?.code);
    expect(stage.fake.sent).toHaveLength(31);
  });

  it("who is rejected may ask again", async () => {
    await using stage = await openChannelStage({ settings: { dmPolicy: "pairing" } });
    await fateOf(stage, "hello", { from: "bob" });
    const code = codeIn(stage.fake.sent[0]?.text);
    expect(await stage.client.call("pairing.reject", { channel: "fake", code })).toMatchObject({ id: "bob" });
    expect(await fateOf(stage, "hello", { from: "bob" })).toBe("code");
  });

  it("is not asked for a code in a group, and gets none there", async () => {
    await using stage = await openChannelStage({ settings: { dmPolicy: "pairing" } });
    const said = { from: "bob", chat: { kind: "group" as const, id: "g1" }, more: { mentionsUs: true } };
    expect(await fateOf(stage, "hello", said)).toBe("nothing");
    expect(stage.fake.sent).toEqual([]);
    expect((await stage.client.call("pairing.list")).requests).toEqual([]);
  });
});

describe("commands", () => {
  const everybody = { dmPolicy: "open", allowFrom: ["alice", "bob", "*"] };
  const answersTo = async (stage: ChannelStage, text: string, from: string): Promise<string> => {
    const before = stage.fake.sent.length;
    const received = await stage.fake.say(text, { from });
    if (received.kind !== "accepted") return received.why;
    return (await stage.fake.until(before + 1)).at(-1)?.text ?? "";
  };

  it("are for those who are named, and not for whoever may write", async () => {
    await using stage = await openChannelStage({ settings: everybody });
    expect(await answersTo(stage, "/status", "alice")).toMatch(/scripted\/test/);
    expect(await answersTo(stage, "/status", "stranger")).toBe("ignored");
    expect(stage.model.requests).toEqual([]);
    expect(await answersTo(stage, "tell me about /status please", "stranger")).toMatch(/^echo/);
  });

  it("for owners are for those in commands.ownerAllowFrom alone", async () => {
    await using stage = await openChannelStage({
      settings: everybody,
      config: { commands: { config: true, ownerAllowFrom: ["fake:alice", "other:bob"] } },
    });
    expect(await answersTo(stage, "/config show session", "alice")).not.toBe("ignored");
    expect(await answersTo(stage, "/config show session", "bob")).toBe("ignored");
    expect(await answersTo(stage, "/status", "bob")).toMatch(/scripted\/test/);
  });

  it("are for those in commands.allowFrom when that is set, whoever else is named", async () => {
    await using stage = await openChannelStage({
      settings: everybody,
      config: { commands: { allowFrom: { fake: ["bob"] } } },
    });
    expect(await answersTo(stage, "/status", "bob")).toMatch(/scripted\/test/);
    expect(await answersTo(stage, "/status", "alice")).toBe("ignored");
    expect(stage.model.requests).toEqual([]);
  });

  it("are for everybody who may write with commands.useAccessGroups off, those for owners excepted", async () => {
    await using stage = await openChannelStage({
      settings: everybody,
      config: { commands: { useAccessGroups: false, config: true } },
    });
    expect(await answersTo(stage, "/status", "stranger")).toMatch(/scripted\/test/);
    expect(await answersTo(stage, "/config show session", "stranger")).toBe("ignored");
  });
});

describe("the lists", () => {
  /** Counts connections, and lets a test say what names mean. */
  function watched(names: Map<string, string>) {
    let starts = 0;
    const wrap = (fake: FakeChannel): Channel => ({
      ...fake.channel,
      async start(account, host) {
        starts += 1;
        const connection = await fake.channel.start(account, host);
        return { ...connection, resolveName: async (name) => names.get(name) };
      },
    });
    return { wrap, starts: () => starts };
  }
  function edit({ gateway }: ChannelStage, change: (settings: Json) => Json): void {
    const config = JSON.parse(readFileSync(gateway.configPath, "utf8")) as { channels: { fake: Json } };
    config.channels.fake = change(config.channels.fake);
    writeFileSync(gateway.configPath, JSON.stringify(config));
  }

  it("change without a new connection, and hold from the next message on", async () => {
    const { wrap, starts } = watched(new Map());
    await using stage = await openChannelStage({ wrap });
    const fate = (from: string) => fateOf(stage, "hello", { from });
    expect([await fate("alice"), await fate("bob")]).toEqual(["answered", "nothing"]);
    edit(stage, (settings) => ({ ...settings, allowFrom: ["bob"] }));
    await eventually("bob is let in", async () => (await fate("bob")) === "answered" || undefined);
    expect(await fate("alice")).toBe("nothing");
    edit(stage, (settings) => ({ ...settings, dmPolicy: "disabled" }));
    await eventually("nobody is let in", async () => (await fate("bob")) === "nothing" || undefined);
    expect(starts()).toBe(1);
  });

  it("hold as they are written also for messages that come in the middle of a change", async () => {
    await using stage = await openChannelStage();
    const { gateway, fake } = stage;
    const changed = Promise.withResolvers<void>();
    // Registered after the gateway's own watcher: the configuration is new, the accounts are not yet.
    using _watching = gateway.gateway.config.watch(() => changed.resolve());
    edit(stage, (settings) => ({ ...settings, allowFrom: ["bob"] }));
    await changed.promise;
    await fake.say("hello", { from: "bob" });
    await eventually(
      "bob is let in",
      async () => (await fateOf(stage, "hello", { from: "bob" })) === "answered" || undefined,
    );
    expect(await fateOf(stage, "hello", { from: "alice" })).toBe("nothing");
  });

  it("keep to the person a name meant first, whoever takes the name later", async () => {
    const names = new Map([["ann", "17"]]);
    const { wrap, starts } = watched(names);
    await using stage = await openChannelStage({ wrap, settings: { allowFrom: ["@ann"] } });
    const fate = (from: string, name: string) => fateOf(stage, "hello", { from, name });
    expect(await fate("17", "ann")).toBe("answered");
    names.set("ann", "666");
    edit(stage, (settings) => ({ ...settings, token: "another" }));
    await eventually("it is connected anew", () => starts() === 2 || undefined);
    expect(await fate("666", "ann")).toBe("nothing");
    expect(await fate("17", "somebody else")).toBe("answered");
  });

  it("let nobody in by a name that cannot be looked up", async () => {
    const { wrap } = watched(new Map());
    await using stage = await openChannelStage({ wrap, settings: { allowFrom: ["@ann"] } });
    for (const from of ["ann", "@ann", "17"])
      expect(await fateOf(stage, "hello", { from, name: "ann" })).toBe("nothing");
  });
});

describe("what somebody does who may speak", () => {
  const CONTENTS: { readonly [Kind in ChannelContent["kind"]]: Extract<ChannelContent, { kind: Kind }> } = {
    message: { kind: "message", text: "a word", mentionsUs: false },
    command: { kind: "command", text: "/status" },
    button: { kind: "button", data: "the blue one", on: "out-1" },
    reaction: { kind: "reaction", emoji: "👍", isRemoved: false, on: "out-1", onOurs: true },
    edit: { kind: "edit", of: "in-1", text: "another word" },
    notice: { kind: "notice", text: "the poll has ended" },
  };
  const TABLE: { readonly [Kind in ChannelContent["kind"]]: readonly [Fate, RegExp] } = {
    message: ["answered", /a word$/],
    command: ["nothing", /^(?!.*status).*next$/s],
    button: ["answered", /the blue one$/],
    reaction: ["heard", /reacted with 👍 to your message out-1/],
    edit: ["heard", /changed message in-1 to\] another word/],
    notice: ["heard", /the poll has ended/],
  };
  it.each(Object.entries(TABLE))("as %s is %s", async (kind, [fate, told]) => {
    const said = { from: `somebody-${kind}` };
    expect(await fateOf(stage, "", { ...said, content: CONTENTS[kind as ChannelContent["kind"]] })).toBe(fate);
    if (fate !== "answered") await stage.ask("next", said);
    expect(stage.lastTold()).toMatch(told);
  });
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await openChannelStage({
      settings: { allowFrom: Object.keys(CONTENTS).map((kind) => `somebody-${kind}`) },
      config: { session: { dmScope: "per-peer" } },
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());
});
