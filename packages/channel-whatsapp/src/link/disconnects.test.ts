// What an end of the connection means.
import { describe, expect, it } from "vitest";
import { reasonOf, toFailure } from "./disconnects.ts";

const ended = (statusCode: number) => Object.assign(new Error("library words"), { output: { statusCode } });

describe("an end of the connection", () => {
  it.each([
    [401, { isFinal: true, isLoggedOut: true }, "CHANNEL_AUTH"],
    [403, { isFinal: true }, "CHANNEL_AUTH"],
    [411, { isFinal: true }, "CHANNEL_AUTH"],
    [440, { isConflict: true }, "CHANNEL_OFFLINE"],
    [515, {}, "CHANNEL_OFFLINE"],
    [428, {}, "CHANNEL_OFFLINE"],
    [777, {}, "CHANNEL_OFFLINE"],
  ])("with %i is understood", (status, expected, code) => {
    const { why, ...rest } = reasonOf(ended(status));
    expect(rest).toEqual(expected);
    expect(why).not.toContain("library words");
    expect(toFailure({ why, ...rest }).code).toBe(code);
  });

  it("without a reason is one that can be tried again", () => {
    expect(reasonOf(undefined)).toEqual({ why: "the connection ended" });
  });
});
