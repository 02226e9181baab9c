import { describe, expect, it } from "vitest";
import { commandsIn, fakeWorld, OWNER } from "../../support/chat-commands.ts";

const recognise = (text: string, resetTriggers: readonly string[] = []) =>
  commandsIn(fakeWorld().house).recognise(text, OWNER, { resetTriggers });
const reset = (name: string, args: string) => ({ kind: "command", call: { name, args } });

describe("the words that stop a run or begin anew", () => {
  it.each(["/stop", "/STOP", "stop", " Stop! ", "please  stop.", "停止。", "стоп", "stop current run"])(
    "%j is taken as stop",
    (text) => expect(recognise(text)).toEqual({ kind: "stop" }),
  );
  it.each(["stop the music", "/stopwatch", "don't stop", "", "wait for me"])("%j is left to the model", (text) =>
    expect(recognise(text)).toEqual({ kind: "text", text }),
  );
  it.each([
    ["/new", "new", ""],
    ["/NEW hello there", "new", "hello there"],
    ["/reset\nnext", "reset", "next"],
  ])("%j is taken as a new start", (text, reason, rest) => expect(recognise(text)).toEqual(reset(reason, rest)));
  it("knows configured triggers, and keeps the built-in ones", () => {
    expect(recognise("/fresh go", ["/fresh"])).toEqual(reset("new", "go"));
    expect(recognise("/new", ["/fresh"])).toEqual(reset("new", ""));
    expect(recognise("/newer")).toEqual({ kind: "text", text: "/newer" });
  });
});
