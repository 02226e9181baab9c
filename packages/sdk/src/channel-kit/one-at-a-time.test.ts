import { describe, expect, it } from "vitest";
import { OneAtATime } from "./one-at-a-time.ts";

describe("OneAtATime", () => {
  it("runs works on one key in order, also after one failed, and other keys beside them", async () => {
    const serial = new OneAtATime();
    const notes: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = serial.run("a", async () => {
      await gate.promise;
      notes.push("a1");
      throw new Error("no");
    });
    const second = serial.run("a", async () => void notes.push("a2"));
    await serial.run("b", async () => void notes.push("b1"));
    gate.resolve();
    await expect(first).rejects.toThrow("no");
    await second;
    expect(notes).toEqual(["b1", "a1", "a2"]);
  });
});
