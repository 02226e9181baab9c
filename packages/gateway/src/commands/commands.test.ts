import { describe, expect, it } from "vitest";
import { matchCommand } from "./room.ts";

describe("matchCommand", () => {
  it.each(["/stop", "/STOP", "stop", " Stop! ", "please  stop.", "停止。", "стоп", "stop current run"])(
    "takes %j as stop",
    (text) => expect(matchCommand(text)).toEqual({ kind: "stop" }),
  );
  it.each(["stop the music", "/stopwatch", "don't stop", "", "wait for me"])("leaves %j to the model", (text) =>
    expect(matchCommand(text)).toEqual({ kind: "none" }),
  );
  it.each([
    ["/new", "new", ""],
    ["/NEW hello there", "new", "hello there"],
    ["/reset\nnext", "reset", "next"],
  ])("takes %j as a new start", (text, reason, rest) =>
    expect(matchCommand(text)).toEqual({ kind: "reset", reason, rest }),
  );
  it("knows configured triggers, and keeps the built-in ones", () => {
    expect(matchCommand("/fresh go", ["/fresh"])).toMatchObject({ kind: "reset", rest: "go" });
    expect(matchCommand("/new", ["/fresh"])).toMatchObject({ kind: "reset" });
    expect(matchCommand("/newer")).toEqual({ kind: "none" });
  });
});
