// Tries a provider the way a turn would, with one tiny call, before anything is written down.
import {
  GatewayError,
  Secret,
  type AgentMessage,
  type ModelFailure,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
} from "@chela/sdk";
import { describeModel, type ProviderEntry } from "../catalog.ts";
import { toWireSettings } from "../credentials.ts";
import { streamAttempt, type OpenedProvider } from "../failover/attempt.ts";
import { isOpen } from "../known-providers.ts";
import { accessWithKey } from "../profiles/access.ts";
import type { Access } from "../profiles/profile.ts";
import { makeFailure } from "../providers/failure.ts";
import { loadWire } from "../providers/wire.ts";
import { explainFailure, explainProblem, type ProblemPlace, type SetupProblem } from "./explain-problem.ts";
import { listServed, type Served, type ServedModel } from "./list-served.ts";
import type { SetupParts } from "./model-setup.ts";
import { readAddress, type Addressed } from "./read-address.ts";

export interface SetupQuestion {
  /** Whose stored credential is used when no key is given. */
  readonly agentId: string;
  readonly provider: string;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** As the provider calls it. */
  readonly model?: string | undefined;
}

export interface SetupTest {
  readonly ok: boolean;
  /** Until the first word came. */
  readonly latencyMs?: number;
  readonly models?: readonly ServedModel[];
  /** The model to take unless somebody knows better. */
  readonly suggested?: string;
  readonly problem?: SetupProblem;
}

/** Some APIs refuse to make the answer shorter. */
const MAX_TOKENS = 16;
/** A large local model is read from the disk first. */
const PATIENCE_MS = 90_000;

type TrialAccess =
  | { readonly kind: "key"; readonly access: Access | undefined }
  | { readonly kind: "stored"; readonly access: Access | undefined; open(model: ModelInfo): Promise<OpenedProvider> }
  | { readonly kind: "missing" };

export async function tryProvider(question: SetupQuestion, parts: SetupParts): Promise<SetupTest> {
  let addressed: Addressed;
  try {
    addressed = readAddress(question, parts.config(), parts.env());
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return failed({ code: "address", message: error.message, fix: error.row.fix });
  }
  const { entry, baseUrl } = addressed;
  const place = placeOf(entry, baseUrl);
  const way = await findWay(question, addressed, parts);
  if (way.kind === "missing") return failed(explainProblem("no-key", place));
  const { api } = describeModel(entry, question.model ?? "any");
  const served = await listServed({ api, baseUrl, access: way.access }, parts);
  const models = served.kind === "list" ? served.models : undefined;
  const suggested = suggest(entry, models);
  const found = { ...(models ? { models } : {}), ...(suggested ? { suggested } : {}) };
  const id = question.model?.trim() || suggested;
  if (!id) return { ...failed(explainProblem(withoutModel(served), place)), ...found };
  const answer = await ask(describeModel(entry, id), entry, way, parts);
  if (answer.kind === "failed") return { ...failed(explainFailure(answer.failure, place)), ...found };
  return { ok: true, latencyMs: answer.latencyMs, ...found };
}

function failed(problem: SetupProblem): SetupTest {
  return { ok: false, problem };
}

function placeOf({ id, known }: ProviderEntry, baseUrl: string): ProblemPlace {
  return { provider: id, label: known?.name ?? id, baseUrl, isLocal: known !== undefined && isOpen(known) };
}

/** A key that was given, or else the one that is stored for this very address. */
async function findWay(
  { provider, apiKey, agentId }: SetupQuestion,
  { entry, isElsewhere }: Addressed,
  parts: SetupParts,
): Promise<TrialAccess> {
  const key = apiKey?.trim();
  if (key) {
    parts.onSecret(key);
    return { kind: "key", access: accessWithKey(provider, new Secret(key)) };
  }
  if (isElsewhere) return { kind: "key", access: undefined };
  const { ready, shaky, resting } = parts.book.look(agentId, describeModel(entry, entry.known?.defaultModel ?? "any"));
  const profile = ready[0] ?? shaky[0] ?? resting[0]?.profile;
  if (!profile) return { kind: "missing" };
  const outcome = await parts.book.access(profile);
  const access = outcome.kind === "ready" ? outcome.access : undefined;
  return { kind: "stored", access, open: (model) => parts.open(model, profile) };
}

/** What the maker of the list would take: the usual model of the provider, or one we know, or the first. */
function suggest(entry: ProviderEntry, models: readonly ServedModel[] | undefined): string | undefined {
  const usual = entry.known?.defaultModel;
  if (!models) return usual;
  const ids = new Set(models.map(({ id }) => id));
  if (usual && ids.has(usual)) return usual;
  return entry.known?.models.find(({ id }) => ids.has(id))?.id ?? models[0]?.id ?? usual;
}

function withoutModel(served: Served): SetupProblem["code"] {
  if (served.kind === "refused") return "auth";
  return served.kind === "silent" ? "network" : "no-model";
}

type TrialAnswer =
  | { readonly kind: "answered"; readonly latencyMs: number }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

async function ask(
  model: ModelInfo,
  entry: ProviderEntry,
  way: Exclude<TrialAccess, { kind: "missing" }>,
  parts: SetupParts,
): Promise<TrialAnswer> {
  const { clock, log } = parts;
  const abort = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => abort.abort("too slow"));
  const startedAt = clock.steady();
  const open = async (): Promise<OpenedProvider> =>
    way.kind === "stored" ? way.open(model) : openWith(model, entry, way.access, parts);
  try {
    let firstAt: number | undefined;
    for await (const event of streamAttempt({ clock, log, request: requestFor(model), open }, abort.signal)) {
      if (event.kind === "failure") return { kind: "failed", failure: event.failure };
      firstAt ??= clock.steady();
    }
    if (abort.signal.aborted) return { kind: "failed", failure: makeFailure("timeout", "no answer came in time") };
    return { kind: "answered", latencyMs: (firstAt ?? clock.steady()) - startedAt };
  } finally {
    cancel();
  }
}

/** Beside the profiles: what was only typed must not count as used, failed or resting. */
async function openWith(
  model: ModelInfo,
  entry: ProviderEntry,
  access: Access | undefined,
  { env, fetch, clock }: SetupParts,
): Promise<OpenedProvider> {
  if (model.api === "demo" || model.api === "github-copilot") {
    const failure = makeFailure(
      "bad-request",
      "sign in with `chela models auth login-github-copilot` instead of a key",
    );
    return { kind: "failed", failure };
  }
  const wanted = toWireSettings(entry, model, env(), access);
  if (wanted.kind === "missing") return { kind: "failed", failure: makeFailure("auth", wanted.why) };
  const create = await loadWire(model.api);
  const provider: ModelProvider = create(wanted.settings, fetch, { clock });
  return { kind: "ready", provider };
}

function requestFor(model: ModelInfo): ModelRequest {
  const message: AgentMessage = { role: "user", content: "Say: ok", timestamp: 0 };
  const system = "Answer with one word.";
  return { model, system, messages: [message], tools: [], thinking: "off", maxTokens: MAX_TOKENS, sessionId: "setup" };
}
