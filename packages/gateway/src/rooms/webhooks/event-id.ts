// Id of a webhook event, to know it when it comes again. Only what was signed counts where there is a signature: the rest can be changed.
import { createHash } from "node:crypto";
import type { Mapping } from "./mapping/mapping.ts";
import type { Proof } from "./signature.ts";
import { fillTemplate, type TemplateWorld } from "./mapping/template.ts";

export interface KnownBy {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly payload: unknown;
}

const KEY_HEADERS = ["idempotency-key", "x-openclaw-idempotency-key"] as const;

/** The same event of the same mapping has the same run, whenever it comes. */
export function runIdOf(owner: string, eventId: string | undefined, fresh: () => string): string {
  if (eventId === undefined) return `hook:${owner}:${fresh()}`;
  return `hook:${owner}:${createHash("sha256").update(eventId).digest("hex")}`;
}

export function eventIdOf(
  { dedupe, signature }: Pick<Mapping, "dedupe" | "signature">,
  call: KnownBy,
  proof: Proof | undefined,
  world: TemplateWorld,
): string | undefined {
  if (dedupe.kind === "none") return undefined;
  if (dedupe.kind === "body") return digestOf("", call.body);
  const written = dedupe.kind === "template" ? fillTemplate(dedupe.template, world).trim() : "";
  if (written !== "") return `id ${written}`;
  return signature && proof?.kind === "proven" ? signedId(signature.type, call, proof) : requestedId(call);
}

/** What the sender says itself, for requests that come with the token. */
export function requestedId({ headers, payload }: Pick<KnownBy, "headers" | "payload">): string | undefined {
  const header = KEY_HEADERS.map((name) => headers[name]?.trim()).find(Boolean);
  const key = header ?? textField(payload, "idempotencyKey")?.trim();
  return key ? `key ${key}` : undefined;
}

function signedId(type: string, { payload, body }: KnownBy, proof: Extract<Proof, { kind: "proven" }>): string {
  const field = type === "stripe" ? "id" : type === "slack" ? "event_id" : undefined;
  const id = proof.id ?? (field && textField(payload, field));
  return id ? `id ${id}` : digestOf(proof.stamp ?? "", body);
}

function digestOf(stamp: string, body: Uint8Array): string {
  return `bytes ${stamp} ${createHash("sha256").update(body).digest("hex")}`;
}

function textField(payload: unknown, key: string): string | undefined {
  if (typeof payload !== "object" || payload === null || !Object.hasOwn(payload, key)) return undefined;
  const value = (payload as Record<string, unknown>)[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
