// Signal against crabline's daemon, a peer we did not write.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSignalServer } from "@openclaw/crabline";
import { afterAll, describe, expect, it } from "vitest";
import type { ChannelConnection, OutboundMessage } from "@chela/sdk";
import { createFakeHost, testChannel, type FakeHost } from "@chela/sdk/testing";
import { signalChannel } from "../src/signal/channel.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-signal-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ACCOUNT = "+15550100000";
const ADA = "7ccae375-cd51-4c82-8b1e-7be3280aa485";
const GROUP = "VGhpc0lzQUdyb3VwSWQ=";
const never = new AbortController().signal;

interface Call {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

async function startPeer(name: string) {
  const heard: Array<{ type: string; body: Call }> = [];
  const waiting: Array<() => void> = [];
  const start = (port: number) =>
    startSignalServer({
      account: ACCOUNT,
      adminToken: "admin-of-the-test",
      host: "127.0.0.1",
      port,
      recorderPath: join(directory, `${name}.jsonl`),
      onEvent: (event) => {
        heard.push(event as unknown as (typeof heard)[number]);
        for (const wake of waiting.splice(0)) wake();
      },
    });
  let server = await start(0);
  const { baseUrl, endpoints } = server.manifest;
  return {
    settings: { account: ACCOUNT, httpUrl: baseUrl },
    async calls(method: string, count: number): Promise<Array<Record<string, unknown>>> {
      for (;;) {
        const found = heard.filter(({ type, body }) => type === "api" && body?.method === method);
        if (found.length >= count) return found.map(({ body }) => body.params);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async say(body: Record<string, unknown>): Promise<void> {
      const answer = await fetch(endpoints.adminInboundUrl, {
        method: "POST",
        headers: { "content-type": "application/json", "x-crabline-admin-token": "admin-of-the-test" },
        body: JSON.stringify({ sourceNumber: "+15550100001", sourceUuid: ADA, sourceName: "Ada", ...body }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    async cut(): Promise<void> {
      await server.close();
      server = await start(Number(new URL(baseUrl).port));
    },
    close: () => server.close(),
  };
}

async function connect(settings: object, host: FakeHost): Promise<ChannelConnection> {
  const configured = signalChannel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return signalChannel.start(configured.account, host);
}
const message = (to: string, markdown: string): OutboundMessage => ({
  key: "k",
  target: { to },
  content: { kind: "text", markdown },
  mayHaveArrived: false,
});

testChannel("Signal (crabline)", async () => {
  const peer = await startPeer("contract");
  let sourceName = "Ada";
  return {
    channel: signalChannel,
    settings: peer.settings,
    peer: {
      say: (text) => peer.say({ text, sourceName }),
      heard: async (count) => (await peer.calls("send", count)).map(({ message: text }) => String(text)),
      sayInGroup: (text) => peer.say({ text, groupId: GROUP, sourceName }),
      rename: async (name) => void (sourceName = name),
      nowhere: "+12",
      cut: () => peer.cut(),
      redelivers: true,
    },
    [Symbol.asyncDispose]: () => peer.close(),
  };
});

describe("Signal, by crabline", () => {
  it("writes styles as ranges, quotes, reacts, shows typing and receipts", async () => {
    const peer = await startPeer("actions");
    const host = createFakeHost({ directory: mkdtempSync(join(directory, "actions-")) });
    const connection = await connect({ ...peer.settings, sendReadReceipts: true }, host);
    await peer.say({ text: "hi" });
    const { messageId = "", replyTarget } = await host.next();
    const [timestamp] = messageId.split(":");

    await connection.send({ ...message(replyTarget.to, "**yes** 👍 `no`"), replyTo: messageId }, never);
    expect(await peer.calls("send", 1)).toEqual([
      {
        account: ACCOUNT,
        recipient: [ADA],
        message: "yes 👍 no",
        textStyle: ["0:3:BOLD", "7:2:MONOSPACE"],
        quoteTimestamp: Number(timestamp),
        quoteAuthor: ADA,
        quoteMessage: "hi",
      },
    ]);
    await connection.react?.(replyTarget, messageId, "🎉", false);
    expect((await peer.calls("sendReaction", 1))[0]).toMatchObject({
      emoji: "🎉",
      targetAuthor: ADA,
      targetTimestamp: Number(timestamp),
    });
    await connection.typing?.({ to: `group:${GROUP}` });
    expect((await peer.calls("sendTyping", 1))[0]).toEqual({ account: ACCOUNT, groupId: GROUP });
    await connection.markRead?.(replyTarget, messageId);
    expect((await peer.calls("sendReceipt", 1))[0]).toMatchObject({ recipient: ADA, type: "read" });
    expect(await connection.probe?.()).toEqual({ version: "crabline-signal-1" });
    await connection.close();
    await peer.close();
  });

  it("keeps two people with one name apart, and sends receipts only when told to", async () => {
    const peer = await startPeer("names");
    const host = createFakeHost({ directory: mkdtempSync(join(directory, "names-")) });
    const connection = await connect(peer.settings, host);
    await peer.say({ text: "I am Ada" });
    await peer.say({
      text: "me too",
      sourceNumber: "+15550100666",
      sourceUuid: "66666666-cd51-4c82-8b1e-7be3280aa485",
    });
    const [ada, other] = [await host.next(), await host.next()];
    expect(other.sender.name).toBe(ada.sender.name);
    expect([other.sender.id, ...(other.sender.otherIds ?? [])]).not.toContain(ada.sender.id);
    expect([ada.sender.id, ...(ada.sender.otherIds ?? [])]).not.toContain(other.sender.id);
    expect(connection.markRead).toBeUndefined();
    expect(host.reported).toMatchObject({ connected: true, linked: true, self: { number: ACCOUNT } });
    await connection.close();
    await peer.close();
  });

  it("says that the account is not the peer's", async () => {
    const peer = await startPeer("account");
    const host = createFakeHost({ directory: mkdtempSync(join(directory, "account-")) });
    const connection = await connect({ ...peer.settings, account: "+15550100009" }, host);
    expect(await connection.send(message("+15550100001", "hi"), never)).toMatchObject({ reason: "unauthorised" });
    await connection.close();
    await peer.close();
  });

  it("takes what arrived before it was connected", async () => {
    const peer = await startPeer("missed");
    await peer.say({ text: "early bird" });
    const host = createFakeHost({ directory: mkdtempSync(join(directory, "missed-")) });
    const connection = await connect(peer.settings, host);
    expect((await host.next()).content).toMatchObject({ text: "early bird" });
    await connection.close();
    await peer.close();
  });
});
