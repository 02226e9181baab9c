import { describe, expect, it } from "vitest";
import { LogBook, type LogFilter } from "./log-book.ts";
import { LEVELS, readLine, restText } from "./log-line.ts";

const ALL: LogFilter = { levels: new Set(LEVELS), text: "", of: "" };
const line = (msg: string, fields: object = {}): string =>
  JSON.stringify({ time: "2026-01-02T03:04:05.000Z", level: "info", msg, ...fields });

describe("a line of the log", () => {
  it("is read into its parts", () => {
    const read = readLine(1, line("connected", { channel: "telegram", account: "main" }));
    expect(read).toMatchObject({ level: "info", of: "telegram", text: "connected", at: Date.UTC(2026, 0, 2, 3, 4, 5) });
    expect(restText(read)).toBe("channel=telegram account=main");
  });

  it("is shown once, without the form that stands in it for OpenClaw's clients", () => {
    const second = { 0: "connected", 1: { account: "main" }, _meta: { logLevelName: "INFO" } };
    expect(restText(readLine(1, line("connected", { account: "main", ...second })))).toBe("account=main");
  });

  it("that only has that form is read by it", () => {
    const theirs = {
      0: '{"subsystem":"x"}',
      1: "late",
      _meta: { logLevelName: "WARN", date: "2026-01-02T03:04:05.000Z" },
    };
    const read = readLine(1, JSON.stringify(theirs));
    expect(read).toMatchObject({ level: "warn", text: '{"subsystem":"x"} late', at: Date.UTC(2026, 0, 2, 3, 4, 5) });
  });

  it("is shown as it is when it is no JSON", () => {
    expect(readLine(1, "{ cut")).toMatchObject({ text: "{ cut", level: "info", at: undefined });
  });
});

describe("the book of lines", () => {
  const texts = (book: LogBook): string[] => book.shown.map(({ text }) => text);

  it("shows what passes the filter, old lines and new", () => {
    const book = new LogBook(ALL);
    book.add([line("one"), line("two", { level: "warn" })]);
    book.setFilter({ ...ALL, levels: new Set(["warn"]) });
    expect(book.add([line("three", { level: "warn" }), line("four")])).toBe(1);
    expect(texts(book)).toEqual(["two", "three"]);
  });

  it("filters by part and by text", () => {
    const book = new LogBook({ ...ALL, of: "telegram", text: "OFF" });
    book.add([
      line("off", { channel: "telegram" }),
      line("on", { channel: "telegram" }),
      line("off", { channel: "irc" }),
    ]);
    expect(texts(book)).toEqual(["off"]);
    expect(book.parts).toEqual(["irc", "telegram"]);
  });

  it("adds only what it has not seen after the connection was lost", () => {
    const book = new LogBook(ALL);
    book.add([line("one"), line("two")]);
    book.catchUp([line("one"), line("two"), line("three")]);
    expect(texts(book)).toEqual(["one", "two", "three"]);
  });

  it("keeps the newest twenty thousand at most", () => {
    const book = new LogBook(ALL);
    for (let at = 0; at < 30; at += 1) book.add(Array.from({ length: 1000 }, (_, each) => line(`${at * 1000 + each}`)));
    expect(book.size).toBeLessThanOrEqual(20_000);
    expect([book.shown.length, book.shown.at(-1)?.text]).toEqual([book.size, "29999"]);
  });
});
