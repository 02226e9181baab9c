// Hooks: handlers on events that the owner switches on and off.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, text, type MethodSpec } from "./method-spec.ts";

const byName = once(() => z.strictObject({ name: NonEmpty().max(64) }));

const Hook = () =>
  z.object({
    name: z.string(),
    description: z.string(),
    emoji: text(),
    homepage: text(),
    source: z.enum(["bundled", "managed", "extra", "workspace"]),
    /** Told to those who may change it. */
    path: text(),
    events: z.array(z.string()),
    unknownEvents: z.array(z.string()),
    guard: z.boolean(),
    enabled: z.boolean(),
    eligible: z.boolean(),
    state: z.enum(["on", "off", "shadowed", "changed", "missing", "broken"]),
    why: text(),
    requires: z.record(z.string(), z.array(z.string())),
    lastError: z.object({ at: z.number(), event: z.string(), error: z.string() }).optional(),
  });

const oneHook = once(() => z.object({ hook: Hook() }));

export const HOOKS_METHODS = {
  "hooks.list": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "All hooks in the order in which they run, and why one does not",
    params: empty,
    result: once(() => z.object({ hooks: z.array(Hook()) })),
  },
  "hooks.info": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "One hook: what it hears, what it needs, whether it runs",
    params: byName,
    result: oneHook,
  },
  "hooks.check": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "How many hooks could run, and what the others lack",
    params: empty,
    result: once(() =>
      z.object({
        total: z.number(),
        eligible: z.array(z.string()),
        notEligible: z.array(z.object({ name: z.string(), state: z.string(), why: z.string() })),
      }),
    ),
  },
  "hooks.enable": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Switches a hook on; of one in a workspace, as its files are now",
    params: byName,
    result: oneHook,
    controlPlane: true,
  },
  "hooks.disable": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Switches a hook off",
    params: byName,
    result: oneHook,
    controlPlane: true,
  },
} as const satisfies Record<string, MethodSpec>;
