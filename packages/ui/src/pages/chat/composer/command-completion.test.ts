// What is offered behind a slash.
import { describe, expect, it } from "vitest";
import { completionOf, type ChatCommand } from "./command-completion.ts";

const command = (name: string, more: Partial<ChatCommand> = {}): ChatCommand => ({
  name,
  aliases: [],
  says: `does ${name}`,
  scope: "everyone",
  allowed: true,
  ...more,
});
const COMMANDS = [
  command("status"),
  command("think", { aliases: ["t"], arguments: [{ name: "level", choices: ["off", "low", "high"] }] }),
  command("stop"),
  command("new", { arguments: [{ name: "model" }] }),
  command("config", { allowed: false }),
];
const labels = (text: string) => completionOf(text, COMMANDS)?.options.map(({ label }) => label);

describe("commands", () => {
  it("are all offered after a slash, except what one may not do", () => {
    expect(labels("/")).toEqual(["/status", "/think", "/stop", "/new"]);
  });

  it("are found by how they begin, by other names, and by what they contain", () => {
    expect(labels("/st")).toEqual(["/status", "/stop"]);
    expect(labels("/T")).toEqual(["/think"]);
    expect(labels("/ink")).toEqual(["/think"]);
    expect(labels("/zzz")).toBeUndefined();
  });

  it("are not offered in the middle of a text", () => {
    expect(labels("a /st")).toBeUndefined();
    expect(labels("/status\nmore")).toBeUndefined();
  });

  it("leave room for arguments when they have any", () => {
    expect(completionOf("/thi", COMMANDS)?.options[0]?.text).toBe("/think ");
    expect(completionOf("/stat", COMMANDS)?.options[0]?.text).toBe("/status");
  });

  it("are no longer offered when they stand there", () => {
    expect(labels("/status")).toBeUndefined();
    expect(labels("/think")).toEqual(["/think"]);
  });
});

describe("arguments", () => {
  it("are offered, but none is taken before something was typed", () => {
    expect(completionOf("/think ", COMMANDS)).toMatchObject({
      first: -1,
      options: [{ text: "/think off" }, { text: "/think low" }, { text: "/think high" }],
    });
  });

  it("are filtered as one types", () => {
    expect(completionOf("/t h", COMMANDS)).toMatchObject({ first: 0, options: [{ text: "/t high" }] });
    expect(labels("/think high")).toBeUndefined();
  });

  it("are not invented", () => {
    expect(labels("/new ")).toBeUndefined();
    expect(labels("/think low h")).toBeUndefined();
  });
});
