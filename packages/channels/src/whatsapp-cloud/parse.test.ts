// What becomes of each kind of message Meta sends.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseMessage, type ParsedMessage } from "./parse.ts";
import { readNotification, type WireValue } from "./wire.ts";

const body = readFileSync(new URL("fixtures/messages.json", import.meta.url));
const [value] = readNotification(body) as [WireValue];
const isTheirs = (id: string): boolean => id === "wamid.theirs";
const parsed = new Map<string, ParsedMessage>(
  (value.messages ?? []).map((raw) => [(raw as { id: string }).id, parseMessage(raw, { value, isTheirs })]),
);
const eventOf = (id: string) => {
  const found = parsed.get(id);
  if (found?.kind !== "event") throw new Error(`${id}: ${found?.why}`);
  return found.event;
};

describe("messages of the Cloud API", () => {
  it("have ids, names, places and times from the fields that never change", () => {
    expect(eventOf("wamid.text")).toEqual({
      id: "wamid.text",
      messageId: "wamid.text",
      at: 1_760_000_000_000,
      chat: { kind: "direct", id: "+15551234567" },
      sender: { id: "+15551234567", name: "Ada" },
      replyTarget: { to: "+15551234567" },
      content: { kind: "message", text: "hello", mentionsUs: false },
    });
  });

  it.each([
    ["wamid.reply", { text: "yes", replyTo: { id: "wamid.ours", isOurs: true, sender: { id: "+15550000000" } } }],
    ["wamid.forwarded", { text: "news", forwardedFrom: "somebody on WhatsApp" }],
    ["wamid.image", { text: "our cat", media: [{ kind: "image", ref: "2754859441498128", mimeType: "image/jpeg" }] }],
    ["wamid.voice", { text: "", media: [{ kind: "voice", ref: "431", mimeType: "audio/ogg; codecs=opus" }] }],
    ["wamid.video", { media: [{ kind: "video", ref: "432" }] }],
    ["wamid.document", { text: "please pay", media: [{ kind: "file", ref: "433", name: "bill.pdf" }] }],
    ["wamid.sticker", { media: [{ kind: "sticker", ref: "434" }] }],
    ["wamid.location", { text: "[location] Office, Main Street 1, 52.5, 13.4" }],
    ["wamid.contacts", { text: "[contact] Grace, +1 555 222 3333" }],
    ["wamid.quick", { text: "Stop" }],
  ])("%s says what it says", (id, content) => {
    expect(eventOf(id).content).toMatchObject({ kind: "message", ...content });
  });

  it.each([
    ["wamid.pressed", { kind: "button", data: "/approve 1", on: "wamid.question" }],
    ["wamid.reaction", { kind: "reaction", emoji: "👍", isRemoved: false, on: "wamid.ours", onOurs: true }],
    ["wamid.unreaction", { kind: "reaction", emoji: "", isRemoved: true, on: "wamid.theirs", onOurs: false }],
  ])("%s is no message but a sign", (id, content) => {
    expect(eventOf(id).content).toEqual(content);
  });

  it("in a group are of the group, and still of their sender", () => {
    const { chat, sender, replyTarget } = eventOf("wamid.group");
    expect(chat).toEqual({ kind: "group", id: "group:Y2FwaQ" });
    expect(sender.id).toBe("+15551234567");
    expect(replyTarget).toEqual({ to: "group:Y2FwaQ" });
  });

  it.each(["wamid.unknown", "wamid.nobody", "wamid.broken"])("%s is passed over with a reason", (id) => {
    expect(parsed.get(id)).toMatchObject({ kind: "dropped", why: expect.stringMatching(/\w+ \w+/) });
  });

  it("of somebody who took another's name still have their own id", () => {
    const raw = { from: "15559999999", id: "wamid.x", timestamp: "1", type: "text", text: { body: "it's me" } };
    const contacts = [{ wa_id: "15559999999", profile: { name: "Ada" } }];
    const attacker = parseMessage(raw, { value: { ...value, contacts }, isTheirs });
    expect(attacker).toMatchObject({ event: { sender: { id: "+15559999999", name: "Ada" } } });
    expect(eventOf("wamid.text").sender).toEqual({ id: "+15551234567", name: "Ada" });
  });

  it("that are no JSON, or not about WhatsApp, are no notification", () => {
    for (const text of ["", "{", "[]", '{"object":"page","entry":[]}']) {
      expect(readNotification(Buffer.from(text))).toBeUndefined();
    }
  });
});
