// What the Slack channel can do in a workspace, tried with emulate's Web API.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SendOutcome } from "@chela/sdk";
import { openWorkspace, type Workspace } from "./slack-workspace.test-support.ts";

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace();
});
afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
});

const user = (name: string): string => workspace.users[name] ?? "";
const lobby = () => ({ to: `channel:${workspace.channels["lobby"]}` });
const alice = () => ({ to: `user:${user("alice")}` });

interface Kept {
  readonly ts: string;
  readonly text: string;
  readonly user: string;
  readonly thread_ts?: string;
  readonly blocks?: ReadonlyArray<{ type: string; elements?: ReadonlyArray<Record<string, unknown>> }>;
  readonly metadata?: unknown;
  readonly files?: ReadonlyArray<{ name: string; size: number; url_private_download: string }>;
}

async function kept(channel: string, ts: string): Promise<Kept | undefined> {
  const { messages } = await workspace.call("bot", "conversations.replies", { channel, ts });
  return (messages as Kept[]).find((message) => message.ts === ts);
}

function idOf(outcome: SendOutcome): string {
  if (outcome.kind === "failed") throw new Error(`not sent: ${outcome.why}`);
  return outcome.messageId;
}

async function sendKept(target: { to: string; threadId?: string }, ...rest: [content: string, more?: object]) {
  const outcome = await workspace.send(target, ...rest);
  const ts = idOf(outcome);
  const channel = outcome.kind === "sent" ? (outcome.chatId ?? "") : "";
  return { ts, channel, message: await kept(channel, ts) };
}

describe("messages of ours", () => {
  it("are written in Slack's dialect", async () => {
    const { message } = await sendKept(lobby(), "**Done** & <dusted>: [page](https://example.org)");
    expect(message?.text).toBe("*Done* &amp; &lt;dusted&gt;: <https://example.org|page>");
  });

  it("to a person go to the direct conversation, which is opened once", async () => {
    const first = await sendKept(alice(), "hello");
    const second = await sendKept(alice(), "again");
    expect(first.channel).toMatch(/^D/);
    expect(second.channel).toBe(first.channel);
  });

  it("stay in the thread of their target, or begin one below the message they answer", async () => {
    const root = await sendKept(lobby(), "root");
    const inside = await sendKept({ ...lobby(), threadId: root.ts }, "inside");
    expect(inside.message?.thread_ts).toBe(root.ts);
    const answer = await sendKept(lobby(), "answer", { replyTo: root.ts });
    expect(answer.message?.thread_ts).toBe(root.ts);
  });

  it("with buttons carry the text as blocks, and each button its data", async () => {
    const outcome = await workspace.send(lobby(), {
      kind: "text",
      markdown: "Run **it**?",
      buttons: [
        [
          { text: "Yes", data: "approve:1" },
          { text: "No", data: "deny:1" },
        ],
      ],
    });
    const message = await kept(workspace.channels["lobby"] ?? "", idOf(outcome));
    expect(message?.text).toBe("Run *it*?");
    expect(message?.blocks).toMatchObject([
      { type: "section", text: { type: "mrkdwn", text: "Run *it*?" } },
      { type: "actions", elements: [{ value: "approve:1", text: { text: "Yes" } }, { value: "deny:1" }] },
    ]);
  });

  it("are edited, lose their buttons by that, and can be taken back", async () => {
    const outcome = await workspace.send(lobby(), {
      kind: "text",
      markdown: "thinking",
      buttons: [[{ text: "Stop", data: "stop" }]],
    });
    const ts = idOf(outcome);
    const channel = workspace.channels["lobby"] ?? "";
    for (const text of ["thought", "thought"]) {
      expect(await workspace.connection.edit?.(lobby(), ts, text)).toMatchObject({ kind: "sent", messageId: ts });
    }
    expect(await kept(channel, ts)).toMatchObject({ text: "thought" });
    expect((await kept(channel, ts))?.blocks ?? []).toEqual([]);
    await workspace.connection.unsend?.(lobby(), ts);
    await workspace.connection.unsend?.(lobby(), ts);
    expect(await kept(channel, ts)).toBeUndefined();
    expect(await workspace.connection.edit?.(lobby(), ts, "too late")).toMatchObject({
      kind: "failed",
      reason: "rejected",
    });
  });

  it("can be sent as Slack's own Markdown", async () => {
    await using other = await openWorkspace({ markdownBlocks: true });
    const outcome = await other.send({ to: `channel:${other.channels["lobby"]}` }, "**bold** <!channel>");
    const { messages } = await other.call("bot", "conversations.history", { channel: other.channels["lobby"] });
    const message = (messages as Kept[]).find(({ ts }) => ts === idOf(outcome));
    expect(message?.blocks).toEqual([{ type: "markdown", text: "**bold** &lt;!channel>" }]);
  });
});

describe("a message that may have arrived", () => {
  it("is found by its key, in a channel and in a thread", async () => {
    const root = await sendKept(lobby(), "the root", { key: "key-root" });
    const inside = await sendKept({ ...lobby(), threadId: root.ts }, "inside", { key: "key-inside" });
    const find = (key: string, target: { to: string; threadId?: string }) =>
      workspace.connection.findSent?.({
        key,
        target,
        content: { kind: "text", markdown: "whatever" },
        mayHaveArrived: true,
      });
    expect(await find("key-root", lobby())).toMatchObject({ kind: "sent", messageId: root.ts });
    expect(await find("key-inside", { ...lobby(), threadId: root.ts })).toMatchObject({ messageId: inside.ts });
    expect(await find("key-never", lobby())).toMatchObject({ kind: "failed", reason: "unavailable" });
    expect(await find("key-root", { to: "channel:C0NOWHERE1" })).toBeUndefined();
  });

  it("is not mistaken for somebody else's that carries the same key", async () => {
    const metadata = { event_type: "chela_delivery", event_payload: { key: "key-forged" } };
    await workspace.call("mallory", "chat.postMessage", { channel: workspace.channels["lobby"], text: "x", metadata });
    const found = await workspace.connection.findSent?.({
      key: "key-forged",
      target: lobby(),
      content: { kind: "text", markdown: "x" },
      mayHaveArrived: true,
    });
    expect(found?.kind).toBe("failed");
  });
});

describe("what Slack refuses", () => {
  it.each([
    ["a channel that does not exist", "channel:C0NOWHERE1", "unreachable"],
    ["a person who does not exist", "user:U0NOBODY01", "unreachable"],
    ["something that is no address", "carrier pigeon", "unreachable"],
  ])("is told: %s", async (_name, to, reason) => {
    const outcome = await workspace.send({ to }, "hello?");
    expect(outcome).toMatchObject({ kind: "failed", reason });
    expect(JSON.stringify(outcome)).not.toContain("xoxb");
  });

  it("is told: an archived channel, a poll, an endless button", async () => {
    const { channel } = await workspace.call("alice", "conversations.create", { name: "old" });
    const { id } = channel as { id: string };
    await workspace.call("alice", "conversations.invite", { channel: id, users: user("bot") });
    await workspace.call("alice", "conversations.archive", { channel: id });
    expect(await workspace.send({ to: `channel:${id}` }, "?")).toMatchObject({ reason: "unreachable" });
    const poll = { kind: "poll" as const, poll: { question: "?", options: ["a", "b"] } };
    expect(await workspace.send(lobby(), poll)).toMatchObject({ reason: "rejected" });
    const buttons = [[{ text: "Go", data: "x".repeat(2001) }]];
    expect(await workspace.send(lobby(), { kind: "text", markdown: "?", buttons })).toMatchObject({
      reason: "rejected",
    });
  });
});

describe("files", () => {
  it("are sent with their caption, found again, and their bytes come back", async () => {
    const bytes = Buffer.from("not really a picture".repeat(1_000));
    const path = join(workspace.directory, "cat.png");
    writeFileSync(path, bytes);
    const media = { kind: "image" as const, path, mimeType: "image/png", name: "cat.png", bytes: bytes.length };
    const content = { kind: "media" as const, media, caption: "a **cat**" };
    const outcome = await workspace.send(lobby(), content, { key: "key-file" });
    const channel = workspace.channels["lobby"] ?? "";
    const message = await kept(channel, idOf(outcome));
    expect(message).toMatchObject({ text: "a *cat*", files: [{ name: "cat.png", size: bytes.length }] });
    const again = { key: "key-file", target: lobby(), content, mayHaveArrived: true };
    expect(await workspace.connection.findSent?.(again)).toMatchObject({ kind: "sent", messageId: idOf(outcome) });

    const parts: Uint8Array[] = [];
    const url = message?.files?.[0]?.url_private_download ?? "";
    const stream = await workspace.connection.download?.(url, new AbortController().signal);
    for await (const part of stream ?? []) parts.push(part);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it("are not fetched from anywhere but Slack, and not beyond the limit", async () => {
    const download = (ref: string) => workspace.connection.download?.(ref, new AbortController().signal);
    for (const ref of ["https://example.org/x", "http://files.slack.com/x", "https://slack.com.example.org/x", "x"]) {
      await expect(download(ref)).rejects.toMatchObject({ code: "MEDIA_REFUSED" });
    }
    await using small = await openWorkspace({ mediaMaxMb: 0.001 });
    const path = join(small.directory, "big.txt");
    writeFileSync(path, "x".repeat(5_000));
    const media = { kind: "file" as const, path, mimeType: "text/plain", name: "big.txt", bytes: 5_000 };
    const channel = small.channels["lobby"] ?? "";
    await small.send({ to: `channel:${channel}` }, { kind: "media", media });
    const { messages } = await small.call("bot", "conversations.history", { channel });
    const ref = (messages as Kept[])[0]?.files?.[0]?.url_private_download ?? "";
    const stream = await small.connection.download?.(ref, new AbortController().signal);
    const read = async (): Promise<void> => {
      for await (const _part of stream ?? []);
    };
    await expect(read()).rejects.toMatchObject({ code: "MEDIA_REFUSED" });
  });
});

describe("reactions, pins and reading back", () => {
  it("reacts by name or character, and does not mind doing it twice", async () => {
    const { ts } = await sendKept(lobby(), "react to me");
    const { react, reactions } = workspace.connection;
    for (const emoji of ["👍", ":thumbsup:", "eyes"]) await react?.(lobby(), ts, emoji, false);
    expect(await reactions?.(lobby(), ts)).toEqual([
      { emoji: "👍", userIds: [user("bot")] },
      { emoji: "👀", userIds: [user("bot")] },
    ]);
    for (let time = 0; time < 2; time += 1) await react?.(lobby(), ts, "👀", true);
    expect((await reactions?.(lobby(), ts))?.map(({ emoji }) => emoji)).toEqual(["👍"]);
    await expect(react?.(lobby(), ts, "🫠🫠", false)).rejects.toMatchObject({ code: "CHANNEL_REFUSED" });
  });

  it("pins and unpins", async () => {
    const { ts } = await sendKept(lobby(), "pin me");
    for (let time = 0; time < 2; time += 1) await workspace.connection.pin?.(lobby(), ts, false);
    expect(await workspace.connection.pins?.(lobby())).toMatchObject([{ id: ts, text: "pin me", isOurs: true }]);
    for (let time = 0; time < 2; time += 1) await workspace.connection.pin?.(lobby(), ts, true);
    expect(await workspace.connection.pins?.(lobby())).toEqual([]);
  });

  it("reads back what was said, oldest first, by name", async () => {
    const text = `hi <@${user("bot")}> &amp; all`;
    const { ts } = await workspace.call("alice", "chat.postMessage", { channel: workspace.channels["quiet"], text });
    const quiet = { to: `channel:${workspace.channels["quiet"]}` };
    await sendKept({ ...quiet, threadId: String(ts) }, "in the thread");
    await sendKept(quiet, "hi alice");
    expect(await workspace.connection.history?.(quiet, { limit: 10 })).toMatchObject([
      { id: ts, text: "hi @bot & all", isOurs: false, sender: { id: user("alice"), name: "alice" } },
      { text: "hi alice", isOurs: true },
    ]);
    expect(await workspace.connection.history?.({ ...quiet, threadId: String(ts) }, { limit: 10 })).toHaveLength(2);
  });

  it("opens a thread on a message, or on a new one", async () => {
    const { ts } = await sendKept(lobby(), "talk here");
    expect(await workspace.connection.createThread?.(lobby(), "x", ts)).toEqual({ ...lobby(), threadId: ts });
    const fresh = await workspace.connection.createThread?.(lobby(), "a *new* one");
    expect(await kept(workspace.channels["lobby"] ?? "", fresh?.threadId ?? "")).toMatchObject({ text: "a _new_ one" });
  });
});

describe("names", () => {
  it("are resolved to the one id they have", async () => {
    const { resolveName, directory } = workspace.connection;
    expect(await resolveName?.("#lobby", "group")).toBe(workspace.channels["lobby"]);
    expect(await resolveName?.("@alice", "user")).toBe(user("alice"));
    expect(await resolveName?.("nobody", "user")).toBeUndefined();
    expect(await directory?.self()).toMatchObject({ id: user("bot"), name: "bot" });
    expect(await directory?.users?.("ali", 5)).toMatchObject([{ kind: "user", id: user("alice"), username: "alice" }]);
    expect(await directory?.groups?.("lob", 5)).toMatchObject([{ kind: "group", name: "#lobby" }]);
    expect((await directory?.members?.(workspace.channels["lobby"] ?? "", 50))?.map(({ id }) => id)).toContain(
      user("alice"),
    );
    expect(await workspace.connection.probe?.()).toMatchObject({ user: "bot", user_id: user("bot") });
  });

  it("decide nothing: somebody who takes another's name is still somebody else", async () => {
    await using town = await openWorkspace();
    const { users, channels, host } = town;
    await town.call("mallory", "users.profile.set", { profile: { display_name: "alice", real_name: "Alice Example" } });
    const say = async (name: string, ts: string): Promise<void> => {
      const event = { type: "message", channel: channels["lobby"], user: users[name], ts, text: `I am ${name}` };
      expect((await town.hand({ ...event, channel_type: "channel" })).status).toBe(200);
    };
    await say("alice", "1763200000.000001");
    await say("mallory", "1763200000.000002");
    const [real, fake] = [await host.next(), await host.next()];
    expect(real.sender).toEqual({ id: users["alice"], name: "alice" });
    expect(fake.sender).toEqual({ id: users["mallory"], name: "alice" });
    expect(real.chat.title).toBe("#lobby");
    // Two have the name now, so it names nobody.
    expect(await town.connection.resolveName?.("alice", "user")).toBeUndefined();
  });
});
