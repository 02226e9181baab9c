import { describe, expect, it } from "vitest";
import { telegramChannel } from "./channel.ts";

describe("an entry of a list", () => {
  it.each([
    ["123456789", { kind: "id", id: "123456789" }],
    [" tg:123456789 ", { kind: "id", id: "123456789" }],
    ["telegram:-1001234567890", { kind: "id", id: "-1001234567890" }],
    ["*", { kind: "id", id: "*" }],
    ["@somebody", { kind: "name", name: "@somebody" }],
  ])("%j", (written, read) => expect(telegramChannel.readId(written)).toEqual(read));

  it.each(["", "  ", "Ada", "0", "12 34", "99999999999999999999", "1e5"])("%j names nobody", (written) => {
    expect(telegramChannel.readId(written).kind).toBe("unusable");
  });
});

describe("an address", () => {
  it.each([
    ["123", { to: "123" }, "direct"],
    ["-100123", { to: "-100123" }, "group"],
    ["-100123:topic:5", { to: "-100123", threadId: "5" }, "group"],
    ["telegram:group:-100123:5", { to: "-100123", threadId: "5" }, "group"],
  ])("%j", (written, target, kind) => {
    expect(telegramChannel.readTarget(written)).toMatchObject({ kind: "target", target, chat: { kind } });
  });

  it.each(["@rose_news", "https://t.me/rose_news", "t.me/rose_news"])("%j is a name to look up", (written) => {
    expect(telegramChannel.readTarget(written)).toEqual({ kind: "name", name: "@rose_news" });
  });

  it.each(["", "Rose News", "12:34:56", "@a b"])("%j is none, and the answer says what is", (written) => {
    const why: unknown = expect.stringContaining("chat id such as");
    expect(telegramChannel.readTarget(written)).toEqual({ kind: "unusable", why });
  });
});
