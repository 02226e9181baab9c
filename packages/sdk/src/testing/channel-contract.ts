// Contract tests for every channel, tried against a peer of the platform: run it with a peer you did not write.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Channel, ChannelConnection, OutboundMessage, Target } from "../channel.ts";
import { createFakeHost, type FakeHost } from "./fake-host.ts";

/** The other side: somebody who writes to us and reads what we write. */
export interface ChannelPeer {
  /** A person writes to us directly. */
  say(text: string): Promise<void>;
  /** Texts we wrote to that person, in order; waits until there are at least `count`. */
  heard(count: number): Promise<readonly string[]>;
  /** A person writes in a group we are in. */
  sayInGroup?(text: string): Promise<void>;
  /** The person who writes directly changes their name. */
  rename?(name: string): Promise<void>;
  /** An address nobody has. */
  readonly nowhere?: string;
  /** Breaks the connection from the other side. */
  cut?(): Promise<void>;
  /** The platform hands a message out again when we did not acknowledge it. */
  readonly redelivers?: boolean;
}

export interface ChannelHarness extends AsyncDisposable {
  readonly channel: Channel;
  /** Settings of one account, as the configuration has them, that lead to the peer. */
  readonly settings: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly peer: ChannelPeer;
  /** Before the first start, where an account has to be linked; files go to `directory`. */
  prepare?(directory: string): Promise<void>;
}

export function testChannel(name: string, open: () => Promise<ChannelHarness>): void {
  describe(`${name} keeps the promises of a channel`, () => {
    let harness: ChannelHarness;
    let directory: string;
    let host: FakeHost;
    let connection: ChannelConnection;

    const start = async (): Promise<void> => {
      const { channel, settings, env } = harness;
      const configured = channel.configure(settings, (key) => env?.[key]);
      if (configured.kind !== "configured") throw new Error(`the harness is not configured: ${configured.why}`);
      host = createFakeHost({ directory, ...(host ? { memory: host.memory } : {}) });
      connection = await channel.start(configured.account, host);
    };
    const said = (text: string) =>
      host.next(({ content }) => content.kind === "message" && content.text.includes(text));
    const message = (key: string, target: Target, markdown: string): OutboundMessage => ({
      key,
      target,
      content: { kind: "text", markdown },
      mayHaveArrived: false,
    });
    const send = (key: string, target: Target, markdown: string) =>
      connection.send(message(key, target, markdown), new AbortController().signal);

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), "chela-channel-"));
      harness = await open();
      await harness.prepare?.(directory);
      await start();
    });
    afterAll(async () => {
      await connection?.close();
      await harness?.[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    });

    it("says what is missing when nothing is configured", () => {
      const empty = harness.channel.configure({}, () => undefined);
      if (empty.kind === "incomplete") expect(empty.why).toMatch(/\w+ \w+/);
      else expect(harness.channel.configure(null, () => undefined).kind).toBe("incomplete");
    });

    it("lets strangers in nowhere by default", () => {
      const policy = harness.channel.policy({});
      expect(policy.dm).toBe("pairing");
      expect(policy.group).toBe("allowlist");
      expect(policy.allowFrom).toEqual([]);
      expect(policy.groups).toEqual({});
    });

    it("takes an empty entry of a list for nobody", () => {
      for (const written of ["", "  "]) expect(harness.channel.readId(written).kind).toBe("unusable");
    });

    it("hands over what a person writes, with ids that do not change, and where to answer", async () => {
      await harness.peer.say("good morning");
      const event = await said("good morning");
      expect(event.chat.kind).toBe("direct");
      expect(event.sender.id).not.toBe("");
      expect(event.chat.id).toBe(event.sender.id);
      expect(event.id).not.toBe("");
      expect(event.replyTarget.to).not.toBe("");
      if (harness.peer.rename) {
        await harness.peer.rename("Somebody Else");
        await harness.peer.say("still me");
        expect((await said("still me")).sender.id).toBe(event.sender.id);
      }
    });

    it("reads back the address it gives out, and the id of a sender", async () => {
      await harness.peer.say("where am I");
      const { replyTarget, sender } = await said("where am I");
      expect(harness.channel.readId(sender.id)).toEqual({ kind: "id", id: sender.id });
      const read = harness.channel.readTarget(replyTarget.to);
      expect(read).toMatchObject({ kind: "target", target: { to: replyTarget.to } });
    });

    it("delivers answers in order, and names each", async () => {
      const before = (await harness.peer.heard(0)).length;
      await harness.peer.say("count to three");
      const { replyTarget } = await said("count to three");
      const ids: string[] = [];
      for (const text of ["one", "two", "three"]) {
        const outcome = await send(`order-${text}`, replyTarget, text);
        expect(outcome.kind).toBe("sent");
        if (outcome.kind === "sent") ids.push(outcome.messageId);
      }
      expect(new Set(ids).size).toBe(3);
      const heard = await harness.peer.heard(before + 3);
      expect(heard.slice(before).map((text) => text.trim())).toEqual(["one", "two", "three"]);
    });

    it("does not show a repeated message twice where it says so", async () => {
      const { dedupe } = harness.channel.traits;
      if (dedupe === "none") return;
      const before = (await harness.peer.heard(0)).length;
      await harness.peer.say("once please");
      const { replyTarget } = await said("once please");
      expect((await send("the-same-key", replyTarget, "only once")).kind).toBe("sent");
      const repeated = { ...message("the-same-key", replyTarget, "only once"), mayHaveArrived: true };
      if (dedupe === "receipt") expect((await connection.findSent?.(repeated))?.kind).toBe("sent");
      else expect((await connection.send(repeated, new AbortController().signal)).kind).toBe("sent");
      await send("another-key", replyTarget, "the end");
      const heard = await harness.peer.heard(before + 2);
      expect(heard.slice(before).map((text) => text.trim())).toEqual(["only once", "the end"]);
    });

    it("says so when an address does not exist, and goes on", async () => {
      const { nowhere } = harness.peer;
      if (nowhere === undefined) return;
      const outcome = await send("nowhere", { to: nowhere }, "hello?");
      expect(outcome).toMatchObject({ kind: "failed" });
    });

    it("knows a group from a direct chat", async () => {
      if (!harness.peer.sayInGroup) return;
      await harness.peer.sayInGroup("hello everybody");
      const event = await said("hello everybody");
      expect(event.chat.kind).not.toBe("direct");
      expect(event.chat.id).not.toBe(event.sender.id);
    });

    it("asks again for what could not be written down", async () => {
      if (!harness.peer.redelivers) return;
      const refused = Promise.withResolvers<void>();
      host.answer(async () => {
        refused.resolve();
        throw new Error("the disk is full");
      });
      await harness.peer.say("do not lose me");
      await refused.promise;
      await connection.close();
      await start();
      expect((await said("do not lose me")).content).toMatchObject({ kind: "message" });
    });

    it("notices when the connection breaks, and can be started again", async () => {
      if (!harness.peer.cut) return;
      await harness.peer.cut();
      expect((await connection.ended).why).not.toBe("");
      await connection.close();
      await start();
      await harness.peer.say("back again");
      await said("back again");
    });
  });
}
