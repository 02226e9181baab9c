// What holds for a part of the config: written values, presets for the rest, and nothing built that nobody asks for.
import { expect, it } from "vitest";
import { filled, filledSection, laidOver } from "@chela/sdk/config";
import { presetAt } from "../room.ts";
import { block, bool, count, key } from "@chela/sdk/config";
import { SECTIONS } from "../schema/sections.ts";

it("gives presets for what is not written, down to parts that are not there at all", () => {
  const { port, reload, customBindHost } = filledSection(SECTIONS.gateway, { reload: { debounceMs: 0 } });
  expect({ port, mode: reload.mode, debounceMs: reload.debounceMs, customBindHost }).toEqual({
    port: 18_789,
    mode: "hybrid",
    debounceMs: 0,
    customBindHost: undefined,
  });
  expect(filledSection(SECTIONS.gateway, undefined).auth.rateLimit.maxAttempts).toBe(10);
});

it("builds the parts somebody looks at, and no others", () => {
  const built: string[] = [];
  const part = block(() => ({
    on: key(bool(), "Whether.", { preset: false }),
    one: block(() => (built.push("one"), { much: key(count(), "How much.", { preset: 1 }) })),
    two: block(() => (built.push("two"), { much: key(count(), "How much.", { preset: 2 }) })),
  }));
  const { on, two } = filled(part, { two: {} });
  expect([on, two.much, built]).toEqual([false, 2, ["two"]]);
});

it("takes a preset only where neither of two places says anything", () => {
  const all = { reset: { mode: "idle", idleMinutes: 5 } } as const;
  const own = { reset: { idleMinutes: 7 }, resetTriggers: [] };
  const { reset, resetTriggers, scope } = filledSection(SECTIONS.session, laidOver<object>(all, own));
  expect({ ...reset }).toEqual({ mode: "idle", atHour: 4, idleMinutes: 7 });
  expect([resetTriggers, scope]).toEqual([[], "per-sender"]);
});

it("tells the preset of one place, and none where another place is asked", () => {
  expect(presetAt(["agents", "defaults", "heartbeat", "every"])).toBe("30m");
  expect(presetAt(["agents", "list", 0, "heartbeat", "every"])).toBeUndefined();
  expect(presetAt(["channels", "telegram", "accounts", "work", "chunkMode"])).toBeUndefined();
  expect(presetAt(["browser", "enabled"])).toBeUndefined();
});
