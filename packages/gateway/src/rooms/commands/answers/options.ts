// Chat commands /think, /verbose, /reasoning, /elevated, /send and /activation: one value of the session each.
import { done, refused, type ChatCall, type CommandAnswer, type Refusal } from "@chela/sdk";
import { INHERIT_WORDS } from "../../../base/text/command-words.ts";
import { refusedWord } from "../../../base/text/chat-layout.ts";
import type { House } from "../../../house/house.ts";
import type { SessionDefaults } from "../defaults.ts";
import { ELEVATED_WORDS, REASONING_WORDS, THINKING_WORDS, VERBOSE_WORDS } from "../grammar.ts";
import { isGroup } from "./session-kind.ts";

type LevelField = "thinkingLevel" | "verboseLevel" | "reasoningLevel" | "elevatedLevel";

type OptionHouse = Pick<House, "sessionModels" | "sessionDefaults" | "elevated">;

interface Option {
  readonly title: string;
  readonly field: LevelField;
  readonly fallback: Exclude<keyof SessionDefaults, "exec">;
  readonly words: ReadonlyMap<string, string>;
  /** Why this value cannot be had here; undefined when it can. */
  forbids?(value: string, call: ChatCall, house: OptionHouse): Promise<string | undefined>;
  /** What it comes to here, when that is something else. */
  effect?(value: string, call: ChatCall, house: OptionHouse): Promise<string>;
}

const THINKING: Option = {
  title: "Thinking",
  field: "thinkingLevel",
  fallback: "thinking",
  words: THINKING_WORDS,
  async forbids(value, call, house) {
    const { ref, thinkingLevels } = await (await house.sessionModels(call)).current();
    if (thinkingLevels.includes(value)) return undefined;
    return `${ref} cannot think "${value}".\nAllowed: ${thinkingLevels.join(", ")}.`;
  },
  async effect(value, call, house) {
    const { ref, thinkingLevels } = await (await house.sessionModels(call)).current();
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
  async forbids(value, call, house) {
    const permission: { readonly kind: "allowed" } | Refusal =
      value === "off" ? { kind: "allowed" } : house.elevated(call.agentId, call.requester);
    return permission.kind === "allowed" ? undefined : permission.why;
  },
};

export const setThinking = (args: string, call: ChatCall, house: OptionHouse) => setOption(THINKING, args, call, house);
export const setVerbose = (args: string, call: ChatCall, house: OptionHouse) => setOption(VERBOSE, args, call, house);
export const setReasoning = (args: string, call: ChatCall, house: OptionHouse) =>
  setOption(REASONING, args, call, house);
export const setElevated = (args: string, call: ChatCall, house: OptionHouse) => setOption(ELEVATED, args, call, house);

async function setOption(option: Option, args: string, call: ChatCall, house: OptionHouse): Promise<CommandAnswer> {
  const { title, field, words } = option;
  const values = [...new Set(words.values())].join(", ");
  const fallback = house.sessionDefaults()[option.fallback];
  const told = async (value: string) => (await option.effect?.(value, call, house)) ?? value;
  if (args === "") {
    const own = (await call.session())?.[field];
    const source = own === undefined ? " (default)" : "";
    return done(`⚙️ ${title}: ${await told(own ?? fallback)}${source}`, `Allowed: ${values}, default`);
  }
  const word = args.toLowerCase();
  if (INHERIT_WORDS.includes(word)) {
    await call.patchSession({ [field]: null });
    return done(`⚙️ ${title}: ${await told(fallback)} (default)`);
  }
  const value = words.get(word);
  if (value === undefined) return refusedWord(title, args, `${values}, default`);
  const why = await option.forbids?.(value, call, house);
  if (why !== undefined) return refused(`⚠️ ${why}`);
  await call.patchSession({ [field]: value });
  return done(`⚙️ ${title}: ${value}`);
}

const SEND_WORDS = { on: "allow", off: "deny", inherit: null } as const;

export async function setSend(args: string, call: ChatCall): Promise<CommandAnswer> {
  const word = args.toLowerCase();
  if (word === "") {
    const policy = (await call.session())?.sendPolicy;
    const now = policy === "allow" ? "on" : policy === "deny" ? "off" : "inherit";
    return done(`⚙️ Sending: ${now}`, "Allowed: on, off, inherit");
  }
  if (word !== "on" && word !== "off" && word !== "inherit") return refusedWord("Sending", args, "on, off, inherit");
  await call.patchSession({ sendPolicy: SEND_WORDS[word] });
  return done(`⚙️ Sending: ${word}`);
}

export async function setActivation(args: string, call: ChatCall, house: OptionHouse): Promise<CommandAnswer> {
  const entry = await call.session();
  if (!isGroup(call.sessionKey, entry)) return refused("⚠️ /activation is for groups.", "Here I answer everything.");
  const word = args.toLowerCase();
  if (word === "") {
    const now = entry?.groupActivation ?? house.sessionDefaults().activation;
    return done(`⚙️ Activation: ${now}`, "Allowed: mention, always");
  }
  if (word !== "mention" && word !== "always") return refusedWord("Activation", args, "mention, always");
  await call.patchSession({ groupActivation: word, groupActivationNeedsSystemIntro: true });
  return done(`⚙️ Activation: ${word}`);
}
