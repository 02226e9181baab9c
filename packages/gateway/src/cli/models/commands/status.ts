// `chela models status`: which model answers, by which credential, and what would take its place.
import { join } from "node:path";
import { GatewayError, normalizeAgentId, type ModelInfo } from "@chela/sdk";
import type { CommandCall } from "@chela/sdk/command-line";
import type { ModelsConfigView, ProfileState, ProfileView } from "../../../rooms/models/room.ts";
import { alignRows, formatAge, formatTime } from "../../../base/terminal/layout.ts";
import { accessTo, describeAccess, type ProviderAccess } from "../models-access.ts";
import { listAliases, type ModelAlias } from "../models-alias-list.ts";
import { withModels, type ModelsPlace } from "../with-models.ts";
import { createCommandLog } from "../../../base/terminal/command-log.ts";

type Candidate =
  | { readonly kind: "model"; readonly ref: string; readonly isDemo: boolean; readonly access: ProviderAccess }
  /** The configuration names a model that is not there; `says` tells more. */
  | { readonly kind: "unknown"; readonly ref: string; readonly says: string };

interface ModelsStatus {
  readonly place: ModelsPlace;
  readonly first: Candidate;
  /** Why it is the first: "from agents.defaults.model". */
  readonly source: string;
  readonly fallbacks: readonly Candidate[];
  readonly image: readonly Candidate[];
  readonly aliases: readonly ModelAlias[];
  readonly profiles: readonly ProfileView[];
  /** One of the models can be called now; the demo does not count. */
  readonly isUsable: boolean;
}

export async function run(call: CommandCall): Promise<number> {
  const { terminal, flags } = call;
  const options = { agent: flags.text("agent"), log: createCommandLog(terminal.note) };
  return withModels(call, options, async (place) => {
    const status = await readStatus(place);
    if (flags.has("json")) terminal.printJson(toJson(status));
    else if (flags.has("plain")) terminal.print(status.first.ref);
    else for (const line of describe(status, terminal.columns)) terminal.print(line);
    return flags.has("check") && !status.isUsable ? 1 : 0;
  });
}

async function readStatus(place: ModelsPlace): Promise<ModelsStatus> {
  const { config, agentId, models } = place;
  const own = config.agents?.list?.find(({ id }) => normalizeAgentId(id) === agentId)?.model;
  const shared = config.agents?.defaults?.model;
  const { first, source } = await findFirst(place, choiceOf(own).primary, choiceOf(shared).primary);
  const written = choiceOf(own).fallbacks ?? choiceOf(shared).fallbacks ?? [];
  const fallbacks = written.map((ref) => lookUp(place, ref));
  const image = choiceOf(config.agents?.defaults?.imageModel);
  return {
    place,
    first,
    source,
    fallbacks,
    image: [...(image.primary ? [image.primary] : []), ...(image.fallbacks ?? [])].map((ref) => lookUp(place, ref)),
    aliases: listAliases(config),
    profiles: models.profiles.view(agentId),
    isUsable: [first, ...fallbacks].some((one) => one.kind === "model" && !one.isDemo && one.access.kind === "usable"),
  };
}

type Choice = NonNullable<NonNullable<NonNullable<ModelsConfigView["agents"]>["defaults"]>["model"]>;

function choiceOf(choice: Choice | undefined): Exclude<Choice, string> {
  return typeof choice === "string" ? { primary: choice } : (choice ?? {});
}

async function findFirst(
  place: ModelsPlace,
  own: string | undefined,
  shared: string | undefined,
): Promise<{ first: Candidate; source: string }> {
  if (own) return { first: lookUp(place, own), source: `from the model of the agent ${place.agentId}` };
  if (shared) return { first: lookUp(place, shared), source: "from agents.defaults.model" };
  const { model, source } = await place.models.defaultModel(place.agentId);
  return { first: toCandidate(place, model), source };
}

function lookUp(place: ModelsPlace, ref: string): Candidate {
  try {
    return toCandidate(place, place.models.resolve(ref));
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { kind: "unknown", ref, says: error.message };
  }
}

function toCandidate(place: ModelsPlace, model: ModelInfo): Candidate {
  const { provider, id, api } = model;
  return { kind: "model", ref: `${provider}/${id}`, isDemo: api === "demo", access: accessTo(place, provider) };
}

const NOTHING_USABLE = [
  "",
  "No model can be used now. `chela models auth add` stores a key;",
  "`chela models list --all` shows what there is.",
];

function describe(status: ModelsStatus, columns: number): string[] {
  const { place, first, source, fallbacks, image, aliases, profiles } = status;
  const numbered = (name: string, all: readonly Candidate[]): Array<[string, string]> =>
    all.map((one, index) => [index === 0 ? name : "", describeCandidate(one)]);
  const rows: Array<[string, string]> = [
    ["Model", `${describeCandidate(first)}, ${source}`],
    ...numbered("Fallbacks", fallbacks),
    ...numbered("Pictures", image),
    ...aliases.map(({ alias, ref }, index): [string, string] => [index === 0 ? "Aliases" : "", `${alias} = ${ref}`]),
  ];
  const stored = profiles.filter(({ origin }) => origin === "file");
  const given = profiles.filter(({ origin }) => origin !== "file");
  return [
    `Agent ${place.agentId}`,
    ...alignRows(rows, columns),
    ...(stored.length > 0 ? ["Profiles", ...alignRows(stored.map(profileRow), columns)] : ["No profiles are stored."]),
    ...(given.length > 0
      ? ["Keys of the environment and the configuration", ...alignRows(given.map(givenRow), columns)]
      : ["No keys in the environment or the configuration."]),
    ...(status.isUsable ? [] : NOTHING_USABLE),
  ];
}

function describeCandidate(candidate: Candidate): string {
  if (candidate.kind === "unknown") return `${candidate.ref} (${candidate.says})`;
  return candidate.isDemo ? candidate.ref : `${candidate.ref} (${describeAccess(candidate.access)})`;
}

function profileRow({ id, type, label, state, lastUsed }: ProfileView): [string, string] {
  const used = lastUsed === undefined ? [] : [`used ${formatAge(Date.now() - lastUsed)}`];
  return [id, [describeState(state), type, ...(label ? [label] : []), ...used].join(", ")];
}

function givenRow({ provider, origin, label }: ProfileView): [string, string] {
  return [provider, `${label ?? "a key"} ${origin === "env" ? "in the environment" : "in the configuration"}`];
}

function describeState(state: ProfileState): string {
  switch (state.kind) {
    case "ok":
      return "ok";
    case "cooling":
    case "disabled":
      return `${state.kind} until ${formatTime(state.until)} (${state.reason})`;
    case "expired":
      return `expired ${formatTime(state.at)}`;
    case "empty":
      return "empty: what it refers to is not set";
  }
}

function toJson(status: ModelsStatus) {
  const { place, first, source, fallbacks, image, aliases, profiles, isUsable } = status;
  const { config, paths, agentId, agentDir } = place;
  const imageChoice = choiceOf(config.agents?.defaults?.imageModel);
  return {
    configPath: paths.configPath,
    agentId,
    agentDir,
    defaultModel: choiceOf(config.agents?.defaults?.model).primary ?? null,
    resolvedDefault: first.kind === "model" ? first.ref : null,
    source,
    fallbacks: fallbacks.map(({ ref }) => ref),
    imageModel: imageChoice.primary ?? null,
    imageFallbacks: imageChoice.fallbacks ?? [],
    aliases: Object.fromEntries(aliases.map(({ alias, ref }) => [alias, ref])),
    usable: isUsable,
    candidates: [first, ...fallbacks],
    imageCandidates: image,
    auth: { storePath: join(agentDir, "auth-profiles.json"), profiles },
  };
}
