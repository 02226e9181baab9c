// Prepares what a believed request asks for: payload, transform, plan, and the name of its run.
import type { House } from "../../house/house.ts";
import type { Candidate } from "./mapping/choose-mapping.ts";
import { eventIdOf, requestedId, runIdOf } from "./event-id.ts";
import { markText, planMapping, type Plan } from "./mapping/plan-mapping.ts";
import { planAgent, planWake, type PlanWorld } from "./plan.ts";
import type { HookRules } from "./read-rules.ts";
import type { TemplateWorld } from "./mapping/template.ts";
import { runTransform } from "./mapping/transform.ts";
import { AgentWish, readWish, WakeWish } from "./wish.ts";

type PrepareHouse = Pick<House, "clock" | "ids">;

export interface PrepareParts {
  readonly world: PlanWorld;
  readonly configDir: string;
}

export interface ReadRequest {
  readonly path: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly payload: unknown;
}

export interface Prepared {
  readonly kind: "prepared";
  readonly runId: string;
  readonly owner: string;
  readonly plan: Plan;
  /** What the agent will be told, marked as what it is. */
  readonly text: string;
  readonly isTrusted: boolean;
}

export type Preparation =
  | Prepared
  | { readonly kind: "dropped" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly why: string };

/** Nobody needs to see what opened the door. */
const SECRET_HEADERS = ["authorization", "proxy-authorization", "x-openclaw-token", "cookie"];

/** `/hooks/wake` and `/hooks/agent`. */
export function prepareOwn(
  action: "wake" | "agent",
  request: ReadRequest,
  rules: HookRules,
  { ids }: Pick<PrepareHouse, "ids">,
  { world }: Pick<PrepareParts, "world">,
): Preparation {
  const plan = action === "wake" ? wishToWake(request, rules, world) : wishToTurn(request, rules, world);
  if (plan.kind === "refused") return plan;
  const runId = runIdOf(action, requestedId(request), () => ids.uuid());
  const text = markText(wordsOf(plan), plan.name, undefined, ids);
  return { kind: "prepared", runId, owner: action, plan, text, isTrusted: false };
}

export async function prepareMapped(
  { mapping, proof }: Candidate,
  request: ReadRequest,
  rules: HookRules,
  { clock, ids }: PrepareHouse,
  { world, configDir }: PrepareParts,
): Promise<Preparation> {
  const headers = withoutSecrets(request.headers);
  const { payload, path, url } = request;
  const { transformsDir } = rules;
  const transformed = mapping.transform
    ? await runTransform(mapping.transform, { payload, headers, url, path }, { clock, configDir, transformsDir })
    : { kind: "overrides" as const, overrides: {} };
  if (transformed.kind !== "overrides") return transformed;
  const template: TemplateWorld = { payload, headers, query: url.searchParams, path, now: clock.now() };
  const { overrides } = transformed;
  const plan = planMapping(mapping, template, overrides, rules, world);
  if (plan.kind === "refused") return plan;
  const runId = runIdOf(mapping.id, eventIdOf(mapping, request, proof, template), () => ids.uuid());
  const isTrusted = overrides.allowUnsafeExternalContent ?? mapping.isTrusted;
  const text = markText(wordsOf(plan), plan.name, { ...mapping, isTrusted }, ids);
  return { kind: "prepared", runId, owner: mapping.id, plan, text, isTrusted };
}

function wishToWake({ payload }: ReadRequest, rules: HookRules, world: PlanWorld) {
  const read = readWish(WakeWish, payload);
  return read.kind === "refused" ? read : planWake(read.wish, rules, world);
}

function wishToTurn({ payload }: ReadRequest, rules: HookRules, world: PlanWorld) {
  const read = readWish(AgentWish, payload);
  return read.kind === "refused" ? read : planAgent(read.wish, "request", rules, world);
}

function wordsOf(plan: Plan): string {
  return plan.kind === "wake" ? plan.text : plan.message;
}

function withoutSecrets(headers: ReadRequest["headers"]): ReadRequest["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRET_HEADERS.includes(name)));
}
