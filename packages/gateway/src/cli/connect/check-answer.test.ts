import { describe, expect, it } from "vitest";
import { checkAnswer } from "./check-answer.ts";

describe("the answer of a gateway of another version", () => {
  it("is told in a sentence when it lacks what is declared", async () => {
    const answer = checkAnswer("device.pair.list", { pending: [], paired: [{ deviceId: 7 }] });
    await expect(answer).rejects.toMatchObject({
      message: expect.stringContaining(
        "This program does not understand the gateway's answer to device.pair.list: at /paired/0/deviceId: must be string",
      ),
      fix: expect.stringContaining("same version"),
    });
  });

  it("is refused when it is no answer at all", async () => {
    await expect(checkAnswer("health", "well")).rejects.toThrow("at root: must be object");
  });

  it("keeps what is new in it", async () => {
    const answer = { pending: [], paired: [], waitingForLonger: 3 };
    expect(await checkAnswer("device.pair.list", answer)).toBe(answer);
  });
});
