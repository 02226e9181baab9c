// Chat commands /model and /models: which model answers here, and which there are.
import {
  done,
  refused,
  type ChatCall,
  type ChatCommand,
  type CommandAnswer,
  type ModelChoice,
  type SessionModels,
  type SessionPatch,
  type TakeArguments,
} from "@chela/sdk";
import { pageOf, splitWords } from "../../base/text/chat-layout.ts";
import { firstWord, INHERIT_WORDS, takeWhile } from "../../base/text/command-words.ts";
import type { House } from "../../house/house.ts";

const PAGE_SIZE = 8;

interface World extends Pick<ChatCall, "session" | "patchSession"> {
  readonly models: SessionModels;
}

async function setModel(args: string, call: ChatCall, house: Pick<House, "sessionModels">): Promise<CommandAnswer> {
  const world: World = {
    models: await house.sessionModels(call),
    session: call.session,
    patchSession: call.patchSession,
  };
  const [word = "", more = ""] = splitWords(args);
  const lower = word.toLowerCase();
  if (lower === "" || lower === "list") return showPicker(world, more);
  if (lower === "status") return showModelStatus(world);
  if (INHERIT_WORDS.includes(lower)) return useDefault(world);
  const choice = /^#?\d{1,4}$/.test(word) ? await pickByNumber(word, world) : await pickByName(word, world);
  if (choice.kind === "refused") return refused(`⚠️ ${choice.why}`, "/models shows what there is.");
  return useModel(choice.model, choice.profile, world);
}

async function showModels(args: string, call: ChatCall, house: Pick<House, "sessionModels">): Promise<CommandAnswer> {
  const [provider = "", page = "1"] = splitWords(args);
  const all = await (await house.sessionModels(call)).list();
  if (provider === "") return showProviders(all);
  const own = all.filter((model) => model.provider.toLowerCase() === provider.toLowerCase());
  if (own.length === 0) return refused(`⚠️ No models of "${provider.slice(0, 30)}".`, "/models shows the providers.");
  const { items, number, count } = pageOf(own, Number(page), PAGE_SIZE);
  const next = number < count ? [`More: /models ${provider} ${number + 1}`] : [];
  const lines = items.map((model) => `• ${model.id}${model.alias ? ` (/${model.alias})` : ""}`);
  return done(`🧠 ${own[0]?.provider ?? provider} ${number}/${count}`, ...lines, ...next);
}

/** `provider/model@profile`; a date behind the "@" belongs to the model's own name. */
function splitProfile(ref: string): { readonly ref: string; readonly profile?: string } {
  const at = ref.lastIndexOf("@");
  if (at <= 0 || /^\d{6,8}$/.test(ref.slice(at + 1))) return { ref };
  return { ref: ref.slice(0, at), profile: ref.slice(at + 1) };
}

type Choice =
  | { readonly kind: "found"; readonly model: ModelChoice; readonly profile?: string }
  | { readonly kind: "refused"; readonly why: string };

async function pickByNumber(word: string, world: World): Promise<Choice> {
  const all = await world.models.list();
  const model = all[Number(word.replace("#", "")) - 1];
  return model ? { kind: "found", model } : { kind: "refused", why: `There is no number ${word}; 1 to ${all.length}.` };
}

async function pickByName(word: string, world: World): Promise<Choice> {
  const { ref, profile } = splitProfile(word);
  const found = await world.models.resolve(ref);
  if (found.kind === "refused" || profile === undefined) return found;
  const profiles = await world.models.profiles(found.model.provider);
  const id = [profile, `${found.model.provider}:${profile}`].find((candidate) => profiles.includes(candidate));
  if (id !== undefined) return { ...found, profile: id };
  const known = profiles.length > 0 ? `There are: ${profiles.join(", ")}.` : "There are none.";
  return { kind: "refused", why: `No credential "${profile}" for ${found.model.provider}.\n${known}` };
}

async function useModel(model: ModelChoice, profile: string | undefined, world: World): Promise<CommandAnswer> {
  const { defaultRef } = await world.models.current();
  const ref = refOf(model);
  const override: SessionPatch =
    ref === defaultRef
      ? { providerOverride: null, modelOverride: null }
      : { providerOverride: model.provider, modelOverride: model.id };
  await world.patchSession({
    ...override,
    authProfileOverride: profile ?? null,
    authProfileOverrideSource: profile === undefined ? null : "user",
  });
  const notes = [...(ref === defaultRef ? ["default"] : []), ...(profile ? [`🔑 ${profile}`] : [])];
  return done(`🧠 Model: ${ref}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`);
}

async function useDefault(world: World): Promise<CommandAnswer> {
  const { defaultRef } = await world.models.current();
  await world.patchSession({
    providerOverride: null,
    modelOverride: null,
    authProfileOverride: null,
    authProfileOverrideSource: null,
  });
  return done(`🧠 Model: ${defaultRef} (default)`);
}

async function showPicker(world: World, page: string): Promise<CommandAnswer> {
  const { ref, defaultRef } = await world.models.current();
  const all = (await world.models.list()).map((model, index) => ({ model, number: index + 1 }));
  const { items, number, count } = pageOf(all, Number(page || 1), PAGE_SIZE);
  const lines = items.map(({ model, number: own }) => {
    return `${own}. ${refOf(model)}${model.alias ? ` (${model.alias})` : ""}`;
  });
  const next = number < count ? [`More: /model list ${number + 1}`] : [];
  const note = ref === defaultRef ? " (default)" : "";
  return done(`🧠 Model: ${ref}${note}`, ...lines, "Choose: /model <number or name>", ...next);
}

async function showModelStatus(world: World): Promise<CommandAnswer> {
  const { ref, defaultRef, credential, thinkingLevels } = await world.models.current();
  const [, ...fallbacks] = await world.models.candidates();
  const profile = (await world.session())?.authProfileOverride;
  return done(
    `🧠 Model: ${ref}`,
    `Default: ${defaultRef}`,
    `Credential: ${credential ?? "none needed"}${profile ? " (chosen here)" : ""}`,
    ...(fallbacks.length > 0 ? ["Then, when it fails:", ...fallbacks.slice(0, 5).map((next) => `• ${next}`)] : []),
    `Thinking: ${thinkingLevels.join(", ")}`,
  );
}

function showProviders(all: readonly ModelChoice[]): CommandAnswer {
  const counts = new Map<string, number>();
  for (const { provider } of all) counts.set(provider, (counts.get(provider) ?? 0) + 1);
  if (counts.size === 0) return done("🧠 No models can be called yet.", "Give a provider's key to the gateway first.");
  const rows = [...counts].map(([provider, count]) => `• ${provider} (${count})`);
  const more = rows.length > PAGE_SIZE ? [`… and ${rows.length - PAGE_SIZE} more`] : [];
  return done("🧠 Providers", ...rows.slice(0, PAGE_SIZE), ...more, "Models: /models <provider>");
}

const refOf = ({ provider, id }: ModelChoice) => `${provider}/${id}`;

const takeModel: TakeArguments = (behind, place, known) => {
  if (place === "inside") return takeWhile(behind, place, 1, (word) => known.isModel(splitProfile(word).ref));
  const first = firstWord(behind);
  if (first && ["list", "status"].includes(first.word.toLowerCase())) return behind.length;
  return takeWhile(behind, place, 1, () => true);
};

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "model",
    aliases: [],
    usage: "[list|status|number|name[@credential]|default]",
    category: "Options",
    who: "authorised",
    changesConversation: true,
    help: "show or choose the model",
    listed: 90,
    inline: { kind: "directive", take: takeModel },
    run: setModel,
  },
  {
    name: "models",
    aliases: [],
    usage: "[provider [page]]",
    category: "Status",
    who: "authorised",
    help: "all models",
    listed: 220,
    run: showModels,
  },
];
