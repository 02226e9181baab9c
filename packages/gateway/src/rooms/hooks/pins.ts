// Pins of workspace hooks that the owner has looked at and switched on, as the files were then.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { GatewayError, HOOK_EVENTS, once, type HookEventName, type Parsed } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { parseJson } from "@chela/sdk/base";

const Pin = once(() =>
  z.object({
    directory: z.string(),
    /** Of all its files. */
    digest: z.string(),
    enabledAt: z.number(),
    /** As it was then: what was a guard does not stop being one because somebody wrote into its folder. */
    guard: z.boolean(),
    events: z.array(z.string()),
  }),
);
export type Pin = Parsed<typeof Pin>;

const PinFile = once(() => z.object({ version: z.literal(1), hooks: z.record(z.string(), Pin()) }));

export function readPins(stateDir: string): ReadonlyMap<string, Pin> {
  const path = pathOf(stateDir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return new Map();
    throw new GatewayError("HOOK_REQUEST", `${path} cannot be read (${errnoOf(error) ?? "unknown error"}).`);
  }
  const parsed = PinFile().safeParse(parseJson(text));
  // Nothing is known to be looked at: hooks stay off until they are enabled anew.
  return parsed.success ? new Map(Object.entries(parsed.data.hooks)) : new Map();
}

export function writePins(stateDir: string, pins: ReadonlyMap<string, Pin>): void {
  writeFileAtomic(pathOf(stateDir), `${JSON.stringify({ version: 1, hooks: Object.fromEntries(pins) }, null, 2)}\n`);
}

export function eventsOf({ events }: Pin): HookEventName[] {
  return events.filter((name): name is HookEventName => Object.hasOwn(HOOK_EVENTS, name));
}

function pathOf(stateDir: string): string {
  return join(stateDir, "hooks", "enabled.json");
}
