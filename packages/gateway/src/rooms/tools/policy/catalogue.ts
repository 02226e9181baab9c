// The lists that policies of tools go by: families, profiles, and what holds where nothing is configured; made from the tools.
import type { ToolEffect, ToolFamily, ToolProfile, ToolTraits } from "@chela/sdk";

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
  plugins: "Plugins",
};

/** What a policy knows of a tool by its name. A name may be kept for a tool that is in no family. */
type NamedTraits = Omit<ToolTraits, "family"> & { readonly family?: ToolFamily };

/** Names that configurations of OpenClaw use for tools we do not have: lists may name them, and they stay narrow for whoever brings them. */
const RESERVED: readonly NamedTraits[] = [
  { name: "browser", family: "ui", inSandbox: "denied" },
  { name: "canvas", family: "ui", inSandbox: "denied" },
  { name: "tts", family: "media" },
  { name: "whatsapp_login", ownerOnly: true, notForSubagents: "all" },
];

/** Guests are talked to, and looked things up for. What acts, sends, remembers or looks into other conversations is not for them. */
export const GUEST_EFFECTS: readonly ToolEffect[] = ["read", "network"];
export const GUEST_FAMILIES: readonly ToolFamily[] = ["fs", "web", "media"];

type Profiles = Readonly<Record<Exclude<ToolProfile, "full">, readonly string[]>>;

export interface ToolLists {
  /** The family of every built-in tool, by name. */
  readonly families: ReadonlyMap<string, ToolFamily>;
  /** What a profile allows; `full` allows everything. */
  readonly profiles: Profiles;
  /** For owners only, even if a tool of that name forgets to say so. */
  readonly ownerOnly: ReadonlySet<string>;
  readonly guestDeny: ReadonlySet<string>;
  /** What is kept inside, and what never leaves the gateway's own hands. */
  readonly sandboxAllow: readonly string[];
  readonly sandboxDeny: readonly string[];
  readonly subagentDeny: readonly string[];
  /** A sub-agent that may have none of its own has no use for these. */
  readonly lastSubagentDeny: readonly string[];
}

export function listTools(builtIn: readonly ToolTraits[]): ToolLists {
  const all: readonly NamedTraits[] = [...builtIn, ...RESERVED];
  const names = (fits: (tool: NamedTraits) => boolean) => all.filter(fits).map(({ name }) => name);
  const inProfile = (profile: keyof Profiles) => names(({ profiles }) => profiles?.includes(profile) === true);
  return {
    families: new Map(all.flatMap(({ name, family }) => (family ? [[name, family]] : []))),
    profiles: { minimal: inProfile("minimal"), coding: inProfile("coding"), messaging: inProfile("messaging") },
    ownerOnly: new Set(names(({ ownerOnly }) => ownerOnly === true)),
    guestDeny: new Set(names(({ notForGuests }) => notForGuests === true)),
    sandboxAllow: names(({ inSandbox }) => inSandbox === "allowed"),
    sandboxDeny: names(({ inSandbox }) => inSandbox === "denied"),
    subagentDeny: names(({ notForSubagents }) => notForSubagents === "all"),
    lastSubagentDeny: names(({ notForSubagents }) => notForSubagents === "last"),
  };
}

/** The order of the prompt: the same tools are always told in the same order, so that providers can cache it. */
export function inToldOrder<T extends ToolTraits>(tools: readonly T[]): readonly T[] {
  const place = ({ told = Infinity }: ToolTraits): number => told;
  return tools.toSorted((a, b) => (place(a) === place(b) ? (a.name < b.name ? -1 : 1) : place(a) - place(b)));
}
