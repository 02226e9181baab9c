// The wire form of lines: read as they come, written so that nothing in a text becomes a command.
import { describe, expect, it } from "vitest";
import { parseLine, writeLine } from "./line.ts";

describe("reading a line", () => {
  it.each([
    ["PING :abc", { command: "PING", params: ["abc"] }],
    [":irc.example 001 chela :Welcome to it", { command: "001", params: ["chela", "Welcome to it"] }],
    [":nick!user@host privmsg  #a   :: b ", { command: "PRIVMSG", params: ["#a", ": b "] }],
    [":nick!user@host PRIVMSG #a :", { command: "PRIVMSG", params: ["#a", ""] }],
  ])("%j", (raw, line) => {
    expect(parseLine(raw)).toMatchObject(line);
  });

  it("reads tags with escapes, and who it is from", () => {
    const line = parseLine("@a=x\\:y\\sz\\\\n\\q\\;b;+c/d=;=odd;e=\\ :nick!~u@h.example TAGMSG #a");
    expect([...(line?.tags ?? [])]).toEqual([
      ["a", "x;y z\\nq"],
      ["b", ""],
      ["+c/d", ""],
      ["e", ""],
    ]);
    expect(line?.source).toEqual({ nick: "nick", user: "~u", host: "h.example" });
  });

  it.each(["", " ", ":only.source", "@only=tags", "12 x", "PRIV;MSG x"])("passes over %j", (raw) => {
    expect(parseLine(raw)).toBeUndefined();
  });
});

describe("writing a line", () => {
  it("never gives two lines or more parameters than asked for", () => {
    const evil = "x\r\nQUIT :now\0\nz :y";
    const written = writeLine("PRIVMSG", [evil, evil], { "+reply": evil });
    expect(written).not.toMatch(/[\r\n\0]/);
    const line = parseLine(written);
    expect(line?.params).toEqual(["x", "x QUIT :now z :y"]);
    expect(line?.tags.get("+reply")).toBe(evil.replace("\0", ""));
  });

  it("leaves out tags that have no value to give", () => {
    expect(writeLine("TAGMSG", ["#a"], { one: undefined, two: "", three: "3" })).toBe("@two;three=3 TAGMSG :#a");
    expect(writeLine("CAP", [])).toBe("CAP");
  });
});
