// Models and levels of thinking as a picker shows them.
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import type { PickerChoice } from "../parts/picker-choices.ts";
import type { InOtherWords, Sections, Words } from "../words/index.ts";

type ListedModels = MethodAnswer<"models.list">;
type Model = ListedModels["models"][number];
type ComposerWords = InOtherWords<Sections["composer"]>;

type ThinkingLevel = NonNullable<MethodParams<"sessions.patch">["thinkingLevel"]>;
export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const satisfies ThinkingLevel[];

export const QUEUE_MODES = ["followup", "collect", "steer", "steer-backlog", "interrupt"] as const;

/** `provider/id`, which may have further slashes. */
function refOf({ provider, id }: Pick<Model, "provider" | "id">): string {
  return `${provider}/${id}`;
}

export function findModel(listed: ListedModels | undefined, ref: string | undefined): Model | undefined {
  return listed?.models.find((model) => refOf(model) === ref);
}

/** What a model is called; of one that is not listed, the end of its reference. */
export function modelName(listed: ListedModels | undefined, ref: string): string {
  return findModel(listed, ref)?.name ?? ref.slice(ref.indexOf("/") + 1);
}

export function modelChoices(listed: ListedModels, texts: ComposerWords, words: Words): PickerChoice[] {
  const usual = listed.default ? { hint: texts.modelDefaultHint(modelName(listed, listed.default)) } : {};
  const byProvider = [...listed.models].sort((a, b) => a.provider.localeCompare(b.provider));
  return [
    { id: "", label: texts.modelDefault, ...usual },
    ...byProvider.map((model) => {
      const hint = factsOf(model, texts, words);
      return { id: refOf(model), label: model.name, group: model.provider, ...(hint ? { hint } : {}) };
    }),
  ];
}

function factsOf(model: Model, texts: ComposerWords, words: Words): string {
  if (model.usable === false && model.why) return model.why;
  const context = model.contextWindow ? [texts.modelContext(words.compact(model.contextWindow))] : [];
  const price = model.cost ? [texts.modelPrice(words.money(model.cost.input), words.money(model.cost.output))] : [];
  return [...context, ...price].join(" · ");
}
