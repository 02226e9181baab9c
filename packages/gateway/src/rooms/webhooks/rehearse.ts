// Tries a mapping without any effect, or sends it a request as its sender would: signed, through the same door.
import { GatewayError, type ErrandDelivery } from "@chela/sdk";
import type { HookAnswer, HookCall } from "./call.ts";
import { chooseMapping, mappingsAt } from "./mapping/choose-mapping.ts";
import { greetingFor } from "./greeting.ts";
import type { Mapping } from "./mapping/mapping.ts";
import { prepareMapped, prepareOwn, type Preparation } from "./prepare.ts";
import type { WebhookParts, WebhooksHouse } from "./receive.ts";
import { readPayload } from "./mapping/read-payload.ts";
import type { HookRules } from "./read-rules.ts";
import { PLAIN_SAMPLE, SAMPLES } from "./mapping/samples.ts";
import { checkSignature, signCall } from "./signature.ts";

export interface Trial {
  /** A mapping's id, or what stands behind `hooks.path`. */
  readonly hook: string;
  /** The body as its sender would send it; a sample when absent. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Really sends it. */
  readonly send?: boolean | undefined;
}

export interface TrialResult {
  readonly path: string;
  /** Which mapping takes it; absent when none does. */
  readonly mapping?: string;
  readonly proof: {
    readonly kind: "token" | "signature";
    readonly type?: string;
    /** "valid" and "invalid" are about the signature that was given; "computed": ours was put in its place. */
    readonly verdict: "needed" | "valid" | "invalid" | "computed";
    readonly why?: string;
  };
  readonly outcome: "agent" | "wake" | "greeting" | "dropped" | "refused" | "failed" | "not-found";
  readonly why?: string;
  readonly name?: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly text?: string;
  readonly wakeMode?: "now" | "next-heartbeat";
  readonly model?: string;
  readonly delivery?: ErrandDelivery;
  readonly runId?: string;
  /** What the door answered, when it was really sent. */
  readonly answer?: { readonly status: number; readonly body: string };
}

type RehearseHouse = Pick<WebhooksHouse, "clock" | "ids" | "placeFor">;

export interface RehearseParts extends WebhookParts {
  receive(call: HookCall): Promise<HookAnswer>;
}

const SIGNATURE_HEADER = /signature/;

export async function rehearse(trial: Trial, house: RehearseHouse, parts: RehearseParts): Promise<TrialResult> {
  const rules = parts.rules();
  const named = rules.mappings.find(({ id }) => id === trial.hook);
  const path = named ? (named.path ?? named.id) : trial.hook.split("/").filter(Boolean).join("/");
  refuseAbsent(trial, path, rules);
  const sample = SAMPLES[named?.preset ?? named?.signature?.type ?? path] ?? PLAIN_SAMPLE;
  const body = Buffer.from(trial.body ?? JSON.stringify(sample.payload));
  const headers = lowercase({
    "content-type": "application/json",
    ...(trial.body === undefined ? sample.headers : {}),
    ...trial.headers,
  });
  const url = new URL(`http://localhost${rules.path}/${path}`);
  const read = readPayload(body, headers["content-type"]);
  const own = path === "wake" || path === "agent" ? path : undefined;
  const payload = read.kind === "payload" ? read.payload : undefined;
  const mapping = own ? undefined : chooseMapping(candidatesAt(rules, path), payload)?.mapping;
  const base = { path, ...(mapping ? { mapping: mapping.id } : {}), proof: proofOf(mapping, headers, body, house) };
  if (read.kind === "unreadable") return { ...base, outcome: "refused", why: read.why };
  if (!own && !mapping)
    return { ...base, outcome: "not-found", why: "No mapping takes requests at this path with this source." };
  const request = { path, url, headers, body, payload };
  const result = greetingFor(mapping?.signature?.type, payload, headers)
    ? { ...base, outcome: "greeting" as const, why: "It is answered, and nobody hears of it." }
    : {
        ...base,
        ...(await describe(
          mapping
            ? await prepareMapped({ mapping, proof: { kind: "proven" } }, request, rules, house, parts)
            : prepareOwn(own ?? "agent", request, rules, house, parts),
          house,
        )),
      };
  if (!trial.send) return result;
  const sent = proofHeaders(mapping, headers, body, rules, house);
  const { status, body: text } = await parts.receive(callOf(path, url, sent, body));
  const proof = mapping?.signature ? { ...result.proof, verdict: "computed" as const } : result.proof;
  return { ...result, proof, answer: { status, body: text } };
}

function refuseAbsent({ hook, send }: Trial, path: string, rules: HookRules): void {
  if (send && !rules.isEnabled)
    throw new GatewayError("WEBHOOK_REQUEST", "hooks.enabled is not true, so no webhooks are taken.");
  const absent = rules.absent.find(({ id, path: at }) => id === hook || at === path);
  if (absent && mappingsAt(rules.mappings, path).length === 0) {
    throw new GatewayError("WEBHOOK_REQUEST", `The mapping ${absent.id} is not there: ${absent.why}`);
  }
}

function candidatesAt(rules: HookRules, path: string) {
  return mappingsAt(rules.mappings, path).map((mapping) => ({ mapping, proof: undefined }));
}

function proofOf(
  mapping: Mapping | undefined,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  { clock }: RehearseHouse,
): TrialResult["proof"] {
  const { signature } = mapping ?? {};
  if (!signature) return { kind: "token", verdict: "needed" };
  const { type } = signature;
  const isGiven = Object.keys(headers).some((name) => name === signature.header || SIGNATURE_HEADER.test(name));
  if (!isGiven) return { kind: "signature", type, verdict: "needed" };
  const proof = checkSignature({ headers, body }, signature, clock.now());
  if (proof.kind === "proven") return { kind: "signature", type, verdict: "valid" };
  return { kind: "signature", type, verdict: "invalid", why: proof.why };
}

async function describe(
  prepared: Preparation,
  { placeFor }: RehearseHouse,
): Promise<Omit<TrialResult, "path" | "proof" | "mapping">> {
  if (prepared.kind === "dropped") return { outcome: "dropped", why: "The transform gave null." };
  if (prepared.kind === "refused") return { outcome: "refused", why: prepared.error };
  if (prepared.kind === "failed") return { outcome: "failed", why: prepared.why };
  const { plan, text, runId } = prepared;
  const { name, agentId } = plan;
  if (plan.kind === "wake") return { outcome: "wake", name, agentId, text, wakeMode: plan.mode, runId };
  const { sessionKey, wakeMode, model, place } = plan;
  const delivery = place && (await placeFor(agentId, place));
  return {
    outcome: "agent",
    name,
    agentId,
    sessionKey,
    text,
    wakeMode,
    runId,
    ...(model ? { model } : {}),
    ...(delivery ? { delivery } : {}),
  };
}

function proofHeaders(
  mapping: Mapping | undefined,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  { token }: HookRules,
  { clock, ids }: RehearseHouse,
): Record<string, string> {
  if (mapping?.signature) return { ...headers, ...signCall(body, mapping.signature, clock.now(), `msg_${ids.uuid()}`) };
  return { ...headers, ...(token ? { authorization: `Bearer ${token.reveal()}` } : {}) };
}

function callOf(path: string, url: URL, headers: Readonly<Record<string, string>>, body: Uint8Array): HookCall {
  const attempt = { kind: "allowed" as const, succeed: () => undefined, fail: () => undefined };
  return { path, url, headers, from: "a trial", attempt: () => attempt, body: async () => body };
}

function lowercase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
