// What an account's settings mean, and how people are written.
import { describe, expect, it } from "vitest";
import { smsChannel } from "./channel.ts";

const { configure, readId, readTarget } = smsChannel;
const none = () => undefined;
const whole = {
  accountSid: "AC0123456789abcdef0123456789abcdef",
  authToken: "a-secret-token",
  from: "+1 (555) 000-1111",
  publicUrl: "https://bot.example.org/sms/webhook",
};

describe("the account", () => {
  it.each([
    ["accountSid", { ...whole, accountSid: "SK0123456789abcdef0123456789abcdef" }],
    ["authToken", { ...whole, authToken: " " }],
    ["authToken", { ...whole, authToken: "a\nb" }],
    ["from", { ...whole, from: undefined }],
    ["from", { ...whole, from: "my number" }],
    ["messagingServiceSid", { ...whole, messagingServiceSid: "service" }],
    ["publicUrl", { ...whole, publicUrl: undefined }],
    ["publicUrl", { ...whole, publicUrl: "bot.example.org/sms" }],
    ["apiRoot", { ...whole, apiRoot: "file:///etc" }],
    ["webhookPath", { ...whole, webhookPath: "hook" }],
    ["webhookPath", { ...whole, webhookPath: 5 }],
  ])("without a good %s is incomplete, and says so", (name, settings) => {
    const configured = configure(settings, none);
    expect(configured).toMatchObject({ kind: "incomplete", why: expect.stringContaining(name) as unknown });
  });

  it("may be in the environment, shows no secret, and looks different when the token changes", () => {
    const env = (token: string) => (name: string) =>
      ({ TWILIO_ACCOUNT_SID: whole.accountSid, TWILIO_AUTH_TOKEN: token })[name];
    const settings = { from: whole.from, publicUrl: whole.publicUrl };
    const configured = configure(settings, env("a-secret-token"));
    expect(configured).toMatchObject({
      kind: "configured",
      account: { from: "+15550001111", apiRoot: "https://api.twilio.com" },
    });
    expect(JSON.stringify(configured)).not.toContain("a-secret-token");
    expect(JSON.stringify(configured)).not.toBe(JSON.stringify(configure(settings, env("another-token"))));
  });
});

describe("people", () => {
  it.each([
    ["+15551234567", "+15551234567"],
    ["+49 (151) 123-45678", "+4915112345678"],
    ["sms:+15551234567", "+15551234567"],
    ["4915112345678", "+4915112345678"],
    ["12345", "12345"],
  ])("%s", (written, id) => {
    expect(readId(written)).toEqual({ kind: "id", id });
    expect(readTarget(written)).toEqual({ kind: "target", target: { to: id }, chat: { kind: "direct", id } });
  });

  it.each(["", "Ada", "Chela Bank", "+", "004915112345678", "+1555CALLME", "whatsapp:+15551234567"])(
    "%j is nobody: names can be taken by anybody",
    (written) => {
      expect(readId(written)).toMatchObject({ kind: "unusable", why: expect.stringContaining("+49") as unknown });
    },
  );

  it("are not everybody when one has to be written to", () => {
    expect(readId("*")).toEqual({ kind: "id", id: "*" });
    expect(readTarget("*").kind).toBe("unusable");
  });
});
