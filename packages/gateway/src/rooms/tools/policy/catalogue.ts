// The tools a configuration may count on: their families, profiles, order, and the lists that hold where nothing is configured.
import type { ToolEffect, ToolFamily } from "@chela/sdk";

/** Every built-in tool, by the family that `group:<family>` names. */
export const BUILT_IN: Readonly<Record<ToolFamily, readonly string[]>> = {
  fs: ["read", "write", "edit", "apply_patch"],
  runtime: ["exec", "process"],
  web: ["web_search", "web_fetch"],
  memory: ["memory_search", "memory_get"],
  sessions: [
    "sessions_list",
    "sessions_history",
    "sessions_search",
    "sessions_send",
    "sessions_spawn",
    "subagents",
    "session_status",
  ],
  ui: ["browser", "canvas"],
  messaging: ["message"],
  automation: ["cron", "gateway"],
  nodes: ["nodes"],
  agents: ["agents_list"],
  media: ["image", "attach", "tts"],
};

export const FAMILY_LABELS: Readonly<Record<ToolFamily, string>> = {
  fs: "Files",
  runtime: "Commands",
  web: "Web",
  memory: "Memory",
  sessions: "Sessions",
  ui: "Browser and canvas",
  messaging: "Messaging",
  automation: "Automation",
  nodes: "Nodes",
  agents: "Agents",
  media: "Media",
};

export const PROFILES = ["minimal", "coding", "messaging", "full"] as const;
export type ToolProfile = (typeof PROFILES)[number];

/** What a profile allows; `full` allows everything. */
export const PROFILE_TOOLS: Readonly<Record<Exclude<ToolProfile, "full">, readonly string[]>> = {
  minimal: ["session_status"],
  coding: [...BUILT_IN.fs, ...BUILT_IN.runtime, ...BUILT_IN.memory, ...BUILT_IN.sessions, "cron", "image", "attach"],
  messaging: [
    "sessions_list",
    "sessions_history",
    "sessions_search",
    "sessions_send",
    "session_status",
    "message",
    "attach",
  ],
};

/** For owners only, even if the tool itself forgets to say so. */
export const OWNER_ONLY: readonly string[] = ["cron", "gateway", "whatsapp_login"];

/** Guests are talked to, and looked things up for. What acts, sends, remembers or looks into other conversations is not for them. */
export const GUEST_EFFECTS: readonly ToolEffect[] = ["read", "network"];
export const GUEST_FAMILIES: readonly ToolFamily[] = ["fs", "web", "media"];
export const GUEST_DENY: readonly string[] = ["write", "edit", "apply_patch"];

/** What is kept inside, and what never leaves the gateway's own hands. */
export const SANDBOX_ALLOW: readonly string[] = [
  ...BUILT_IN.runtime,
  ...BUILT_IN.fs,
  ...BUILT_IN.sessions,
  ...BUILT_IN.web,
  ...BUILT_IN.memory,
  ...BUILT_IN.messaging,
  "image",
  "attach",
];
export const SANDBOX_DENY: readonly string[] = [...BUILT_IN.ui, "nodes", ...BUILT_IN.automation];

export const SUBAGENT_DENY: readonly string[] = [
  "gateway",
  "agents_list",
  "whatsapp_login",
  "session_status",
  "cron",
  "memory_search",
  "memory_get",
  "sessions_send",
];
/** A sub-agent that may have none of its own has no use for these. */
export const LEAF_DENY: readonly string[] = ["sessions_list", "sessions_history", "sessions_search", "sessions_spawn"];

/** The order in which a model is told of tools; all others follow by name. */
export const TOLD_FIRST: readonly string[] = [
  "read",
  "write",
  "edit",
  "apply_patch",
  "grep",
  "find",
  "ls",
  "exec",
  "process",
  "web_search",
  "web_fetch",
  "browser",
  "canvas",
  "nodes",
  "cron",
  "message",
  "gateway",
  "agents_list",
  "sessions_list",
  "sessions_history",
  "sessions_search",
  "sessions_send",
  "subagents",
  "session_status",
  "image",
  "attach",
];
