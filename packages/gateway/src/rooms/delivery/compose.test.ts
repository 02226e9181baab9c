import { describe, expect, it } from "vitest";
import type { OutboundMedia } from "@chela/sdk";
import { composeReply, responsePrefix, type Reply, type ReplyShape } from "./room.ts";

const shape: ReplyShape = {
  cut: (markdown) => markdown.match(/.{1,10}/gs) ?? [],
  fitsCaption: (markdown) => markdown.length <= 20,
  replyToMode: "off",
};
const picture: OutboundMedia = { kind: "image", path: "/m/a.png", mimeType: "image/png", name: "a.png", bytes: 5 };
const sound: OutboundMedia = { ...picture, kind: "audio", mimeType: "audio/ogg", name: "a.ogg" };
const texts = (reply: Reply, more: Partial<ReplyShape> = {}) =>
  composeReply(reply, { ...shape, ...more }).map(({ content }) =>
    content.kind === "text" ? content.markdown : content.kind,
  );

describe("a reply", () => {
  it("becomes as many messages as it needs", () => {
    expect(texts({ texts: ["one", "two and three"] })).toEqual(["one", "two and th", "ree"]);
  });

  it("begins with the prefix, unless it does already", () => {
    expect(texts({ texts: ["hello", "more"] }, { prefix: "[bot]", cut: (text) => [text] })).toEqual([
      "[bot] hello",
      "more",
    ]);
    expect(texts({ texts: ["[bot] hello"] }, { prefix: "[bot]", cut: (text) => [text] })).toEqual(["[bot] hello"]);
  });

  it.each([
    ["off", false, [undefined, undefined]],
    ["off", true, ["m1", undefined]],
    ["first", false, ["m1", undefined]],
    ["all", false, ["m1", "m1"]],
  ] as const)("answers the message with mode %s, asked: %s", (replyToMode, isReplyAsked, ids) => {
    const made = composeReply({ texts: ["a", "b"], replyTo: "m1", isReplyAsked }, { ...shape, replyToMode });
    expect(made.map(({ replyTo }) => replyTo)).toEqual(ids);
  });

  it("puts a short text below a single picture, and a long one before it", () => {
    expect(composeReply({ texts: ["look"], media: [picture] }, shape)).toEqual([
      { content: { kind: "media", media: picture, caption: "look" } },
    ]);
    expect(texts({ texts: ["look at this long text"], media: [picture] })).toEqual([
      "look at th",
      "is long te",
      "xt",
      "media",
    ]);
  });

  it("sends sound as a voice note when asked, and nothing else", () => {
    const made = composeReply({ texts: [], media: [sound, picture], asVoice: true }, shape);
    expect(made.map(({ content }) => content.kind === "media" && content.asVoice)).toEqual([true, undefined]);
  });

  it("turns a preview into its first text", () => {
    const made = composeReply({ texts: ["a", "b"], preview: "p1" }, shape);
    expect(made.map(({ edits }) => edits)).toEqual(["p1", undefined]);
  });

  it("pauses before every message but the first", () => {
    const made = composeReply({ texts: ["a", "b", "c"] }, { ...shape, pause: () => 900 });
    expect(made.map(({ delayMs }) => delayMs)).toEqual([undefined, 900, 900]);
  });
});

describe("a prefix", () => {
  const facts = { model: "claude-opus-4-6-20260101", provider: "anthropic", thinking: "low", identityName: "Ada" };
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["auto", "[Ada]"],
    ["[{model}]", "[claude-opus-4-6]"],
    ["{modelFull} {think} {thinkingLevel}", "anthropic/claude-opus-4-6-20260101 low low"],
    ["{identity.name}/{identityName}", "Ada/Ada"],
    ["{nobody} {provider}", "{nobody} anthropic"],
    ["{toString}", "{toString}"],
  ])("%j is written as %j", (template, written) => {
    expect(responsePrefix(template, facts)).toBe(written);
  });
  it("has no name when the agent has none", () => expect(responsePrefix("auto", {})).toBeUndefined());
});
