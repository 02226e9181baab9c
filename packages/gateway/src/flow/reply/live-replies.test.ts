import { GatewayError, type ToolCallBlock } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { isAcknowledged, typingMode } from "./live-settings.ts";
import { QUIET, watchLive, type Watched } from "./live-replies.test-support.ts";

const toolCall = (name: string): ToolCallBlock => ({ type: "toolCall", id: "1", name, arguments: {} });

describe("what else was said of a run", () => {
  it.for([
    ["is known when this process accepted it and no tool ran", true, false, true],
    ["may be in the outbox when a tool ran", true, true, false],
    ["may be in the outbox when an earlier process accepted it", false, false, false],
  ] as const)("%s", ([, isAccepted, usesTool, expected]) => {
    const watched = watchLive({});
    if (isAccepted) watched.accept();
    watched.start();
    if (usesTool) watched.tell({ kind: "tool-started", call: toolCall("message") });
    expect(watched.live.knowsAll("run")).toBe(expected);
  });
});

describe("the first sign", () => {
  it.for([
    [{ direct: true, group: "never" }, true, false, true],
    [{ direct: false, group: "always" }, true, true, false],
    [{ direct: false, group: "always" }, false, false, true],
    [{ direct: false, group: "mentions" }, false, false, false],
    [{ direct: false, group: "mentions" }, false, true, true],
    [{ direct: true, group: "never" }, false, true, false],
  ] as const)("with %j, direct %s and mentioned %s: %s", ([ackIn, isDirect, wasMentioned, expected]) => {
    expect(isAcknowledged({ ackIn, ackReaction: "👀" }, { isDirect, wasMentioned })).toBe(expected);
    expect(isAcknowledged({ ackIn, ackReaction: "" }, { isDirect, wasMentioned })).toBe(false);
  });

  it("is a reaction, which is taken back once the answer is delivered if that is wanted", async () => {
    const watched = watchLive({ ackIn: { direct: true, group: "never" }, removeAckAfterReply: true, marksRead: true });
    watched.accept();
    watched.start();
    await watched.live.settle("run");
    watched.live.expect("run", "row");
    watched.end();
    await watched.settle();
    expect(watched.seen).toEqual(["read in1", "react 👀"]);
    watched.live.delivered("row");
    await watched.settle();
    expect(watched.seen).toEqual(["read in1", "react 👀", "unreact 👀"]);
  });

  it("of messages that are answered together goes with the answer to all of them", async () => {
    const watched = watchLive({ ackIn: { direct: true, group: "never" }, removeAckAfterReply: true });
    watched.accept("one", { runId: "earlier" });
    watched.accept("two");
    watched.start(["earlier"]);
    watched.end();
    await watched.settle();
    expect(watched.seen).toEqual(["react 👀", "react 👀", "unreact 👀", "unreact 👀"]);
  });

  it("is not shown for a run that is over already", async () => {
    const watched = watchLive({ ackIn: { direct: true, group: "never" }, typing: "instant" });
    watched.start();
    watched.end();
    await watched.settle();
    const before = [...watched.seen];
    watched.accept();
    await watched.clock.advance(60_000);
    expect(watched.seen).toEqual(before);
  });
});

describe("the typing sign", () => {
  it.for([
    [undefined, true, false, "instant"],
    [undefined, false, true, "instant"],
    [undefined, false, false, "message"],
    ["instant", false, false, "instant"],
    ["never", true, true, "never"],
    ["thinking", true, true, "thinking"],
  ] as const)("set to %s, direct %s, mentioned %s, has mode %s", ([typing, isDirect, wasMentioned, mode]) => {
    expect(typingMode({ typing }, { isDirect, wasMentioned })).toBe(mode);
  });

  const begins: ReadonlyArray<readonly [string, (watched: Watched) => void]> = [
    ["instant", (watched) => watched.accept()],
    ["thinking", (watched) => watched.tell({ kind: "thinking", delta: "hm" })],
    ["message", (watched) => watched.write("Well")],
  ];
  it.for(begins)("begins in mode %s with its event and no earlier", async ([typing, begin]) => {
    const watched = watchLive({ typing: typing as "instant" });
    if (typing !== "instant") watched.start();
    await watched.settle();
    expect(watched.seen).toEqual([]);
    begin(watched);
    await watched.settle();
    expect(watched.seen).toEqual(["typing"]);
  });

  it("is renewed before the platform forgets it, and until the answer is delivered", async () => {
    const watched = watchLive({ typing: "instant" });
    watched.accept();
    watched.start();
    await watched.clock.advance(4000);
    expect(watched.seen).toHaveLength(2);
    await watched.live.settle("run");
    watched.live.expect("run", "row");
    watched.end();
    await watched.clock.advance(4000);
    expect(watched.seen).toHaveLength(3);
    watched.live.delivered("row");
    await watched.clock.advance(60_000);
    expect(watched.seen).toHaveLength(3);
  });

  it("ends with a run that has no answer", async () => {
    const watched = watchLive({ typing: "instant" });
    watched.accept();
    watched.start();
    watched.end("aborted");
    await watched.clock.advance(60_000);
    expect(watched.seen.length).toBeLessThanOrEqual(1);
  });

  it("ends after two minutes without a sign of progress, and comes back with one", async () => {
    const watched = watchLive({ typing: "instant", typingEveryMs: 4000 });
    watched.accept();
    watched.start();
    await watched.clock.advance(300_000);
    expect(watched.seen).toHaveLength(30);
    watched.tell({ kind: "tool-updated", call: toolCall("exec"), partial: "." });
    await watched.settle();
    expect(watched.seen).toHaveLength(31);
  });

  it.for(["/status", "!stop"])("is not shown for the command %s", async (text) => {
    const watched = watchLive({ typing: "instant" });
    watched.accept(text);
    await watched.clock.advance(10_000);
    expect(watched.seen).toEqual([]);
  });
});

describe("status reactions", () => {
  const statusReactions = {
    emojis: {
      queued: "Q",
      thinking: "T",
      tool: "tool",
      coding: "code",
      web: "web",
      done: "done",
      error: "error",
      stallSoft: "soft",
      stallHard: "hard",
    },
    debounceMs: 700,
    stallSoftMs: 10_000,
    stallHardMs: 30_000,
    doneHoldMs: 1500,
    errorHoldMs: 2500,
  };

  it.for([
    ["exec", "code"],
    ["web_fetch", "web"],
    ["message", "tool"],
  ] as const)("show what %s does as %s, one at a time", async ([name, emoji]) => {
    const watched = watchLive({ statusReactions });
    watched.accept();
    watched.start();
    await watched.clock.advance(700);
    watched.tell({ kind: "tool-started", call: toolCall(name) });
    await watched.clock.advance(700);
    watched.end();
    await watched.settle();
    const steps = ["react Q", "unreact Q", "react T", "unreact T", `react ${emoji}`, `unreact ${emoji}`, "react done"];
    expect(watched.seen).toEqual(steps);
  });

  it("do not flicker when things change quickly", async () => {
    const watched = watchLive({ statusReactions });
    watched.accept();
    watched.start();
    for (const name of ["exec", "web_fetch", "exec"]) watched.tell({ kind: "tool-started", call: toolCall(name) });
    await watched.clock.advance(700);
    expect(watched.seen).toEqual(["react Q", "unreact Q", "react code"]);
  });

  it("say that nothing happens, and that something does again", async () => {
    const watched = watchLive({ statusReactions });
    watched.accept();
    watched.start();
    await watched.clock.advance(10_000);
    expect(watched.seen.at(-1)).toBe("react soft");
    await watched.clock.advance(20_000);
    expect(watched.seen.at(-1)).toBe("react hard");
    watched.write("Well");
    await watched.settle();
    expect(watched.seen.at(-1)).toBe("react T");
  });

  it.for([
    ["ok", "done", 1500],
    ["error", "error", 2500],
  ] as const)("after %s show %s for a moment and go, if no trace is wanted", async ([status, emoji, holdMs]) => {
    const watched = watchLive({ statusReactions, removeAckAfterReply: true });
    watched.accept();
    watched.start();
    watched.end(status);
    await watched.clock.advance(holdMs - 1);
    expect(watched.seen.at(-1)).toBe(`react ${emoji}`);
    await watched.clock.advance(1);
    expect(watched.seen.at(-1)).toBe(`unreact ${emoji}`);
  });

  it("leave no trace of a command or of a run that was stopped", async () => {
    const watched = watchLive({ statusReactions });
    watched.accept("/status");
    watched.tell({ kind: "command-started" });
    watched.end();
    await watched.clock.advance(5000);
    expect(watched.seen).toEqual([]);
    const stopped = watchLive({ statusReactions });
    stopped.accept();
    stopped.end("aborted");
    await stopped.settle();
    expect(stopped.seen).toEqual(["react Q", "unreact Q"]);
  });
});

describe("a preview", () => {
  const LONG = "This is the beginning of a longer answer.";

  it("is sent once there is enough to read, and then edited no faster than the platform likes", async () => {
    const watched = watchLive({ streaming: "partial" });
    watched.start();
    watched.write("Short");
    await watched.clock.advance(5000);
    expect(watched.seen).toEqual([]);
    watched.write(` ${LONG}`);
    await watched.settle();
    for (const word of [" One", " two", " three"]) watched.write(word);
    await watched.clock.advance(999);
    expect(watched.seen).toEqual([`send Short ${LONG}`]);
    await watched.clock.advance(1);
    expect(watched.seen).toEqual([`send Short ${LONG}`, `edit m1 Short ${LONG} One two three`]);
    expect(await watched.live.settle("run")).toEqual({
      said: [],
      preview: { messageId: "m1", text: `Short ${LONG} One two three` },
    });
    expect((await watched.ledger.delivery("run:preview"))?.receipt).toEqual({ messageId: "m1" });
  });

  it("never is longer than a message, with room for a mark, and breaks no character", async () => {
    const watched = watchLive({ streaming: "partial", textChunkLimit: 50 });
    watched.start();
    watched.write("😀".repeat(60));
    await watched.settle();
    const [sent = ""] = watched.seen;
    expect(sent.length - "send ".length).toBeLessThanOrEqual(48);
    expect(sent.isWellFormed()).toBe(true);
  });

  it("is a draft where there are drafts, and leaves no message behind", async () => {
    const drafts: string[] = [];
    const watched = watchLive(
      { streaming: "partial" },
      { connection: { draft: async (_target, key, text) => void drafts.push(`${key} ${text}`) } },
    );
    watched.start();
    watched.write(LONG);
    await watched.settle();
    expect([drafts, watched.seen]).toEqual([[`run ${LONG}`], []]);
    expect(await watched.live.settle("run")).toEqual({ said: [] });
  });

  it("is a message where a chat has no drafts", async () => {
    let tries = 0;
    const draft = () => Promise.reject(new GatewayError("CHANNEL_UNSUPPORTED", `no drafts ${(tries += 1)}`));
    const watched = watchLive({ streaming: "partial" }, { connection: { draft } });
    watched.start();
    watched.write(LONG);
    await watched.clock.advance(1000);
    watched.write(" More.");
    await watched.clock.advance(1000);
    expect([tries, watched.seen]).toEqual([1, [`send ${LONG}`, `edit m1 ${LONG} More.`]]);
  });

  it("forgets what an attempt said that failed, and keeps what was said before a tool was used", async () => {
    const watched = watchLive({ streaming: "partial" }, { traits: { textLimit: 1000 } });
    watched.start();
    watched.write(`Before. ${LONG}`);
    watched.tell({ kind: "tool-started", call: toolCall("exec") });
    watched.tell({ kind: "step-started" });
    watched.write("void");
    watched.tell({ kind: "step-started" });
    watched.write("After.");
    await watched.settle();
    expect(watched.seen).toEqual([`send Before. ${LONG}\n\nAfter.`]);
  });

  it("is not shown where the platform cannot edit or the operator does not want it", async () => {
    for (const [settings, traits] of [
      [{ streaming: "off" }, {}],
      [{ streaming: "partial" }, { previewEveryMs: undefined }],
    ] as const) {
      const watched = watchLive(settings, { traits: traits as object });
      watched.start();
      watched.write(LONG);
      await watched.clock.advance(5000);
      expect(watched.seen).toEqual([]);
    }
  });
});

describe("blocks", () => {
  const ONE = "The first paragraph of it.";
  const TWO = "The second paragraph of it.";
  const textsOf = ({ delivered }: Watched) =>
    delivered.map(({ payload }) => (payload["content"] as { markdown: string }).markdown);

  it("are committed, sent in order, and told at the end", async () => {
    const watched = watchLive({ streaming: "block" });
    watched.start();
    watched.write(`${ONE}\n\n${TWO}\n\nThe rest`);
    await watched.settle();
    expect(textsOf(watched)).toEqual([ONE, TWO]);
    expect(watched.delivered.map(({ id }) => id)).toEqual(["run:block:000", "run:block:001"]);
    expect((await watched.ledger.outboxOf("run")).map(({ id }) => id)).toEqual(["run:block:000", "run:block:001"]);
    expect(await watched.live.settle("run")).toEqual({ said: [ONE, TWO] });
    expect(textsOf(watched)).toHaveLength(2);
  });

  it("wait a moment for more when they are short, and no longer when a tool is used", async () => {
    const coalesce = { minChars: 60, maxChars: 120, idleMs: 1000 };
    const settings = { streaming: "block" as const, blocks: { ...QUIET.blocks, coalesce } };
    const watched = watchLive(settings);
    watched.start();
    watched.write(`${ONE}\n\nx`);
    await watched.clock.advance(999);
    expect(textsOf(watched)).toEqual([]);
    await watched.clock.advance(1);
    expect(textsOf(watched)).toEqual([ONE]);
    watched.write(" and y");
    watched.tell({ kind: "tool-started", call: toolCall("exec") });
    await watched.settle();
    expect(textsOf(watched)).toEqual([ONE, "x and y"]);
  });

  it("come at the end of each message if that is wanted", async () => {
    const watched = watchLive({ streaming: "block", blocks: { ...QUIET.blocks, breakAt: "message_end" } });
    watched.start();
    watched.write(`${ONE}\n\n${TWO}`);
    await watched.clock.advance(5000);
    expect(textsOf(watched)).toEqual([]);
    watched.tell({ kind: "tool-started", call: toolCall("exec") });
    await watched.settle();
    expect(textsOf(watched)).toEqual([ONE, TWO]);
  });

  it("that an earlier process sent count as said, and no more are sent", async () => {
    const first = watchLive({ streaming: "block" });
    first.start();
    first.write(`${ONE}\n\n${TWO}\n\nx`);
    await first.settle();
    const second = watchLive({ streaming: "block" }, { ledger: first.ledger });
    second.start();
    second.write(`${ONE}\n\n${TWO}\n\nThe third paragraph of it.\n\nx`);
    await second.settle();
    expect(second.delivered).toEqual([]);
    expect(await second.live.settle("run")).toEqual({ said: [ONE, TWO] });
  });

  it("are no longer sent when the attempt they came from is void", async () => {
    const watched = watchLive({ streaming: "block" });
    watched.start();
    watched.write(`${ONE}\n\nx`);
    await watched.settle();
    watched.tell({ kind: "step-started" });
    watched.write(`${TWO}\n\nx`);
    await watched.settle();
    expect(textsOf(watched)).toEqual([ONE]);
    expect(await watched.live.settle("run")).toEqual({ said: [ONE] });
  });

  it("that cannot be written down are not sent", async () => {
    const watched = watchLive({ streaming: "block" });
    watched.ledger.commit = () => Promise.reject(new GatewayError("STORE_FULL", "no space"));
    watched.start();
    watched.write(`${ONE}\n\n${TWO}\n\nx`);
    await watched.settle();
    expect([watched.delivered, await watched.live.settle("run")]).toEqual([[], { said: [] }]);
  });
});

it("stopping waits for what is on its way and shows nothing more", async () => {
  const watched = watchLive({ typing: "instant", streaming: "partial" });
  watched.accept();
  watched.start();
  watched.write("This is the beginning of a longer answer.");
  await watched.live.stop();
  const before = [...watched.seen];
  await watched.clock.advance(60_000);
  expect(watched.seen).toEqual(before);
});
