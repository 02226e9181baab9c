// Plugins: code of others that extends the gateway, and what the owner says about it.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, flag, text, type MethodSpec } from "./method-spec.ts";

const id = () => NonEmpty().max(200);
const byId = once(() => z.strictObject({ id: id() }));
const names = () => z.array(z.string().min(1).max(500)).max(200);

/** What it may do; complete, what is not in it is not granted. */
export const PluginGrant = once(() =>
  z.strictObject({
    hosts: names(),
    read: names(),
    write: names(),
    env: names(),
    exec: z.boolean(),
    native: z.boolean(),
    config: names(),
    conversation: z.boolean(),
  }),
);

const Tool = () => z.object({ name: z.string(), description: z.string(), optional: z.boolean() });

const Row = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    description: text(),
    version: text(),
    origin: z.enum(["bundled", "global", "workspace", "config"]).optional(),
    /** Told to those who may change it. */
    path: text(),
    state: z.enum(["enabled", "disabled", "missing", "invalid", "blocked", "broken", "needs-approval"]),
    why: text(),
    /** What to type. */
    fix: text(),
    reason: text(),
    bundle: text(),
    isRunning: z.boolean(),
    isTrusted: z.boolean(),
    tools: z.array(z.string()),
    hooks: z.array(z.string()),
    commands: z.array(z.string()),
    methods: z.array(z.string()),
    routes: z.array(z.string()),
    cli: z.array(z.string()),
    services: z.array(z.string()),
    channels: z.array(z.string()),
    providers: z.array(z.string()),
    skills: z.array(z.string()),
    warnings: z.array(z.string()),
  });

const Details = () =>
  Row().extend({
    digest: text(),
    toolDetails: z.array(Tool()),
    mcpServers: z.array(z.string()),
    grant: PluginGrant().optional(),
    approvedAt: z.number().optional(),
    approvedBy: text(),
    /** What it seems to need, and how that is known. */
    wishes: z.array(z.object({ key: z.string(), value: text(), why: z.string() })),
    notGranted: z.array(z.string()),
    walls: z.array(z.string()),
    configSchema: z.record(z.string(), z.unknown()).optional(),
    uiHints: z.record(z.string(), z.unknown()).optional(),
    process: z.object({ pid: z.int().optional(), falls: z.int(), lastFall: text() }),
  });

const changed = once(() => z.object({ plugin: Row() }));

export const PLUGIN_METHODS = {
  "plugins.list": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "All plugins that were found or are named, whether they run, and why not",
    params: empty,
    result: once(() => z.object({ plugins: z.array(Row()) })),
  },
  "plugins.inspect": {
    role: "operator",
    scope: "operator.admin",
    offline: "look",
    says: "One plugin: what it brings, what it may do, which walls stand around it",
    params: byId,
    result: once(() => z.object({ plugin: Details() })),
  },
  "plugins.enable": {
    role: "operator",
    scope: "operator.admin",
    offline: "write",
    says: "Switches a plugin on; one that fell too often is tried again",
    params: byId,
    result: changed,
    controlPlane: true,
  },
  "plugins.disable": {
    role: "operator",
    scope: "operator.admin",
    offline: "write",
    says: "Switches a plugin off",
    params: byId,
    result: changed,
    controlPlane: true,
  },
  "plugins.approve": {
    role: "operator",
    scope: "operator.admin",
    offline: "write",
    says: "Says what a plugin may do, for its files as they are now; all it seems to need where nothing is said",
    params: once(() =>
      z.strictObject({
        id: id(),
        /** Of the files that were looked at; others are not approved. */
        digest: z.string().max(64).optional(),
        grant: PluginGrant().optional(),
        /** Also switches it on. */
        enable: flag(),
      }),
    ),
    result: changed,
    controlPlane: true,
  },
  "plugins.cli": {
    role: "operator",
    scope: "operator.admin",
    says: "Runs a command of the command line that a plugin brings",
    params: once(() => z.strictObject({ argv: z.array(z.string().max(100_000)).min(1).max(200) })),
    result: once(() => z.object({ code: z.int(), stdout: z.string(), stderr: z.string() })),
    unlisted: true,
  },
} as const satisfies Record<string, MethodSpec>;
