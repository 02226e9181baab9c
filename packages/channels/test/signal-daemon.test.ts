// What crabline does not have: files, edits, failures, lists, linking, and a daemon we start ourselves.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { GatewayError, type ChannelConnection, type ChannelEvent, type OutboundMessage } from "@chela/sdk";
import { createFakeHost, type FakeHost } from "@chela/sdk/testing";
import { signalChannel } from "../src/signal/channel.ts";
import { GETS_CUT, startSignalDaemon, type RpcCall, type SignalDaemon } from "./signal-daemon.test-support.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-signal-daemon-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ACCOUNT = "+15550100000";
const OUR_UUID = "99999999-8888-4777-8666-555555555555";
const ADA = "7ccae375-cd51-4c82-8b1e-7be3280aa485";
const TO = `uuid:${ADA}`;
const never = new AbortController().signal;
const frame = (text: string, more: object = {}, timestamp = 1745372300001) => ({
  account: ACCOUNT,
  envelope: { sourceUuid: ADA, sourceNumber: null, timestamp, dataMessage: { timestamp, message: text, ...more } },
});
const text = (markdown: string): OutboundMessage => ({
  key: "k",
  target: { to: TO },
  content: { kind: "text", markdown },
  mayHaveArrived: false,
});
const textOf = ({ content }: ChannelEvent) => (content.kind === "message" ? content.text : content.kind);

async function connect(settings: object, host: FakeHost): Promise<ChannelConnection> {
  const configured = signalChannel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return signalChannel.start(configured.account, host);
}
const freshHost = (own = mkdtempSync(join(directory, "host-"))) => createFakeHost({ directory: own });

describe("a daemon that runs elsewhere", () => {
  let daemon: SignalDaemon;
  let host: FakeHost;
  let connection: ChannelConnection;
  const start = async (settings: object = {}) => {
    connection = await connect({ account: ACCOUNT, httpUrl: daemon.url, ...settings }, host);
  };
  const called = (method: string): RpcCall["params"][] =>
    daemon.calls.filter((call) => call.method === method).map(({ params }) => params);

  beforeEach(async () => {
    daemon = await startSignalDaemon();
    daemon.on("listAccounts", () => ({ result: [{ number: ACCOUNT }] }));
    host = freshHost();
  });
  afterEach(async () => {
    await connection?.close();
    await daemon[Symbol.asyncDispose]();
  });

  it("is asked who we are, so that a mention by uuid is one of us", async () => {
    daemon.on("getUserStatus", () => ({ result: [{ recipient: ACCOUNT, number: ACCOUNT, uuid: OUR_UUID }] }));
    await start();
    daemon.emit(frame("\ufffc hello", { mentions: [{ start: 0, length: 1, number: null, uuid: OUR_UUID }] }));
    expect((await host.next()).content).toMatchObject({ mentionsUs: true });
    expect(host.reported.self).toEqual({ number: ACCOUNT, id: `uuid:${OUR_UUID}` });
  });

  it("may know us without our naming the account", async () => {
    connection = await connect({ httpUrl: daemon.url }, host);
    await connection.send(text("hi"), never);
    expect(called("send")[0]).toMatchObject({ account: ACCOUNT });
  });

  it("does not have our account", async () => {
    daemon.on("listAccounts", () => ({ result: [{ number: "+15550100009" }] }));
    await expect(start()).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
  });

  it("survives frames that are broken, strange or far too large", async () => {
    await start();
    daemon.write("data:{broken\n\n:\n\ndata:{}\n\nevent:receive\n\n");
    daemon.write(`data:${"x".repeat(5 * 1024 * 1024)}`);
    daemon.write(`${"y".repeat(1024)}\n\n`);
    daemon.emit({ account: ACCOUNT, envelope: { sourceUuid: ADA }, exception: { message: "bad", type: "X" } });
    const whole = `data:${JSON.stringify(frame("in two p👍eces"))}\r\n\r\n`;
    daemon.write(whole.slice(0, 60));
    daemon.write(whole.slice(60));
    expect(textOf(await host.next())).toBe("in two p👍eces");
    expect(host.events).toHaveLength(1);
    expect(host.signs.count).toBeGreaterThan(1);
  });

  it("does not keep one chat waiting for another, and keeps the order within each", async () => {
    await start();
    const held = Promise.withResolvers<void>();
    host.answer(async (event) => {
      if (textOf(event) === "first") await held.promise;
      return { kind: "accepted" };
    });
    daemon.emit(frame("first", {}, 1745372300001));
    daemon.emit(frame("second", {}, 1745372300002));
    daemon.emit(frame("elsewhere", { groupInfo: { groupId: "R3JvdXA=" } }, 1745372300003));
    expect(textOf(await host.next())).toBe("elsewhere");
    held.resolve();
    expect([textOf(await host.next()), textOf(await host.next())]).toEqual(["first", "second"]);
  });

  it("hands everything out once, so what could not be written down is kept over a restart", async () => {
    await start();
    const refused = Promise.withResolvers<void>();
    host.answer(async () => {
      refused.resolve();
      throw new Error("the disk is full");
    });
    const both = [frame("do not lose me"), frame("nor me", {}, 1745372300002)];
    daemon.write(both.map((one) => `data:${JSON.stringify(one)}\n\n`).join(""));
    await refused.promise;
    await connection.close();
    const saved = join(host.directory, "not-received.json");
    expect(JSON.parse(readFileSync(saved, "utf8"))).toHaveLength(2);
    host = freshHost(host.directory);
    await start();
    expect([textOf(await host.next()), textOf(await host.next())]).toEqual(["do not lose me", "nor me"]);
    await connection.close();
    expect(existsSync(saved)).toBe(false);
  });

  it("ends the connection when it ends the stream", async () => {
    await start();
    daemon.cut();
    expect((await connection.ended).why).toMatch(/stream/);
    expect(host.reported.connected).toBe(false);
  });

  it("hands out files and stickers, up to a size", async () => {
    await start();
    daemon.on("getAttachment", () => ({ result: { data: Buffer.from("a cat").toString("base64") } }));
    daemon.emit(frame("", { attachments: [{ id: "Yx81.jpg", contentType: "image/jpeg", filename: null, size: 5 }] }));
    const { content } = await host.next();
    const ref = content.kind === "message" ? (content.media?.[0]?.ref ?? "") : "";
    const parts: Uint8Array[] = [];
    for await (const part of (await connection.download?.(ref, never)) ?? []) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe("a cat");
    expect(called("getAttachment")[0]).toEqual({ account: ACCOUNT, id: "Yx81.jpg", recipient: ADA });
    daemon.on("getAttachment", () => ({ result: { data: "x".repeat(12 * 1024 * 1024) } }));
    await expect(connection.download?.(ref, never)).rejects.toBeInstanceOf(GatewayError);
  });

  it("is sent files as bytes, with their caption", async () => {
    await start();
    const path = join(host.directory, "0a1b2c");
    writeFileSync(path, "%PDF");
    const media = { kind: "file" as const, path, mimeType: "application/pdf", name: "the bill;1.pdf", bytes: 4 };
    await connection.send({ ...text(""), content: { kind: "media", media, caption: "**here**" } }, never);
    expect(called("send")[0]).toMatchObject({
      message: "here",
      textStyle: ["0:4:BOLD"],
      attachments: [`data:application/pdf;filename=the_bill_1.pdf;base64,${Buffer.from("%PDF").toString("base64")}`],
    });
    rmSync(path);
    const gone = await connection.send({ ...text(""), content: { kind: "media", media } }, never);
    expect(gone).toMatchObject({ reason: "rejected" });
  });

  it("changes and deletes our messages, and nobody else's", async () => {
    await start();
    const sent = await connection.send(text("one"), never);
    const id = sent.kind === "sent" ? sent.messageId : "";
    expect(await connection.edit?.({ to: TO }, id, "*two*")).toEqual({ kind: "sent", messageId: id });
    expect(called("send")[1]).toMatchObject({ message: "two", textStyle: ["0:3:ITALIC"], editTimestamp: Number(id) });
    daemon.on("remoteDelete", () => ({ result: { timestamp: 1745372500000 } }));
    await connection.unsend?.({ to: TO }, id);
    expect(called("remoteDelete")[0]).toMatchObject({ recipient: [ADA], targetTimestamp: Number(id) });
    expect(await connection.edit?.({ to: TO }, `${id}:${ADA}`, "x")).toMatchObject({ reason: "rejected" });
    await expect(connection.react?.({ to: TO }, "7", "👍", false)).rejects.toMatchObject({ code: "CHANNEL_TARGET" });
  });

  it("writes what Signal has no form for as text", async () => {
    await start();
    const buttons = [
      [
        { text: "Yes", data: "/approve 1" },
        { text: "Odd", data: "opaque" },
      ],
    ];
    await connection.send({ ...text(""), content: { kind: "text", markdown: "Sure?", buttons } }, never);
    const poll = { question: "Lunch?", options: ["yes", "no"] };
    await connection.send({ ...text(""), content: { kind: "poll", poll } }, never);
    expect(called("send").map(({ message }) => message)).toEqual(["Sure?\nYes: /approve 1", "Lunch?\n1. yes\n2. no"]);
  });

  it("lists people and groups", async () => {
    daemon.on("listGroups", () => ({
      result: [
        { id: "R3JvdXA=", name: "Lunch", isMember: true, members: [{ number: null, uuid: ADA }, "+15550100002"] },
        { id: "T2xk", name: "Left", isMember: false, members: [] },
      ],
    }));
    daemon.on("listContacts", () => ({
      result: [
        {
          number: "+15550100001",
          uuid: ADA,
          name: "",
          username: null,
          profile: { givenName: "Ada", familyName: null },
        },
        { number: "+15550100002", uuid: null, name: "Twin", username: null },
        { number: "+15550100003", uuid: null, name: "Twin", username: null },
      ],
    }));
    await start();
    const { directory: book } = connection;
    expect(await book?.groups?.("lun", 10)).toEqual([{ kind: "group", id: "group:R3JvdXA=", name: "Lunch" }]);
    expect(await book?.users?.("", 1)).toEqual([{ kind: "user", id: TO, name: "Ada" }]);
    expect(await book?.members?.("group:R3JvdXA=", 10)).toMatchObject([{ id: TO }, { id: "+15550100002" }]);
    expect(await connection.resolveName?.("Ada", "user")).toBe(TO);
    expect(await connection.resolveName?.("Twin", "user")).toBeUndefined();
    expect(await connection.resolveName?.("Left", "group")).toBeUndefined();
  });

  const results = (...types: string[]) => ({
    timestamp: 1745372400000,
    results: types.map((type) => ({ recipientAddress: { uuid: ADA }, type, retryAfterSeconds: 30 })),
  });
  it.each<[string, object | string, object]>([
    [
      "nobody there",
      { error: { code: -1, message: "Failed", data: { response: results("UNREGISTERED_FAILURE") } } },
      { reason: "unreachable" },
    ],
    [
      "nobody there, in words",
      { error: { code: -1, message: "The user +1 is not registered." } },
      { reason: "unreachable" },
    ],
    ["a new safety number", { error: { code: -4, message: "Untrusted Identity" } }, { reason: "unreachable" }],
    ["a group we left", { error: { code: -1, message: "User is not a group member" } }, { reason: "unreachable" }],
    ["no network", { result: results("NETWORK_FAILURE") }, { reason: "unavailable" }],
    [
      "too many",
      { error: { code: -5, message: "Rate limit reached, retry after 12 seconds" } },
      { reason: "rate-limited", retryAfterMs: 12_000, holdsFor: "account" },
    ],
    ["a captcha", { result: results("PROOF_REQUIRED_FAILURE") }, { reason: "rate-limited", retryAfterMs: 30_000 }],
    [
      "no such account",
      { error: { code: -32602, message: "Specified account does not exist" } },
      { reason: "unauthorised" },
    ],
    ["bad parameters", { error: { code: -32602, message: "Invalid params" } }, { reason: "rejected" }],
    [
      "a file it cannot take",
      { error: { code: -32603, message: "x (AttachmentInvalidException)" } },
      { reason: "rejected" },
    ],
    ["an error inside", { error: { code: -32603, message: "null" } }, { reason: "unavailable" }],
    ["a group that got it in part", { result: results("NETWORK_FAILURE", "SUCCESS") }, { kind: "sent" }],
    ["no word about it", { result: {} }, { reason: "uncertain" }],
    ["a lost answer", GETS_CUT, { reason: "uncertain" }],
  ])("says what became of a message: %s", async (_name, answer, expected) => {
    await start();
    daemon.on("send", () => answer as never);
    expect(await connection.send(text("hi"), never)).toMatchObject(expected);
  });

  it("is gone", async () => {
    await start();
    await daemon[Symbol.asyncDispose]();
    expect((await connection.ended).why).toMatch(/signal-cli/);
    // A call that finds a kept connection not yet seen to be closed cannot know whether it was heard.
    expect(await connection.send(text("hi"), never)).toMatchObject({
      reason: expect.stringMatching(/^(?:unavailable|uncertain)$/),
    });
    await expect(connect({ account: ACCOUNT, httpUrl: daemon.url }, freshHost())).rejects.toMatchObject({
      code: "CHANNEL_OFFLINE",
    });
  });

  it("links a further device", async () => {
    daemon.on("startLink", () => ({ result: { deviceLinkUri: "sgnl://linkdevice?uuid=a&pub_key=b" } }));
    daemon.on("finishLink", () => ({ result: { number: ACCOUNT } }));
    const configured = signalChannel.configure({ account: ACCOUNT, httpUrl: daemon.url }, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    await signalChannel.login?.(configured.account, host, never);
    expect(host.links).toEqual([{ kind: "qr", text: "sgnl://linkdevice?uuid=a&pub_key=b" }, { kind: "linked" }]);
    daemon.on("finishLink", () => ({ result: { number: "+15550100009" } }));
    await expect(signalChannel.login?.(configured.account, freshHost(), never)).rejects.toMatchObject({
      code: "CHANNEL_SETTINGS",
    });
  });
});

describe("a daemon of our own", () => {
  // A stand-in for the program: it notes how it was called, and listens.
  const program = join(directory, "signal-cli");
  const noted = join(directory, "called.json");
  const stand = (body: string): void => {
    const note = `require("fs").writeFileSync(${JSON.stringify(noted)}, JSON.stringify({ args: process.argv.slice(2), env: process.env, pid: process.pid }));`;
    writeFileSync(program, `#!${process.execPath}\n${note}\n${body}\n`);
    chmodSync(program, 0o755);
  };
  const calledWith = () =>
    JSON.parse(readFileSync(noted, "utf8")) as { args: string[]; env: Record<string, string>; pid: number };
  const LISTEN = `
    const port = Number(process.argv[process.argv.indexOf("--http") + 1].split(":")[1]);
    require("http").createServer((request, response) => {
      if (request.url.startsWith("/api/v1/events")) return response.writeHead(200).flushHeaders();
      if (request.url === "/api/v1/check") return response.end();
      response.end(JSON.stringify({ error: { code: -32601, message: "Method not implemented" } }));
    }).listen(port, "127.0.0.1");`;
  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  async function freePort(): Promise<number> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    return port;
  }

  it("is started with the account, few variables and no shell, and stopped with the connection", async () => {
    stand(LISTEN);
    const httpPort = await freePort();
    process.env["CHELA_TEST_SECRET"] = "do not hand on";
    const connection = await connect({ account: ACCOUNT, cliPath: program, httpPort }, freshHost());
    delete process.env["CHELA_TEST_SECRET"];
    const { args, env, pid } = calledWith();
    const listen = `127.0.0.1:${httpPort}`;
    expect(args).toEqual([
      "-a",
      ACCOUNT,
      "daemon",
      "--http",
      listen,
      "--no-receive-stdout",
      "--receive-mode",
      "on-connection",
      "--ignore-stories",
    ]);
    expect(env).not.toHaveProperty("CHELA_TEST_SECRET");
    expect(isRunning(pid)).toBe(true);
    await connection.close();
    expect(isRunning(pid)).toBe(false);
  });

  it("ends the connection when it dies, and says so when it dies at once", async () => {
    stand(`${LISTEN}`);
    const connection = await connect({ account: ACCOUNT, cliPath: program, httpPort: await freePort() }, freshHost());
    process.kill(calledWith().pid, "SIGKILL");
    expect((await connection.ended).why).toMatch(/signal-cli/);
    await connection.close();
    stand(`console.error("User ${ACCOUNT} is not registered."); process.exit(1);`);
    const settings = { account: ACCOUNT, cliPath: program, httpPort: await freePort() };
    await expect(connect(settings, freshHost())).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    stand("process.exit(3);");
    await expect(connect(settings, freshHost())).rejects.toMatchObject({
      code: "CHANNEL_OFFLINE",
      detail: expect.stringContaining("3") as unknown,
    });
  });

  it("is not there", async () => {
    const settings = { account: ACCOUNT, cliPath: join(directory, "nowhere"), httpPort: await freePort() };
    await expect(connect(settings, freshHost())).rejects.toMatchObject({ code: "CHANNEL_SETTINGS" });
  });

  it("links a further device by the code the program prints", async () => {
    stand(`console.log("sgnl://linkdevice?uuid=c"); console.log("Associated with: ${ACCOUNT}");`);
    const configured = signalChannel.configure({ account: ACCOUNT, cliPath: program }, () => undefined);
    if (configured.kind !== "configured") throw new Error(configured.why);
    const host = freshHost();
    await signalChannel.login?.(configured.account, host, never);
    expect(host.links).toEqual([{ kind: "qr", text: "sgnl://linkdevice?uuid=c" }, { kind: "linked" }]);
    stand(`console.error("Link request timed out"); process.exit(1);`);
    await expect(signalChannel.login?.(configured.account, host, never)).rejects.toMatchObject({
      code: "CHANNEL_REFUSED",
    });
  });
});
