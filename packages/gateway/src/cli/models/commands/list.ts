// `chela models list`: asks the gateway, or looks itself when none runs.
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { nearestWord } from "../../../base/text/nearest.ts";
import { formatTable, formatTokens } from "../../../base/terminal/layout.ts";

type ListedModel = Pick<
  MethodAnswer<"models.list">["models"][number],
  "id" | "name" | "provider" | "contextWindow" | "reasoning"
> & {
  /** Only with --all: whether it can be used now. */
  readonly available?: boolean;
};

const LOCAL_PROVIDERS = ["ollama", "lmstudio", "llamacpp", "vllm"];

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const provider = flags.text("provider");
  const usable = await usableModels(call);
  const models = (flags.has("all") ? await addUnusable(call, usable) : usable)
    .filter((model) => provider === undefined || model.provider === provider)
    .filter((model) => !flags.has("local") || LOCAL_PROVIDERS.includes(model.provider));
  if (flags.has("json")) terminal.printJson({ models });
  else if (flags.has("plain")) for (const model of models) terminal.print(`${model.provider}/${model.id}`);
  else if (models.length === 0) terminal.print(await explainNone(call));
  else for (const line of formatTable(toRows(models, call))) terminal.print(line);
  return 0;
}

/** A name that is mistyped, a provider without a key, or nothing at all. */
async function explainNone(call: CommandCall): Promise<string> {
  const provider = call.flags.text("provider");
  if (provider === undefined)
    return "No models. Set a provider's API key, or start a server such as Ollama on this machine.";
  const { listKnownProviders } = await import("../with-models.ts");
  const known = await listKnownProviders(call);
  if (known.includes(provider)) {
    const hint = call.flags.has("all") ? "" : " `--all` shows also those that lack a key.";
    return `No models of ${provider} can be used now.${hint}`;
  }
  const near = nearestWord(provider, known);
  return `There is no provider "${provider}". ${near ? `Did you mean ${near}?` : `There are: ${known.join(", ")}.`}`;
}

function toRows(models: readonly ListedModel[], { terminal: { style } }: CommandCall): string[][] {
  const head = ["MODEL", "NAME", "CONTEXT", ""].map((name) => style.dim(name));
  const rows = models.map((model) => [
    `${model.provider}/${model.id}`,
    model.name,
    model.contextWindow ? formatTokens(model.contextWindow) : "-",
    model.available === false ? style.dim("no key") : "",
  ]);
  return [head, ...rows];
}

async function usableModels(call: CommandCall): Promise<ListedModel[]> {
  try {
    return (await call.gateway.call("models.list", {})).models;
  } catch (error) {
    if (!CommandFailure.is(error) || error.kind !== "no-gateway" || call.flags.has("url")) throw error;
    const { listUsableModels } = await import("../with-models.ts");
    return listUsableModels(call);
  }
}

async function addUnusable(call: CommandCall, usable: readonly ListedModel[]): Promise<ListedModel[]> {
  const { listKnownModels } = await import("../with-models.ts");
  const names = new Set(usable.map(({ provider, id }) => `${provider}/${id}`));
  const others = (await listKnownModels(call)).filter(({ provider, id }) => !names.has(`${provider}/${id}`));
  return [
    ...usable.map((model) => ({ ...model, available: true })),
    ...others.map((model) => ({ ...model, available: false })),
  ];
}
