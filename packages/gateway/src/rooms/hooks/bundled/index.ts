// The hooks that come with the gateway. Each is loaded when it first hears something.
import type { HookEventName, HookHandler } from "@chela/sdk";
import type { Manifest } from "../manifest.ts";
import type { BundledNeeds } from "./needs.ts";

interface BundledHook {
  readonly emoji: string;
  readonly description: string;
  readonly events: readonly HookEventName[];
  load(needs: BundledNeeds): Promise<HookHandler>;
}

const BUNDLED: Readonly<Record<string, BundledHook>> = {
  "boot-md": {
    emoji: "🚀",
    description: "Gives each agent what its BOOT.md says whenever the gateway starts.",
    events: ["gateway:startup"],
    load: async (needs) => (await import("./boot-md.ts")).bootMd(needs),
  },
  "bootstrap-extra-files": {
    emoji: "📎",
    description: "Gives agents more files of their workspace before a conversation, as its `paths` say.",
    events: ["agent:bootstrap"],
    load: async () => (await import("./bootstrap-extra-files.ts")).bootstrapExtraFiles,
  },
  "command-logger": {
    emoji: "📝",
    description: "Writes every command into logs/commands.log.",
    events: ["command:new", "command:reset", "command:stop", "command:given"],
    load: async () => (await import("./command-logger.ts")).commandLogger,
  },
  "session-memory": {
    emoji: "💾",
    description: "Keeps the end of a conversation in the workspace's memory/ when it is started anew.",
    events: ["command:new", "command:reset"],
    load: async (needs) => (await import("./session-memory.ts")).sessionMemory(needs),
  },
};

export const BUNDLED_MANIFESTS: readonly Manifest[] = Object.entries(BUNDLED).map(
  ([name, { emoji, description, events }]) => ({
    name,
    emoji,
    description,
    events,
    unknownEvents: [],
    requires: {},
    always: false,
    hookKey: name,
    exportName: "default",
    guard: false,
  }),
);

export async function loadBundled(name: string, needs: BundledNeeds): Promise<HookHandler> {
  const hook = BUNDLED[name];
  if (!hook) throw new TypeError(`no hook named ${name} comes with the gateway`);
  return hook.load(needs);
}
