// How people and groups may be written.
import { describe, expect, it } from "vitest";
import { jidOf, personId, plainJid, readId, readTarget } from "./address.ts";

describe("addresses on WhatsApp", () => {
  it.each([
    ["+4915112345678", "+4915112345678"],
    ["whatsapp:+4915112345678", "+4915112345678"],
    ["4915112345678", "+4915112345678"],
    ["+49 (151) 1234-5678", "+4915112345678"],
    ["4915112345678@s.whatsapp.net", "+4915112345678"],
    ["888000888@lid", "lid:888000888"],
    ["lid:888000888", "lid:888000888"],
    ["120363001234567890@g.us", "120363001234567890@g.us"],
    ["whatsapp:491511234567-1600000000@g.us", "491511234567-1600000000@g.us"],
    ["*", "*"],
  ])("%s means %s", (written, id) => {
    expect(readId(written)).toEqual({ kind: "id", id });
  });

  it.each(["", " ", "Ada", "@ada", "123", "+49151/x", "x@g.us", "15551234567@evil.example", "1555123456789012"])(
    "%j means nobody",
    (written) => {
      expect(readId(written)).toMatchObject({ kind: "unusable", why: expect.stringContaining("country code") });
    },
  );

  it("are targets with a kind of chat", () => {
    expect(readTarget("15551234567")).toEqual({
      kind: "target",
      target: { to: "+15551234567" },
      chat: { kind: "direct", id: "+15551234567" },
    });
    expect(readTarget("120363001234567890@g.us")).toMatchObject({ chat: { kind: "group" } });
    expect(readTarget("*").kind).toBe("unusable");
  });

  it("are the same whatever device they come from", () => {
    expect(plainJid("15551234567_1:22@s.whatsapp.net")).toBe("15551234567@s.whatsapp.net");
    expect(plainJid("15551234567@c.us")).toBe("15551234567@s.whatsapp.net");
    expect(personId("888000888:3@lid")).toBe("lid:888000888");
    expect(personId("120363001234567890@g.us")).toBe("");
  });

  it("lead back to WhatsApp's own form, and nothing else does", () => {
    expect(jidOf("+15551234567")).toBe("15551234567@s.whatsapp.net");
    expect(jidOf("lid:888000888")).toBe("888000888@lid");
    for (const odd of ["", "+", "ada", "*", "15551234567@s.whatsapp.net", "status@broadcast"]) {
      expect(jidOf(odd)).toBeUndefined();
    }
  });
});
