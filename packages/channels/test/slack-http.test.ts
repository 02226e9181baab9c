// Slack's Events API over HTTP: who is believed, what is acknowledged, and what comes again.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Channel } from "@chela/sdk";
import { createFakeClock, createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { slackChannel } from "../src/slack/channel.ts";
import { openEventsPeer, type EventsPeer } from "./slack-events.test-support.ts";
import { openWorkspace, signed, type Workspace } from "./slack-workspace.test-support.ts";

const JSON_TYPE = "application/json";
const message = (ts: string, more: object = {}) => ({
  type: "message",
  channel: "D0ALICEDM1",
  channel_type: "im",
  user: "U0ALICE001",
  text: "hi",
  ts,
  ...more,
});
const body = (ts: string, more: object = {}): string =>
  JSON.stringify({ type: "event_callback", event_id: `Ev${ts}`, event: message(ts), ...more });

describe("a request", () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openWorkspace({ slashCommand: { enabled: true } });
  });
  afterAll(async () => {
    await workspace[Symbol.asyncDispose]();
  });
  const receivedBy = async (call: Parameters<FakeHost["call"]>[0]): Promise<[status: number, events: number]> => {
    const before = workspace.host.events.length;
    const { status } = await workspace.host.call(call);
    return [status, workspace.host.events.length - before];
  };

  it("is believed with the signature Slack's documentation gives for it, for five minutes", async () => {
    const text = [
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V",
      "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=",
      "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN",
      "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    ].join("");
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    };
    const clock = createFakeClock(1_531_420_618_000);
    await using then = await openWorkspace({}, clock);
    const statusOf = async (body: string): Promise<number> =>
      (await then.host.call({ method: "POST", path: "/slack/events", headers, body: Buffer.from(body) })).status;
    expect(await statusOf(text)).toBe(200);
    expect(await statusOf(`${text}&`)).toBe(401);
    await clock.advance(301_000);
    expect(await statusOf(text)).toBe(401);
  });

  it("that is signed is received; changed, unsigned, foreign and old ones have no effect at all", async () => {
    const good = signed(body("1.000001"), JSON_TYPE);
    expect(await receivedBy(good)).toEqual([200, 1]);
    const { "x-slack-signature": _signature, ...unsigned } = good.headers;
    const bad = [
      { ...good, body: Buffer.from(body("1.000002")) },
      { ...good, headers: unsigned },
      { ...good, headers: { ...good.headers, "x-slack-signature": "v0=" } },
      {
        ...good,
        headers: { ...good.headers, "x-slack-signature": good.headers["x-slack-signature"].replace("v0", "v1") },
      },
      { ...good, headers: { ...good.headers, "x-slack-request-timestamp": "0x10" } },
      signed(body("1.000003"), JSON_TYPE, { secret: "another account's secret" }),
      signed(body("1.000004"), JSON_TYPE, { at: Date.now() - 6 * 60_000 }),
      signed(body("1.000005"), JSON_TYPE, { at: Date.now() + 6 * 60_000 }),
    ];
    for (const call of bad) expect(await receivedBy(call)).toEqual([401, 0]);
    expect(await receivedBy({ ...good, method: "GET" })).toEqual([405, 0]);
  });

  it("that cannot be read, or is for another workspace, changes nothing", async () => {
    expect(await receivedBy(signed("{", JSON_TYPE))).toEqual([400, 0]);
    expect(await receivedBy(signed("payload=%7B", "application/x-www-form-urlencoded"))).toEqual([400, 0]);
    expect(await receivedBy(signed(body("1.000006", { team_id: "T0OTHER001" }), JSON_TYPE))).toEqual([200, 0]);
    const authorizations = [{ team_id: "T0OTHER001", user_id: "U0OTHERBOT" }];
    expect(await receivedBy(signed(body("1.000007", { authorizations }), JSON_TYPE))).toEqual([200, 0]);
    for (const event of [null, 7, { type: "message" }, { type: "unheard_of" }]) {
      expect(await receivedBy(signed(JSON.stringify({ event }), JSON_TYPE))).toEqual([200, 0]);
    }
  });

  it("that verifies the address gets its challenge back", async () => {
    const answer = await workspace.host.call(
      signed(JSON.stringify({ type: "url_verification", challenge: "abc", token: "x" }), JSON_TYPE),
    );
    expect(answer).toEqual({ status: 200, body: "abc", type: "text/plain" });
  });

  it("with a command is a command, and with a button a button", async () => {
    const command = {
      command: "/openclaw",
      text: "status",
      user_id: "U0ALICE001",
      channel_id: "C0GENERAL1",
      trigger_id: "1.2",
    };
    expect(await workspace.handForm(command)).toEqual({ status: 200 });
    const event = await workspace.host.next(({ content }) => content.kind === "command");
    expect(event).toMatchObject({ content: { text: "/status" }, replyTarget: { to: "channel:C0GENERAL1" } });
    const action = {
      type: "block_actions",
      user: { id: "U0ALICE001" },
      channel: { id: "D0ALICEDM1" },
      message: { ts: "5.000001" },
      actions: [{ type: "button", action_id: "chela_0_0", value: "approve:1", action_ts: "6.0" }],
    };
    expect(await workspace.handForm({ payload: JSON.stringify(action) })).toEqual({ status: 200 });
    const pressed = await workspace.host.next(({ content }) => content.kind === "button");
    expect(pressed.content).toEqual({ kind: "button", data: "approve:1", on: "5.000001" });
  });

  it("that cannot be stored is to come again; who gave a command is told, because commands do not", async () => {
    workspace.host.answer(async () => {
      throw new Error("the disk is full");
    });
    expect((await workspace.hand(message("7.000001"))).status).toBe(500);
    const command = { command: "/openclaw", text: "status", user_id: "U0ALICE001", channel_id: "D0ALICEDM1" };
    const answer = await workspace.handForm(command);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body ?? "")).toMatchObject({ response_type: "ephemeral", text: /try again/i });
    workspace.host.answer(async () => ({ kind: "accepted" }));
    expect((await workspace.hand(message("7.000001"))).status).toBe(200);
  });

  it("in one chat does not wait for another chat, and keeps the order in its own", async () => {
    const first = Promise.withResolvers<void>();
    const seen: string[] = [];
    workspace.host.answer(async (event) => {
      if (event.messageId === "8.000001") await first.promise;
      seen.push(event.messageId ?? "");
      return { kind: "accepted" };
    });
    const slow = workspace.hand(message("8.000001"));
    const behind = workspace.hand(message("8.000002"));
    await workspace.hand(message("8.000003", { channel: "D0BOBDM001", user: "U0BOB00001" }));
    expect(seen).toEqual(["8.000003"]);
    first.resolve();
    await Promise.all([slow, behind]);
    expect(seen).toEqual(["8.000003", "8.000001", "8.000002"]);
  });

  it("from a group direct message is passed over unless dm.groupEnabled is on", async () => {
    const event = message("9.000001", { channel: "G0MPIM0001", channel_type: "mpim" });
    expect(await receivedBy(signed(JSON.stringify({ event }), JSON_TYPE))).toEqual([200, 0]);
    await using other = await openWorkspace({ dm: { groupEnabled: true } });
    await other.hand(event);
    expect((await other.host.next()).chat).toMatchObject({ kind: "group", id: "G0MPIM0001" });
  });
});

describe("commands", () => {
  it("are answered with how to switch them on, and go nowhere, unless they are on", async () => {
    await using workspace = await openWorkspace();
    const answer = await workspace.handForm({ command: "/openclaw", text: "status", user_id: "U1", channel_id: "C1" });
    expect(answer.body).toContain("slashCommand.enabled");
    expect(workspace.host.events).toEqual([]);
  });
});

describe("an account", () => {
  it("says that it is there by the clock, and ends for good when the app is removed", async () => {
    await using workspace = await openWorkspace();
    expect(workspace.host.reported).toMatchObject({ linked: true, connected: true, self: { name: "bot" } });
    await workspace.hand({ type: "tokens_revoked", tokens: { oauth: ["U0ALICE001"], bot: [] } });
    await workspace.hand({ type: "tokens_revoked", tokens: { oauth: [], bot: [workspace.users["bot"]] } });
    expect(await workspace.connection.ended).toMatchObject({ isFinal: true });
  });

  it("listens at an address of its own, and at none after it was closed", async () => {
    await using workspace = await openWorkspace({ webhookPath: "/slack/second" });
    const call = signed(body("1.000001"), JSON_TYPE, { path: "/slack/second" });
    expect((await workspace.host.call({ ...call, path: "/slack/events" })).status).toBe(404);
    expect((await workspace.host.call(call)).status).toBe(200);
    await workspace.connection.close();
    expect((await workspace.host.call(call)).status).toBe(404);
  });
});

describe("with the workspace of another maker", () => {
  let peer: EventsPeer;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "chela-slack-"));
    peer = await openEventsPeer({ chatPostMessageRateLimit: { remaining: 1, retryAfterSeconds: 7 } });
  });
  afterAll(async () => {
    await peer[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });
  const start = async (host: FakeHost, settings: object = {}) => {
    const configured = (peer.channel as Channel).configure({ ...peer.settings, ...settings }, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    return peer.channel.start(configured.account, host);
  };

  it("what was not stored is delivered again, with the same id", async () => {
    const host = createFakeHost({ directory });
    const connection = await start(host);
    let refusals = 1;
    host.answer(async () => {
      refusals -= 1;
      if (refusals >= 0) throw new Error("the disk is full");
      return { kind: "accepted" };
    });
    await peer.post({ channel: "DALICE1", text: "keep me" });
    const event = await host.next();
    expect(host.events.map(({ id }) => id)).toEqual([event.id, event.id]);
    expect(peer.delivered.at(-1)?.["x-slack-retry-num"]).toBe("1");
    await connection.close();
  });

  it("what came while we were away is taken up after the start, once, and only what is new", async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const say = (text: string, order: number) =>
      peer.post({ channel: "DBOB1", user: "UBOB", text, ts: `${seconds}.00000${order}` });
    const before = createFakeHost({ directory });
    const connection = await start(before);
    await say("the last one before", 1);
    await before.next();
    await connection.close();
    // Nobody listens now: each delivery fails twice, and the messages are only in the history.
    const deliveries = peer.delivered.length;
    await say("while you were away", 2);
    await say("are you there?", 3);
    await peer.answered(deliveries + 4);
    const after = createFakeHost({ directory, memory: before.memory });
    const again = await start(after);
    expect((await after.next()).content).toMatchObject({ text: "while you were away" });
    expect((await after.next()).content).toMatchObject({ text: "are you there?" });
    expect(after.events).toHaveLength(2);
    await again.close();
  });

  it("a pause Slack asks for is told, with its length, for the whole account", async () => {
    const connection = await start(createFakeHost({ directory }));
    const send = (key: string) =>
      connection.send(
        { key, target: { to: "channel:CGENERAL" }, content: { kind: "text", markdown: "x" }, mayHaveArrived: false },
        new AbortController().signal,
      );
    expect((await send("a")).kind).toBe("sent");
    expect(await send("b")).toMatchObject({
      kind: "failed",
      reason: "rate-limited",
      retryAfterMs: 7_000,
      holdsFor: "account",
    });
    await connection.close();
  });

  it("a refused token, a dead address and a stopped send are told apart, without the token", async () => {
    const host = createFakeHost({ directory });
    const wrong = start(host, { botToken: "xoxb-wrong" });
    await expect(wrong).rejects.toMatchObject({ code: "CHANNEL_AUTH", message: expect.not.stringContaining("xoxb") });
    await expect(start(host, { apiRoot: "http://127.0.0.1:9/api/" })).rejects.toMatchObject({
      code: "CHANNEL_OFFLINE",
    });
    const connection = await start(host);
    const stopped = new AbortController();
    const message = {
      key: "k",
      target: { to: "channel:CGENERAL" },
      content: { kind: "text" as const, markdown: "x" },
      mayHaveArrived: false,
    };
    const sending = connection.send(message, stopped.signal);
    stopped.abort();
    expect(await sending).toMatchObject({ kind: "failed", reason: "uncertain" });
    expect(await connection.send(message, stopped.signal)).toMatchObject({ reason: "unavailable" });
    await connection.close();
  });
});

describe("a file that lies elsewhere", () => {
  it("is not fetched, and the token stays with Slack, when Slack's address redirects there", async () => {
    const directory = mkdtempSync(join(tmpdir(), "chela-slack-"));
    const visits: Array<string | undefined> = [];
    const elsewhere = createServer((request, response) => {
      visits.push(request.headers.authorization);
      response.end("caught");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const slack = createServer((request, response) => {
      const away = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/x`;
      const places: Record<string, string> = { "/away": away, "/moved": "/here", "/round": "/round" };
      const location = places[request.url ?? ""];
      if (location) return void response.writeHead(302, { location }).end();
      if (request.url === "/login") return void response.writeHead(200, { "content-type": "text/html" }).end("<form>");
      if (request.url === "/here") return void response.end(request.headers.authorization);
      response.end(JSON.stringify({ ok: true, user_id: "U0BOT00001", team_id: "T0CHELA01", user: "bot" }));
    });
    await new Promise<void>((resolve) => slack.listen(0, "127.0.0.1", resolve));
    const root = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;
    const settings = { mode: "http", botToken: "xoxb-1", signingSecret: "s", apiRoot: `${root}/api/` };
    const configured = slackChannel.configure(settings, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    const connection = await slackChannel.start(configured.account, createFakeHost({ directory }));
    const download = async (path: string): Promise<string> => {
      const parts: Uint8Array[] = [];
      const stream = await connection.download?.(`${root}${path}`, new AbortController().signal);
      for await (const part of stream ?? []) parts.push(part);
      return Buffer.concat(parts).toString();
    };
    expect(await download("/moved")).toBe("Bearer xoxb-1");
    for (const path of ["/away", "/round", "/login"]) {
      await expect(download(path)).rejects.toMatchObject({ code: "MEDIA_REFUSED" });
    }
    expect(visits).toEqual([]);
    await connection.close();
    for (const server of [slack, elsewhere]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(directory, { recursive: true, force: true });
  });
});

describe("signs of life", () => {
  it("come by the clock while the address is open", async () => {
    const peer = await openEventsPeer();
    const directory = mkdtempSync(join(tmpdir(), "chela-slack-"));
    const clock = createFakeClock();
    const host = createFakeHost({ directory, clock });
    const configured = (peer.channel as Channel).configure(peer.settings, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    const connection = await peer.channel.start(configured.account, host);
    const before = host.signs.count;
    await clock.advance(55_000);
    expect(host.signs.count).toBeGreaterThan(before);
    await connection.close();
    await peer[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });
});
