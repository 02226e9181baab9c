// /think, /verbose, /reasoning, /elevated, /usage, /send, /activation: one value of the session each.
import type { SessionEntry } from "@chela/sdk";
import { done, refused, type CommandAnswer } from "../command.ts";
import { ELEVATED_WORDS, INHERIT_WORDS, REASONING_WORDS, THINKING_WORDS, VERBOSE_WORDS } from "../grammar.ts";
import type { CommandWorld, Refusal, SessionDefaults } from "../world.ts";
import { foldWords, splitWords } from "./layout.ts";
import { isGroup } from "./session-kind.ts";
import { showCosts } from "./status.ts";

type LevelField = "thinkingLevel" | "verboseLevel" | "reasoningLevel" | "elevatedLevel";

interface Option {
  readonly title: string;
  readonly field: LevelField;
  readonly fallback: Exclude<keyof SessionDefaults, "exec">;
  readonly words: ReadonlyMap<string, string>;
  /** Why this value cannot be had here; undefined when it can. */
  forbids?(value: string, world: CommandWorld): Promise<string | undefined>;
  /** What it comes to here, when that is something else. */
  effect?(value: string, world: CommandWorld): Promise<string>;
}

const THINKING: Option = {
  title: "Thinking",
  field: "thinkingLevel",
  fallback: "thinking",
  words: THINKING_WORDS,
  async forbids(value, world) {
    const { ref, thinkingLevels } = await world.models.current();
    if (thinkingLevels.includes(value)) return undefined;
    return `${ref} cannot think "${value}".\nAllowed: ${thinkingLevels.join(", ")}.`;
  },
  async effect(value, world) {
    const { ref, thinkingLevels } = await world.models.current();
    return thinkingLevels.includes(value) ? value : `off, because ${ref} cannot think "${value}"`;
  },
};
const VERBOSE: Option = { title: "Verbose", field: "verboseLevel", fallback: "verbose", words: VERBOSE_WORDS };
const REASONING: Option = {
  title: "Reasoning",
  field: "reasoningLevel",
  fallback: "reasoning",
  words: REASONING_WORDS,
};
const ELEVATED: Option = {
  title: "Elevated",
  field: "elevatedLevel",
  fallback: "elevated",
  words: ELEVATED_WORDS,
  async forbids(value, world) {
    const permission: { readonly kind: "allowed" } | Refusal = value === "off" ? { kind: "allowed" } : world.elevated();
    return permission.kind === "allowed" ? undefined : permission.why;
  },
};

export const setThinking = (args: string, world: CommandWorld) => setOption(THINKING, args, world);
export const setVerbose = (args: string, world: CommandWorld) => setOption(VERBOSE, args, world);
export const setReasoning = (args: string, world: CommandWorld) => setOption(REASONING, args, world);
export const setElevated = (args: string, world: CommandWorld) => setOption(ELEVATED, args, world);

async function setOption(option: Option, args: string, world: CommandWorld): Promise<CommandAnswer> {
  const { title, field, words } = option;
  const values = [...new Set(words.values())].join(", ");
  const fallback = world.defaults[option.fallback];
  const told = async (value: string) => (await option.effect?.(value, world)) ?? value;
  if (args === "") {
    const own = (await world.session())?.[field];
    const source = own === undefined ? " (default)" : "";
    return done(`⚙️ ${title}: ${await told(own ?? fallback)}${source}`, `Allowed: ${values}, default`);
  }
  const word = args.toLowerCase();
  if (INHERIT_WORDS.includes(word)) {
    await world.patchSession({ [field]: null });
    return done(`⚙️ ${title}: ${await told(fallback)} (default)`);
  }
  const value = words.get(word);
  if (value === undefined) return refusedWord(title, args, `${values}, default`);
  const why = await option.forbids?.(value, world);
  if (why !== undefined) return refused(`⚠️ ${why}`);
  await world.patchSession({ [field]: value });
  return done(`⚙️ ${title}: ${value}`);
}

const USAGE_CYCLE = ["off", "tokens", "full"] as const;

export async function setUsage(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const word = args.toLowerCase();
  if (word === "cost") return showCosts(world);
  const next = word === "" ? nextUsage(await world.session()) : word === "on" ? "tokens" : word;
  const value = USAGE_CYCLE.find((known) => known === next);
  if (!value) return refusedWord("Usage", args, "off, tokens, full, cost");
  await world.patchSession({ responseUsage: value === "off" ? null : value });
  return done(`⚙️ Usage below replies: ${value}`);
}

function nextUsage(entry: SessionEntry | undefined): string {
  const now = entry?.responseUsage === "on" ? "tokens" : (entry?.responseUsage ?? "off");
  return USAGE_CYCLE[(USAGE_CYCLE.indexOf(now) + 1) % USAGE_CYCLE.length] ?? "off";
}

const SEND_WORDS = { on: "allow", off: "deny", inherit: null } as const;

export async function setSend(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const word = args.toLowerCase();
  if (word === "") {
    const policy = (await world.session())?.sendPolicy;
    const now = policy === "allow" ? "on" : policy === "deny" ? "off" : "inherit";
    return done(`⚙️ Sending: ${now}`, "Allowed: on, off, inherit");
  }
  if (word !== "on" && word !== "off" && word !== "inherit") return refusedWord("Sending", args, "on, off, inherit");
  await world.patchSession({ sendPolicy: SEND_WORDS[word] });
  return done(`⚙️ Sending: ${word}`);
}

export async function setActivation(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const entry = await world.session();
  if (!isGroup(world.sessionKey, entry)) return refused("⚠️ /activation is for groups.", "Here I answer everything.");
  const word = args.toLowerCase();
  if (word === "") {
    const now = entry?.groupActivation ?? world.defaults.activation;
    return done(`⚙️ Activation: ${now}`, "Allowed: mention, always");
  }
  if (word !== "mention" && word !== "always") return refusedWord("Activation", args, "mention, always");
  await world.patchSession({ groupActivation: word, groupActivationNeedsSystemIntro: true });
  return done(`⚙️ Activation: ${word}`);
}

function refusedWord(title: string, args: string, allowed: string): CommandAnswer {
  const [word = ""] = splitWords(args);
  return refused(`⚠️ ${title} does not know "${word.slice(0, 30)}".`, ...foldWords(`Allowed: ${allowed}.`.split(" ")));
}
