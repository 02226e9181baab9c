// `chela models set`, `set-image`, `fallbacks …` and `image-fallbacks …`: which models answer, and in which order.
import { defined } from "@chela/sdk/base";
import { normalizeAgentId } from "@chela/sdk";
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import { wrapText } from "../../../base/terminal/layout.ts";
import { listModel } from "../../../rooms/models/default-choice.ts";
import { accessTo, describeAccess } from "../models-access.ts";
import { changeDefaults, openModelDefaults, requireModel, tryRef, type OpenedDefaults } from "../models-defaults.ts";
import { withModels } from "../with-models.ts";

/** The same commands work on both keys of `agents.defaults`; their second word tells which. */
const KEYS = {
  set: "model",
  fallbacks: "model",
  "set-image": "imageModel",
  "image-fallbacks": "imageModel",
} as const;
const NOUNS = { model: "model", imageModel: "model for pictures" } as const;

type ChoiceKey = (typeof KEYS)[keyof typeof KEYS];

const keyOf = ({ path }: CommandCall): ChoiceKey => KEYS[path[1] as keyof typeof KEYS];

function fallbacksOf({ defaults }: OpenedDefaults, key: ChoiceKey): readonly string[] {
  const choice = defaults[key];
  return typeof choice === "object" ? (choice.fallbacks ?? []) : [];
}

function primaryOf({ defaults }: OpenedDefaults, key: ChoiceKey): string | undefined {
  const choice = defaults[key];
  return typeof choice === "string" ? choice : choice?.primary;
}

export async function set(call: CommandCall): Promise<number> {
  const [typed = ""] = call.args;
  const key = keyOf(call);
  const opened = openModelDefaults(call);
  const ref = requireModel(opened, typed, call);
  const choice = typeof opened.defaults[key] === "string" ? ref : { primary: ref };
  const patch = { [key]: choice, ...listModel(opened.defaults, ref) };
  changeDefaults(opened, patch, `The ${NOUNS[key]} is ${ref} now.`, call);
  if (key === "model") noteExceptions(opened, call);
  await noteMissingKey(ref, call);
  return 0;
}

function noteExceptions({ config }: OpenedDefaults, { terminal }: CommandCall): void {
  const others = (config.agents?.list ?? []).filter(({ model }) => model !== undefined);
  if (others.length === 0) return;
  const names = others.map(({ id }) => normalizeAgentId(id)).join(", ");
  terminal.note(`Agents with a model of their own keep it: ${names}.`);
}

async function noteMissingKey(ref: string, call: CommandCall): Promise<void> {
  const provider = ref.slice(0, ref.indexOf("/"));
  const access = await withModels(call, {}, async (place) => accessTo(place, provider));
  if (access.kind !== "missing") return;
  const fix = `\`chela models auth add --provider ${provider}\` stores a key.`;
  call.terminal.note(wrapText(`It cannot be used yet: ${describeAccess(access)}. ${fix}`, call.terminal.columns));
}

export async function list(call: CommandCall): Promise<number> {
  const { terminal, flags } = call;
  const key = keyOf(call);
  const fallbacks = fallbacksOf(openModelDefaults(call), key);
  if (flags.has("json")) terminal.printJson({ fallbacks });
  else if (fallbacks.length === 0 && !flags.has("plain")) terminal.print(`The ${NOUNS[key]} has no fallbacks.`);
  else for (const ref of fallbacks) terminal.print(ref);
  return 0;
}

export async function add(call: CommandCall): Promise<number> {
  const [typed = ""] = call.args;
  const key = keyOf(call);
  const opened = openModelDefaults(call);
  const ref = requireModel(opened, typed, call);
  const primary = primaryOf(opened, key);
  if (primary !== undefined && tryRef(opened.config, primary) === ref) {
    throw new CommandFailure("other", `${ref} is the first choice already; it cannot be its own fallback.`);
  }
  const before = fallbacksOf(opened, key);
  const isThere = before.some((one) => tryRef(opened.config, one) === ref);
  const fallbacks = isThere ? before : [...before, ref];
  const choice = { ...defined({ primary }), fallbacks };
  changeDefaults(opened, { [key]: choice, ...listModel(opened.defaults, ref) }, `${ref} is a fallback now.`, call);
  await noteMissingKey(ref, call);
  return 0;
}

export async function remove(call: CommandCall): Promise<number> {
  const [typed = ""] = call.args;
  const key = keyOf(call);
  const opened = openModelDefaults(call);
  const before = fallbacksOf(opened, key);
  const ref = tryRef(opened.config, typed);
  const left = before.filter((one) => one !== typed && tryRef(opened.config, one) !== ref);
  if (left.length === before.length) {
    throw new CommandFailure("other", `${typed} is no fallback.`, {
      fix: before.length > 0 ? `There are: ${before.join(", ")}.` : `The ${NOUNS[key]} has no fallbacks.`,
    });
  }
  changeDefaults(opened, { [key]: { fallbacks: left } }, `${ref} is no fallback any more.`, call);
  return 0;
}

export async function clear(call: CommandCall): Promise<number> {
  const key = keyOf(call);
  const opened = openModelDefaults(call);
  if (fallbacksOf(opened, key).length === 0) {
    call.terminal.print(`The ${NOUNS[key]} has no fallbacks.`);
    return 0;
  }
  const choice = primaryOf(opened, key) === undefined ? null : { fallbacks: null };
  changeDefaults(opened, { [key]: choice }, `The ${NOUNS[key]} has no fallbacks any more.`, call);
  return 0;
}
