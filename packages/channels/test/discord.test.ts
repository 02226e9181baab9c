// What is Discord's own: guilds and threads, reactions, edits, files, buttons, slash commands, and its refusals.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelContent, ChannelEvent } from "@chela/sdk";
import { noHurry, openBench, outbound, type Bench, type Started } from "./discord-bench.test-support.ts";
import { ALICE, MALLORY, type Said } from "./discord-peer.test-support.ts";
import type { RelayedCall } from "./discord-relay.test-support.ts";

let bench: Bench;
let account: Started;
beforeAll(async () => {
  bench = await openBench();
  account = await bench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

const said = (text: string): Promise<ChannelEvent> =>
  account.host.next(({ content }) => content.kind === "message" && content.text.includes(text));
const kind = (wanted: ChannelContent["kind"]): Promise<ChannelEvent> =>
  account.host.next(({ content }) => content.kind === wanted);
const room = () => bench.peer.manifest.fixture;
const inRoom = () => ({ channelId: room().channelId, guildId: room().guildId });
const roomTarget = () => `channel:${room().channelId}`;
const send = (...message: Parameters<typeof outbound>) => account.connection.send(outbound(...message), noHurry);
const lastBody = (path: RegExp): Record<string, unknown> => {
  const call = bench.relay.calls.findLast(({ method, path: called }) => method !== "GET" && path.test(called));
  return JSON.parse(call?.body ?? "{}") as Record<string, unknown>;
};
/** The other bot of the peer: it can do what the injected people cannot. */
const driver = (method: string, route: string, body?: unknown) =>
  bench.peer.ask(method, route, body, bench.peer.manifest.driverBotToken);

async function collect(download: Promise<AsyncIterable<Uint8Array>> | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await download) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("what people do on Discord", () => {
  it("comes from a guild's channel with the guild's id, and a mention of us is seen", async () => {
    await bench.peer.say(`<@${bench.peer.manifest.botUserId}> are you there`, inRoom());
    const event = await said("are you there");
    expect(event.chat).toMatchObject({ kind: "channel", id: room().channelId, guildId: room().guildId });
    expect(event.replyTarget).toEqual({ to: roomTarget() });
    expect(event.sender).toMatchObject({ id: ALICE, roles: [] });
    expect(event.content).toMatchObject({ text: "are you there", mentionsUs: true });
  });

  it("in a thread comes from the thread, which knows its channel", async () => {
    const threadId = "300000000000000777";
    await bench.peer.say("in the thread", {
      channelId: threadId,
      guildId: room().guildId,
      parentChannelId: room().channelId,
    });
    expect((await said("in the thread")).chat).toMatchObject({
      kind: "channel",
      id: threadId,
      parentId: room().channelId,
    });
  });

  it("is not mistaken for somebody else's by taking their name", async () => {
    await bench.peer.say("I am alice", { senderName: "alice" });
    await bench.peer.say("me too", { senderName: "alice", senderId: MALLORY });
    const [alice, mallory] = [await said("I am alice"), await said("me too")];
    expect(alice.sender.name).toBe(mallory.sender.name);
    expect(alice.sender.id).toBe(ALICE);
    expect(mallory.sender.id).toBe(MALLORY);
    expect(mallory.chat.id).toBe(MALLORY);
  });

  it("includes answers to us, edits and reactions, each once, and never our own", async () => {
    const outcome = await send(roomTarget(), "what do you think?");
    if (outcome.kind !== "sent") throw new Error(outcome.why);
    const messages = `/channels/${room().channelId}/messages`;
    const message_reference = { message_id: outcome.messageId };
    const { id } = (await driver("POST", messages, { content: "hm", message_reference })) as Said;
    const answer = await said("hm");
    expect(answer.sender.isBot).toBe(true);
    expect(answer.content).toMatchObject({ replyTo: { id: outcome.messageId, isOurs: true } });

    await driver("PATCH", `${messages}/${id}`, { content: "hm, yes" });
    expect((await kind("edit")).content).toMatchObject({ of: id, text: "hm, yes" });

    const thumb = encodeURIComponent("👍");
    await driver("PUT", `${messages}/${outcome.messageId}/reactions/${thumb}/@me`);
    expect((await kind("reaction")).content).toMatchObject({ emoji: "👍", isRemoved: false, onOurs: true });
    await driver("DELETE", `${messages}/${outcome.messageId}/reactions/${thumb}/@me`);
    expect((await kind("reaction")).content).toMatchObject({ isRemoved: true });

    await account.connection.edit?.({ to: roomTarget() }, outcome.messageId, "what do **you** think?");
    await account.connection.react?.({ to: roomTarget() }, id, "🔥", false);
    await driver("PUT", `${messages}/${id}/reactions/${thumb}/@me`);
    expect((await kind("reaction")).content).toMatchObject({ emoji: "👍", on: id, onOurs: false });
    expect(account.host.events.filter(({ sender }) => sender.id === bench.peer.manifest.botUserId)).toEqual([]);
  });

  it("brings files, also when their address has run out meanwhile", async () => {
    const form = new FormData();
    form.set("payload_json", JSON.stringify({ content: "my notes" }));
    form.set("files[0]", new Blob(["twelve bytes"], { type: "text/plain" }), "notes.txt");
    await fetch(`${bench.peer.manifest.endpoints.apiRoot}/v10/channels/${room().channelId}/messages`, {
      method: "POST",
      headers: { authorization: `Bot ${bench.peer.manifest.driverBotToken}` },
      body: form,
    });
    const { content } = await said("my notes");
    const [media] = content.kind === "message" ? (content.media ?? []) : [];
    expect(media).toMatchObject({ kind: "file", name: "notes.txt", bytes: 12 });
    for (const ref of [media?.ref ?? "", (media?.ref ?? "").replace(/sig=.*/, "sig=old")]) {
      expect((await collect(account.connection.download?.(ref, noHurry))).toString()).toBe("twelve bytes");
    }
    await expect(account.connection.download?.("https://example.com/", noHurry)).rejects.toMatchObject({
      code: "MEDIA_REFUSED",
    });
  });

  it("is not fetched when it is larger than allowed", async () => {
    const { connection, host } = await bench.start({ settings: { mediaMaxMb: 0.000001 } });
    await driver("POST", `/channels/${room().channelId}/messages`, { content: "again" });
    const event = account.host.events.find(({ content }) => content.kind === "message" && content.media);
    const ref = event?.content.kind === "message" ? (event.content.media?.[0]?.ref ?? "") : "";
    await expect(collect(connection.download?.(ref, noHurry))).rejects.toMatchObject({ code: "MEDIA_REFUSED" });
    await connection.close();
    expect(host.reported.connected).toBe(false);
  });
});

describe("what we write", () => {
  it("answers a message, calls nobody, and can be silent", async () => {
    const { id } = await bench.peer.say("question", inRoom());
    await send(roomTarget(), "hello @everyone <@200000000000000002>", { replyTo: id, isSilent: true });
    expect(lastBody(/messages$/)).toMatchObject({
      content: "hello @\u200beveryone \\<@200000000000000002>",
      allowed_mentions: { parse: [], replied_user: false },
      message_reference: { message_id: id, fail_if_not_exists: false },
      flags: 4096,
      enforce_nonce: true,
    });
    expect(String(lastBody(/messages$/).nonce)).toHaveLength(25);
  });

  it("is a file with its name, type and words", async () => {
    const path = join(bench.directory, "picture.png");
    writeFileSync(path, "not really");
    const media = { kind: "image", path, mimeType: "image/png", name: 'a"b.png', bytes: 10 } as const;
    const outcome = await send(roomTarget(), { kind: "media", media, caption: "**look**" });
    expect(outcome).toMatchObject({ kind: "sent" });
    const [newest] = (await bench.peer.written(room().channelId)).slice(-1);
    expect(newest).toMatchObject({ content: "**look**", attachments: [{ content_type: "image/png", size: 10 }] });
    const gone = { ...media, path: `${path}.gone` };
    expect(await send(roomTarget(), { kind: "media", media: gone })).toMatchObject({ reason: "rejected" });
  });

  it("has buttons, and long data of theirs come back whole", async () => {
    const long = "x".repeat(300);
    await send(roomTarget(), {
      kind: "text",
      markdown: "Run it?",
      buttons: [[{ text: "Yes", data: "approve:1" }], [{ text: "L".repeat(100), data: long }]],
    });
    const rows = lastBody(/messages$/).components as Array<{ components: Array<{ custom_id: string; label: string }> }>;
    expect(rows[0]?.components[0]).toMatchObject({ type: 2, label: "Yes", custom_id: "d:approve:1" });
    const { custom_id = "", label = "" } = rows[1]?.components[0] ?? {};
    expect([custom_id.length <= 100, label.length]).toEqual([true, 80]);
    bench.relay.dispatch("INTERACTION_CREATE", {
      ...interaction("1477593600000000201"),
      type: 3,
      message: { id: "1477593500000000001" },
      data: { custom_id, component_type: 2 },
    });
    expect((await kind("button")).content).toEqual({ kind: "button", data: long, on: "1477593500000000001" });
    const callback = await called("POST", /1477593600000000201.*callback/);
    expect(JSON.parse(callback.body)).toEqual({ type: 6 });
  });

  it("is a poll within Discord's limits, or is refused with a reason", async () => {
    bench.relay.answer(({ body }) => (body.includes('"poll"') ? { status: 200, json: { id: "1" } } : undefined));
    const poll = { question: "Lunch?", options: ["Soup", "Salad"], maxSelections: 2, durationSeconds: 10 };
    expect(await send(roomTarget(), { kind: "poll", poll })).toMatchObject({ kind: "sent" });
    expect(lastBody(/messages$/).poll).toEqual({
      question: { text: "Lunch?" },
      answers: [{ poll_media: { text: "Soup" } }, { poll_media: { text: "Salad" } }],
      duration: 1,
      allow_multiselect: true,
    });
    const tooLong = { question: "?", options: ["x".repeat(56)] };
    expect(await send(roomTarget(), { kind: "poll", poll: tooLong })).toMatchObject({ reason: "rejected" });
  });

  it("is found again by what it says where the platform does not show its key", async () => {
    const message = outbound(roomTarget(), "the very last words");
    await account.connection.send(message, noHurry);
    const shown = (await bench.peer.written(room().channelId))
      .map((message) => ({ ...message, nonce: undefined }))
      .reverse();
    let messages: unknown[] = shown;
    bench.relay.answer(({ method, path }) =>
      method === "GET" && path.includes("messages?limit=50") ? { status: 200, json: messages } : undefined,
    );
    expect(await account.connection.findSent?.(message)).toMatchObject({ kind: "sent", messageId: shown[0]?.id });
    messages = shown.slice(1);
    expect(await account.connection.findSent?.(message)).toMatchObject({ kind: "failed", reason: "unavailable" });
  });
});

const interaction = (id: string) => ({
  id,
  application_id: bench.peer.manifest.applicationId,
  token: `token-${id}`,
  channel_id: room().channelId,
  channel: { id: room().channelId, type: 0 },
  guild_id: room().guildId,
  member: { roles: [], user: { id: ALICE, username: "alice" } },
});
const called = (method: string, path: RegExp): Promise<RelayedCall> =>
  bench.relay.called((call) => call.method === method && path.test(call.path));

describe("a slash command", () => {
  const command = (id: string) => ({ ...interaction(id), type: 2, data: { name: "status", type: 1, options: [] } });

  it("is acknowledged after it was received, and its waiting sign goes with the answer", async () => {
    const isHeld = Promise.withResolvers<void>();
    account.host.answer(async () => {
      await isHeld.promise;
      return { kind: "accepted" };
    });
    const reception = account.host.events.length;
    bench.relay.answer(({ path }) => (/callback|@original/.test(path) ? { status: 204 } : undefined));
    bench.relay.dispatch("INTERACTION_CREATE", command("1477593600000000301"));
    while (account.host.events.length === reception) await new Promise(setImmediate);
    expect(bench.relay.calls.some(({ path }) => path.includes("1477593600000000301"))).toBe(false);
    isHeld.resolve();
    expect((await kind("command")).content).toEqual({ kind: "command", text: "/status" });
    const callback = await called("POST", /1477593600000000301.*callback/);
    expect(JSON.parse(callback.body)).toEqual({ type: 5, data: { flags: 64 } });
    expect(callback.headers.authorization).toBeUndefined();
    await send(roomTarget(), "All is well.");
    await called("DELETE", /webhooks\/.*token-1477593600000000301\/messages\/@original/);
  });

  it("that nobody will answer loses its waiting sign at once", async () => {
    account.host.answer(async () => ({ kind: "settled", why: "not allowed" }));
    bench.relay.dispatch("INTERACTION_CREATE", command("1477593600000000302"));
    await called("DELETE", /token-1477593600000000302/);
    account.host.answer(async () => ({ kind: "accepted" }));
  });
});

describe("what Discord answers decides what becomes of a delivery", () => {
  const answers: ReadonlyArray<readonly [string, Parameters<Bench["relay"]["answer"]>[0], object]> = [
    [
      "too many in this channel",
      () => ({ status: 429, json: { message: "slow", retry_after: 7 }, headers: { "retry-after": "7" } }),
      { reason: "rate-limited", retryAfterMs: 7050, holdsFor: "chat" },
    ],
    ["an error of its own", () => ({ status: 503 }), { reason: "unavailable" }],
    ["no answer", () => ({ status: 0, isCut: true }), { reason: "uncertain" }],
    ["no access", () => ({ status: 403, json: { code: 50001, message: "Missing Access" } }), { reason: "unreachable" }],
    ["a closed direct chat", () => ({ status: 403, json: { code: 50007, message: "no" } }), { reason: "unreachable" }],
    ["a malformed body", () => ({ status: 400, json: { code: 50035, message: "Invalid" } }), { reason: "rejected" }],
  ];
  for (const [name, answer, outcome] of answers) {
    it(`for ${name}`, async () => {
      const target = `3000000000000010${String(answers.findIndex(([other]) => other === name)).padStart(2, "0")}`;
      bench.relay.answer((call) => (call.path.includes(target) ? answer(call) : undefined));
      const failed = await send(`channel:${target}`, "hello");
      expect(failed).toMatchObject({ kind: "failed", ...outcome });
      expect(JSON.stringify(failed)).not.toMatch(/token|crabline\.discord|127\.0\.0\.1/);
    });
  }

  it("for an address that is none, without asking", async () => {
    expect(await send("300000000000000001", "hello")).toMatchObject({ reason: "rejected" });
    expect(await send("channel:../../users", "hello")).toMatchObject({ reason: "rejected" });
  });

  it("for a text that is empty or too long", async () => {
    expect(await send(roomTarget(), " ")).toMatchObject({ reason: "rejected" });
    expect(await send(roomTarget(), "x".repeat(2001))).toMatchObject({ reason: "rejected" });
  });
});

describe("what else one can do", () => {
  const target = () => ({ to: roomTarget() });

  it("is looking back, oldest first", async () => {
    await bench.peer.say("first", inRoom());
    await bench.peer.say("second", inRoom());
    const history = (await account.connection.history?.(target(), { limit: 2 })) ?? [];
    expect(history.map(({ text, isOurs }) => ({ text, isOurs }))).toEqual([
      { text: "first", isOurs: false },
      { text: "second", isOurs: false },
    ]);
  });

  it("is taking a message back, typing, and opening a thread on a message", async () => {
    const outcome = await send(roomTarget(), "a mistake");
    if (outcome.kind !== "sent") throw new Error(outcome.why);
    await account.connection.typing?.(target());
    const { id } = await bench.peer.say("a topic", inRoom());
    expect(await account.connection.createThread?.(target(), "Topic", id)).toEqual({ to: `channel:${id}` });
    await account.connection.unsend?.(target(), outcome.messageId);
    const left = await bench.peer.written(room().channelId);
    expect(left.some(({ content }) => content === "a mistake")).toBe(false);
    await expect(account.connection.unsend?.(target(), outcome.messageId)).rejects.toMatchObject({
      code: "CHANNEL_REFUSED",
    });
  });

  it("is pins, threads, reactions and people, in the form Discord answers", async () => {
    const message = await bench.peer.say("pin me", inRoom());
    const members = [
      { roles: [], nick: "Ally", user: { id: ALICE, username: "alice" } },
      { roles: [], nick: "alice", user: { id: MALLORY, username: "mallory" } },
    ];
    const answers: ReadonlyArray<readonly [RegExp, unknown]> = [
      [/PUT .*\/messages\/pins\/\d+$/, undefined],
      [/GET .*\/messages\/pins\?/, { items: [{ pinned_at: "2026-01-01", message }], has_more: false }],
      [/GET .*\/threads\/active/, { threads: [{ id: "1", name: "t", type: 11, parent_id: room().channelId }] }],
      [/GET .*\/members\/search/, members],
      [/GET .*\/reactions\/[^/]+\?/, [{ id: ALICE, username: "alice" }]],
      [/GET .*\/messages\/1477593600000000400$/, { ...message, reactions: [{ emoji: { id: null, name: "👍" } }] }],
    ];
    bench.relay.answer(({ method, path }) => {
      const found = answers.find(([route]) => route.test(`${method} ${path}`));
      return found && { status: found[1] === undefined ? 204 : 200, json: found[1] };
    });
    const { pin, pins, threads, reactions, directory, resolveName } = account.connection;
    await pin?.(target(), message.id, false);
    expect((await pins?.(target()))?.map(({ text }) => text)).toEqual(["pin me"]);
    expect(await threads?.(target())).toEqual([{ id: "1", name: "t" }]);
    expect(await reactions?.(target(), "1477593600000000400")).toEqual([{ emoji: "👍", userIds: [ALICE] }]);
    expect(await directory?.users?.("al", 5)).toMatchObject([{ id: ALICE, name: "Ally" }, { id: MALLORY }]);
    expect(await resolveName?.("alice", "user")).toBe(ALICE);
    expect(await resolveName?.("nobody", "user")).toBeUndefined();
    expect(await resolveName?.("#crabline-channel", "group")).toBe(room().channelId);
    expect(await directory?.groups?.("crabline", 10)).toContainEqual(
      expect.objectContaining({ kind: "group", id: room().channelId }),
    );
  });

  it("is offering commands, and asking whether all is well", async () => {
    await account.connection.offerCommands?.([{ name: "status", description: "Shows the status" }]);
    const { applicationId } = bench.peer.manifest;
    expect(await bench.peer.ask("GET", `/applications/${applicationId}/commands`)).toMatchObject([
      { name: "status", options: [{ name: "input", required: false }] },
    ]);
    expect(await account.connection.probe?.()).toMatchObject({ ok: true, bot: { id: bench.peer.manifest.botUserId } });
  });
});
