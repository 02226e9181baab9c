// How the connection to Discord begins, breaks, goes on and ends, and that nothing said meanwhile is lost.
import { generateKeyPairSync, sign } from "node:crypto";
import { verifyKey } from "discord-interactions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FakeHost } from "@chela/sdk/testing";
import { noHurry, openBench, outbound, type Bench } from "./discord-bench.test-support.ts";
import { ALICE } from "./discord-peer.test-support.ts";

let bench: Bench;
beforeAll(async () => void (bench = await openBench()));
afterAll(() => bench[Symbol.asyncDispose]());

const said = (host: FakeHost, text: string) =>
  host.next(({ content }) => content.kind === "message" && content.text === text);
const textsOf = (host: FakeHost) =>
  host.events.flatMap(({ content }) => (content.kind === "message" ? [content.text] : []));

describe("a start", () => {
  it("is over at once when the token is refused, and does not tell it", async () => {
    const refused = bench.start({ settings: { token: "wrong.token.value" } });
    await expect(refused).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    await expect(refused).rejects.not.toThrow(/wrong\.token/);
  });

  it("fails for now when nobody answers", async () => {
    const settings = { apiRoot: "http://127.0.0.1:9/api" };
    await expect(bench.start({ settings })).rejects.toMatchObject({ code: "CHANNEL_OFFLINE" });
  });

  it("names the intent that is not switched on", async () => {
    bench.relay.refuse(4014);
    await expect(bench.start()).rejects.toMatchObject({
      code: "CHANNEL_SETTINGS",
      detail: expect.stringContaining("Message Content Intent"),
    });
  });

  it("says who we are, and that we are connected", async () => {
    const { connection, host } = await bench.start();
    expect(host.reported).toMatchObject({ connected: true, self: { id: bench.peer.manifest.botUserId } });
    expect(host.signs.count).toBeGreaterThan(0);
    await connection.close();
    expect(host.reported.connected).toBe(false);
  });
});

describe("a connection that breaks", () => {
  it("is resumed, and brings what was said in between, once", async () => {
    const { connection, host } = await bench.start();
    await bench.peer.say("before");
    await said(host, "before");
    bench.relay.disconnect(4000);
    await bench.peer.say("in between");
    await said(host, "in between");
    expect(bench.relay.handshakes.slice(-2)).toEqual(["identify", "resume"]);
    expect(host.reported.connected).toBe(true);
    expect(textsOf(host).filter((text) => text === "in between")).toHaveLength(1);
    await connection.close();
  });

  it("is over for good when Discord takes the token back", async () => {
    const { connection } = await bench.start();
    bench.relay.disconnect(4004);
    expect(await connection.ended).toMatchObject({ isFinal: true, why: expect.stringContaining("token") });
  });

  it("is over for good when a delivery is refused for the token", async () => {
    const { connection } = await bench.start();
    let isRevoked = true;
    bench.relay.answer(({ method }) =>
      isRevoked && method === "POST" ? { status: 401, json: { code: 0 } } : undefined,
    );
    const outcome = await connection.send(outbound("channel:300000000000000555", "hello"), noHurry);
    expect(outcome).toMatchObject({ kind: "failed", reason: "unauthorised" });
    expect(await connection.ended).toMatchObject({ isFinal: true });
    isRevoked = false;
  });
});

describe("after a restart", () => {
  it("the session is resumed: what was said, and what could not be written down, comes", async () => {
    const first = await bench.start();
    await bench.peer.say("one");
    await said(first.host, "one");
    const refused = Promise.withResolvers<void>();
    first.host.answer(async () => {
      refused.resolve();
      throw new Error("the disk is full");
    });
    await bench.peer.say("two");
    await refused.promise;
    await first.connection.close();
    await bench.peer.say("three");
    const second = await bench.start({ memory: first.host.memory });
    await said(second.host, "three");
    expect(textsOf(second.host)).toEqual(["two", "three"]);
    expect(bench.relay.handshakes.at(-1)).toBe("resume");

    const { channelId, guildId } = bench.peer.manifest.fixture;
    bench.relay.answer(({ path }) =>
      path.includes("/users/@me/guilds") ? { status: 200, json: [{ id: guildId, name: "Our Guild" }] } : undefined,
    );
    expect(await second.connection.directory?.groups?.("crabline-channel", 5)).toEqual([
      { kind: "group", id: channelId, name: "Our Guild #crabline-channel" },
    ]);
    await second.connection.close();
  });

  it("without the session, what was missed is read where somebody spoke lately, oldest first and with roles", async () => {
    const { channelId, guildId } = bench.peer.manifest.fixture;
    const first = await bench.start();
    await bench.peer.say("old", { channelId, guildId });
    await said(first.host, "old");
    await first.connection.close();
    for (const text of ["missed one", "missed two"]) await bench.peer.say(text, { channelId, guildId });
    bench.relay.forgetSessions();
    bench.relay.answer(({ path }) =>
      path.endsWith(`/members/${ALICE}`) ? { status: 200, json: { roles: ["400000000000000001"] } } : undefined,
    );
    const second = await bench.start({ memory: first.host.memory });
    const event = await said(second.host, "missed two");
    expect(textsOf(second.host)).toEqual(["missed one", "missed two"]);
    expect(event).toMatchObject({
      chat: { kind: "channel", id: channelId, guildId },
      sender: { id: ALICE, roles: ["400000000000000001"] },
    });
    expect(bench.relay.handshakes.slice(-2)).toEqual(["refused", "identify"]);
    await second.connection.close();
  });

  it("with another token the old session is not used", async () => {
    const first = await bench.start();
    await first.connection.close();
    const second = await bench.start({
      memory: first.host.memory,
      settings: { token: bench.peer.manifest.driverBotToken },
    });
    expect(bench.relay.handshakes.at(-1)).toBe("identify");
    await second.connection.close();
  });
});

describe("an event that cannot be written down", () => {
  it("does not hold up other chats", async () => {
    const { channelId, guildId } = bench.peer.manifest.fixture;
    const { connection, host } = await bench.start();
    host.answer(async ({ chat }) => {
      if (chat.kind === "direct") throw new Error("the disk is full");
      return { kind: "accepted" };
    });
    await bench.peer.say("stuck");
    await bench.peer.say("goes through", { channelId, guildId });
    await said(host, "goes through");
    await connection.close();
  });
});

describe("an interaction that comes by HTTP", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const hexKey = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
  const path = "/discord/default/interactions";
  const request = (payload: unknown, at = Date.now()) => {
    const body = Buffer.from(JSON.stringify(payload));
    const timestamp = String(Math.floor(at / 1000));
    const signature = sign(null, Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString("hex");
    return {
      method: "POST",
      path,
      body,
      headers: { "x-signature-ed25519": signature, "x-signature-timestamp": timestamp },
    };
  };
  const command = {
    id: "1477593600000000900",
    application_id: "135000000000000001",
    type: 2,
    token: "t",
    channel_id: "300000000000000002",
    channel: { id: "300000000000000002", type: 1 },
    user: { id: ALICE, username: "alice" },
    data: { name: "new", type: 1 },
  };

  it("is taken with a signature Discord's own check accepts, and with no other", async () => {
    const { connection, host } = await bench.start({ settings: { publicKey: hexKey } });
    const good = request(command);
    const { "x-signature-ed25519": signature, "x-signature-timestamp": timestamp } = good.headers;
    expect(await verifyKey(good.body, signature, timestamp, hexKey)).toBe(true);
    const changed = { ...good, body: Buffer.from(JSON.stringify({ ...command, token: "u" })) };
    expect(await verifyKey(changed.body, signature, timestamp, hexKey)).toBe(false);
    for (const forged of [changed, { ...good, headers: {} }, request(command, Date.now() - 3_600_000)]) {
      expect((await host.call(forged)).status).toBe(401);
    }
    expect(host.events).toEqual([]);

    expect(await host.call(request({ ...command, type: 1 }))).toMatchObject({ status: 200, body: '{"type":1}' });
    const answer = await host.call(good);
    expect(JSON.parse(answer.body ?? "")).toEqual({ type: 5, data: { flags: 64 } });
    expect(host.events).toMatchObject([{ chat: { kind: "direct", id: ALICE }, content: { text: "/new" } }]);
    await connection.close();
    expect((await host.call(good)).status).toBe(404);
  });

  it("finds no door without a public key", async () => {
    const { connection, host } = await bench.start();
    expect((await host.call(request(command))).status).toBe(404);
    await connection.close();
  });
});
