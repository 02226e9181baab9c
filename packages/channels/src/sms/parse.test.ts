// What becomes of each kind of message Twilio tells of.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRequest, readListed } from "./parse.ts";

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8"));
const requests = fixture("requests.json") as { text: Record<string, string>; mms: Record<string, string> };
const list = fixture("list.json") as { messages: unknown[] };

const ACCOUNT = "AC00000000000000000000000000000000";
const SERVICE = "MG00000000000000000000000000000000";
const ours = { accountSid: ACCOUNT, from: "+15550001111" };
const NOW = 1_760_000_000_000;
const parse = (change: Record<string, string> = {}, to: Parameters<typeof parseRequest>[1] = ours) =>
  parseRequest(new URLSearchParams({ ...requests.text, ...change }), to, NOW);

describe("a request of Twilio", () => {
  it("has ids from the fields that never change", () => {
    expect(parse()).toEqual({
      kind: "event",
      event: {
        id: "SM00000000000000000000000000000001",
        messageId: "SM00000000000000000000000000000001",
        at: NOW,
        chat: { kind: "direct", id: "+15551234567" },
        sender: { id: "+15551234567" },
        replyTarget: { to: "+15551234567" },
        content: { kind: "message", text: "Good morning 🌞 & welcome + more", mentionsUs: false },
      },
    });
  });

  it("may carry files, of which the one for the layout is left out", () => {
    const parsed = parseRequest(new URLSearchParams(requests.mms), ours, NOW);
    expect(parsed).toMatchObject({
      event: {
        content: {
          text: "",
          media: [
            { kind: "image", mimeType: "image/jpeg", ref: requests.mms["MediaUrl1"] },
            { kind: "file", mimeType: "text/x-vcard", ref: requests.mms["MediaUrl2"] },
          ],
        },
      },
    });
  });

  it.each([
    ["a short code", "12345"],
    ["a name", "Chela Bank"],
  ])("keeps %s of a sender as it is", (_what, from) => {
    expect(parse({ From: from })).toMatchObject({
      event: { sender: { id: from }, chat: { kind: "direct", id: from } },
    });
  });

  it.each([
    ["a sender without number", { From: "" }],
    ["a number without +, which could pass for another one", { From: "15551234567" }],
    ["WhatsApp through Twilio", { From: "whatsapp:+15551234567" }],
    ["our own number", { From: "+15550001111" }],
    ["another number of the account", { To: "+15550002222" }],
    ["another account", { AccountSid: "AC00000000000000000000000000000009" }],
    ["a message without id", { MessageSid: "" }],
    ["a status of one of our messages", { MessageStatus: "delivered", SmsStatus: "delivered" }],
    ["a group", { OtherRecipients0: "+15553334444" }],
    ["a word Twilio answered", { Body: "ARRET", OptOutType: "STOP" }],
    ["STOP", { Body: " Stop " }],
    ["START", { Body: "START" }],
    ["HELP", { Body: "help" }],
    ["nothing", { Body: "  " }],
  ])("is passed over with a reason: %s", (_what, change) => {
    expect(parse(change)).toEqual({ kind: "dropped", why: expect.stringMatching(/\w+ \w+/) as unknown });
  });

  it.each(["yes", "stop it", "please help", "/stop", "the end"])("%s is for the agent", (text) => {
    expect(parse({ Body: text })).toMatchObject({ event: { content: { text } } });
  });

  it("that names a field twice is passed over", () => {
    const fields = new URLSearchParams(requests.text);
    fields.append("From", "+15559999999");
    expect(parseRequest(fields, ours, NOW).kind).toBe("dropped");
  });

  it("to a number of our messaging service is ours", () => {
    const service = { accountSid: ACCOUNT, messagingServiceSid: SERVICE };
    expect(parse({ MessagingServiceSid: SERVICE, To: "+15550002222" }, service).kind).toBe("event");
    expect(parse({ To: "+15550002222" }, service).kind).toBe("dropped");
    expect(parse({ To: "" }, service).kind).toBe("dropped");
  });
});

describe("a list of Twilio", () => {
  it("has what people sent to us, and when", () => {
    const [listed, sent] = list.messages.map((raw) => readListed(raw, ours));
    expect(sent).toBeUndefined();
    expect(listed).toMatchObject({ sid: "SM00000000000000000000000000000003", at: NOW, hasMedia: false });
    expect(listed?.parse([])).toMatchObject({
      event: { id: "SM00000000000000000000000000000003", at: NOW, sender: { id: "+15551234567" } },
    });
  });

  it.each([[null], ["x"], [{}], [{ sid: 1 }]])("may have something unreadable: %j", (raw) => {
    expect(readListed(raw, ours)).toBeUndefined();
  });
});
