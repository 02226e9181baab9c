// What an account's settings mean, how people and places are written, and how a text is measured.
import { chunkMarkdown } from "@chela/sdk/markdown";
import { describe, expect, it } from "vitest";
import { webhookChannel } from "./channel.ts";

const { configure, readId, readTarget, traits } = webhookChannel;
const none = () => undefined;
const secret = "sixteen-letters-";

describe("the account", () => {
  it("needs a secret that is long enough, and never shows it", () => {
    for (const settings of [null, {}, { secret: "" }, { secret: "fifteen-letters" }]) {
      expect(configure(settings, none)).toMatchObject({
        kind: "incomplete",
        why: expect.stringMatching(/webhook/) as unknown,
      });
    }
    const read = configure({ secret, sender: 7 }, none);
    expect(read).toMatchObject({ kind: "configured", account: { format: "chela", sender: "7" } });
    expect(JSON.stringify(read)).not.toContain(secret);
  });

  it("looks different when the secret changes", () => {
    const print = (settings: object) => JSON.stringify(configure(settings, none));
    expect(print({ secret })).not.toBe(print({ secret: `${secret}2` }));
  });

  it("says which settings cannot be used", () => {
    for (const settings of [
      { path: "hooks" },
      { path: "/a/../b" },
      { path: "/a?b" },
      { outboundUrl: "ftp://x" },
      { format: "x" },
    ]) {
      expect(configure({ secret, ...settings }, none)).toMatchObject({
        kind: "incomplete",
        why: expect.stringContaining(Object.keys(settings)[0] ?? "") as unknown,
      });
    }
  });
});

describe("addresses", () => {
  it.each([
    ["u1", "user:u1", "direct", "u1"],
    ["user:group:x", "user:group:x", "direct", "group:x"],
    ["group:g 1", "group:g 1", "group", "g 1"],
    ["channel:c1", "channel:c1", "channel", "c1"],
  ])("%s", (written, to, kind, id) => {
    expect(readTarget(written)).toEqual({ kind: "target", target: { to }, chat: { kind, id } });
  });

  it("must say something", () => {
    for (const written of ["", " ", "user:", "group: "]) expect(readTarget(written).kind).toBe("unusable");
    expect(readId(" u1 ")).toEqual({ kind: "id", id: "u1" });
  });
});

it("cuts texts to what one message holds", () => {
  const chunks = chunkMarkdown("word 👍 ".repeat(40_000), { limit: traits.textLimit, measure: traits.measure });
  expect(chunks.length).toBeGreaterThan(1);
  for (const chunk of chunks) {
    expect(traits.measure(chunk)).toBeLessThanOrEqual(traits.textLimit);
    expect(chunk.isWellFormed()).toBe(true);
  }
});
