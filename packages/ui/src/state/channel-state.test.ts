// One word for many flags.
import { expect, it } from "vitest";
import { channelState, needsSomebody, toneOf } from "./channel-state.ts";

const well = { enabled: true, configured: true, linked: true, running: true, connected: true, reconnectAttempts: 0 };

it.each([
  [{}, "connected", false],
  [{ enabled: false, lastError: "old" }, "off", false],
  [{ configured: false, connected: false }, "starting", false],
  [{ configured: false, connected: false, lastError: "token is missing" }, "unset", true],
  [{ connected: false, linked: false }, "unlinked", true],
  [{ connected: false }, "connecting", false],
  [{ connected: false, reconnectAttempts: 2, lastError: "no network" }, "connecting", false],
  [{ connected: false, reconnectAttempts: 3, lastError: "no network" }, "retrying", true],
  [{ connected: false, running: false }, "stopped", true],
] as const)("with %j an account is %s", (change, state, isTrouble) => {
  expect(channelState({ ...well, ...change })).toBe(state);
  expect(needsSomebody(state)).toBe(isTrouble);
});

it("shows good only for what is connected", () => {
  expect(toneOf("connected")).toBe("good");
  expect(toneOf("connecting")).toBe("warn");
  expect(toneOf("stopped")).toBe("bad");
  expect(toneOf("off")).toBe("soft");
});
