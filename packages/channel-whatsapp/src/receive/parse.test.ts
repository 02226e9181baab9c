// What becomes of each kind of message WhatsApp sends.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { proto, type WAMessage } from "baileys";
import { describe, expect, it } from "vitest";
import { readMediaRef } from "../media-ref.ts";
import { parseMessage, type Ourselves, type ParsedMessage } from "./parse.ts";

/** As the library hands them over, with bytes written as base64. */
const recorded = JSON.parse(
  readFileSync(new URL("../fixtures/messages.json", import.meta.url), "utf8"),
  (key: string, value: unknown) => (key === "mediaKey" ? Buffer.from(String(value), "base64") : value),
) as Record<string, WAMessage>;

const us: Ourselves = { jids: ["15550000000@s.whatsapp.net", "777000777@lid"], takesSelfChat: false };
const parse = (name: string, ourselves = us): ParsedMessage => {
  const raw = recorded[name];
  if (!raw) throw new Error(`there is no recorded message "${name}"`);
  return parseMessage(raw, ourselves);
};
const eventOf = (name: string, ourselves = us) => {
  const parsed = parse(name, ourselves);
  if (parsed.kind !== "event") throw new Error(`${name}: ${parsed.why}`);
  return parsed.event;
};

describe("messages from WhatsApp", () => {
  it("have ids, names, places and times from the fields that never change", () => {
    expect(eventOf("text")).toEqual({
      id: "15551234567@s.whatsapp.net//3A01",
      messageId: "3A01",
      at: 1_760_000_000_000,
      chat: { kind: "direct", id: "+15551234567" },
      sender: { id: "+15551234567", name: "Ada" },
      replyTarget: { to: "+15551234567" },
      content: { kind: "message", text: "hello", mentionsUs: false },
    });
  });

  it.each([
    ["hidden direct", "direct", "+15551234567", { id: "+15551234567", otherIds: ["lid:888000888"] }],
    ["hidden only", "direct", "lid:888000888", { id: "lid:888000888" }],
    ["group", "group", "120363001234567890@g.us", { id: "+15551234567", otherIds: ["lid:888000888"] }],
    ["group by number", "group", "120363001234567890@g.us", { id: "+15551234567" }],
    ["broadcast list", "direct", "+15551234567", { id: "+15551234567" }],
  ])("%s: are in the right kind of chat, by people with known ids", (name, kind, chatId, sender) => {
    const event = eventOf(name);
    expect(event.chat).toEqual({ kind, id: chatId });
    expect(event.sender).toMatchObject(sender);
    expect(event.replyTarget).toEqual({ to: chatId });
  });

  it.each([
    ["answer", { text: "yes", replyTo: { id: "3EB0AA", isOurs: true, text: "shall we?" } }],
    ["forwarded", { text: "news", forwardedFrom: "somebody on WhatsApp" }],
    ["image", { text: "our cat", media: [{ kind: "image", mimeType: "image/jpeg", bytes: 12345 }] }],
    ["view once", { media: [{ kind: "image" }] }],
    ["video", { media: [{ kind: "video" }] }],
    ["voice", { text: "", media: [{ kind: "voice", mimeType: "audio/ogg; codecs=opus" }] }],
    ["audio", { media: [{ kind: "audio" }] }],
    ["document", { text: "please pay", media: [{ kind: "file", name: "bill.pdf" }] }],
    ["sticker", { media: [{ kind: "sticker" }] }],
    ["contact", { text: "[contact] Grace, +1 555 222 3333" }],
    ["contacts", { text: "[contact] Grace\n[contact] Alan" }],
    ["location", { text: "[location] Office, Main Street 1, 52.5, 13.4" }],
    ["poll", { text: "[poll] Lunch?\n- Pizza\n- Soup" }],
    ["disappearing", { text: "soon gone" }],
    ["chosen", { text: "Yes, please" }],
  ])("%s: say what they say", (name, content) => {
    expect(eventOf(name).content).toMatchObject({ kind: "message", ...content });
  });

  it.each([
    ["reaction", { kind: "reaction", emoji: "👍", isRemoved: false, on: "3EB0AA", onOurs: true }],
    ["reaction removed", { kind: "reaction", emoji: "", isRemoved: true, on: "3A01", onOurs: false }],
    ["edit", { kind: "edit", of: "3A01", text: "hello there" }],
    ["revoke", { kind: "notice", text: "A message was deleted (3A01)." }],
  ])("%s: are no messages but something about one", (name, content) => {
    expect(eventOf(name).content).toEqual(content);
  });

  it.each(["mention by number", "mention by hidden id"])("%s: name us", (name) => {
    expect(eventOf(name).content).toMatchObject({ mentionsUs: true });
  });

  it("that name somebody else do not name us", () => {
    expect(eventOf("mention of another").content).toMatchObject({ mentionsUs: false });
  });

  it.each(["our own", "our own in a group", "to ourselves", "status", "newsletter", "empty", "key share", "no id"])(
    "%s: are passed over with a reason",
    (name) => {
      expect(parse(name)).toMatchObject({ kind: "dropped", why: expect.stringMatching(/\w+ \w+/) });
    },
  );

  it("to ourselves are for us when the telephone is somebody's own, and others of ours are not", () => {
    const selfChat = { ...us, takesSelfChat: true };
    expect(eventOf("to ourselves", selfChat)).toMatchObject({
      chat: { kind: "direct", id: "+15550000000" },
      sender: { id: "+15550000000", otherIds: ["lid:777000777"] },
    });
    expect(parse("our own", selfChat).kind).toBe("dropped");
  });

  it("of somebody who took another's name still have their own id", () => {
    const victim = eventOf("text").sender;
    const attacker = eventOf("same name").sender;
    expect(attacker.name).toBe(victim.name);
    expect(attacker.id).toBe("+15559999999");
    expect([attacker.id, ...(attacker.otherIds ?? [])]).not.toContain(victim.id);
  });

  it("keep what is needed to fetch a file later", () => {
    const { content } = eventOf("image");
    if (content.kind !== "message") throw new Error("no message");
    expect(readMediaRef(content.media?.[0]?.ref ?? "")).toEqual({
      keys: "Image",
      mediaKey: Buffer.alloc(32, 7).toString("base64"),
      path: "/v/t62.7118-24/abc",
      url: "https://mmg.whatsapp.net/v/t62.7118-24/abc",
    });
    expect(readMediaRef("{}")).toBeUndefined();
  });

  it("with anything in them that can be decoded are never thrown about", () => {
    const keys = ["15551234567@s.whatsapp.net", "1@g.us", "1@broadcast", "", "x", "@", null];
    for (let seed = 0; seed < 3000; seed++) {
      // Short fields with small numbers hit known ones often.
      const bytes = createHash("sha512")
        .update(String(seed))
        .digest()
        .subarray(0, 4 + (seed % 40));
      for (let at = 0; at < bytes.length; at += 3) bytes[at] = (((bytes[at] ?? 0) % 128) & 0xf8) | 2;
      const message = tryDecode(bytes);
      if (!message) continue;
      for (const remoteJid of keys) {
        const raw: WAMessage = { key: { id: "1", remoteJid, participant: keys[seed % keys.length] ?? null }, message };
        expect(["event", "dropped"]).toContain(parseMessage(raw, us).kind);
      }
    }
    const half: WAMessage[] = [{ key: {} }, { key: { id: "1" }, message: null }, { key: { id: "1" }, message: {} }];
    for (const raw of half) expect(parseMessage(raw, us).kind).toBe("dropped");
  });
});

function tryDecode(bytes: Uint8Array): proto.IMessage | undefined {
  try {
    return proto.Message.decode(bytes);
  } catch {
    return undefined;
  }
}
