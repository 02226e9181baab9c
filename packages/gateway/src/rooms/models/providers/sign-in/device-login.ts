// Signs in on a machine without a browser: a person types a short code on another one, and the provider is asked until they did.
import * as z from "zod";
import { pause, GatewayError, once, type Clock, type Parsed } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { parseJson } from "@chela/sdk/base";

export interface DeviceLoginFacts {
  readonly name: string;
  readonly codeUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly scope: string;
  /** Shows the provider that whoever asks for the token is the one who began. */
  readonly proof?: { readonly verifier: string; readonly challenge: string };
}

export interface DeviceLoginParts {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
}

export interface DeviceLogin {
  /** What the person types in at `verificationUrl`. */
  readonly userCode: string;
  readonly verificationUrl: string;
  /** The same with the code in it. */
  readonly completeUrl?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Asks the provider now and then until the person has decided; one that is not reached is asked again. */
  wait(signal: AbortSignal): Promise<DeviceLoginOutcome>;
}

type DeviceLoginOutcome =
  | { readonly kind: "approved"; readonly answer: Approved }
  | { readonly kind: "denied" }
  | { readonly kind: "expired" }
  | { readonly kind: "aborted" };

/** The token, and whatever the provider says beside it. */
export interface Approved {
  readonly access_token: string;
  readonly [name: string]: unknown;
}

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SLOWER_MS = 5_000;
const SLOWEST_MS = 60_000;
const REQUEST_MS = 30_000;

const Begun = once(() =>
  z.looseObject({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    verification_uri_complete: z.string().optional(),
    expires_in: z.number(),
    interval: z.number().default(5),
  }),
);
const Polled = once(() =>
  z.looseObject({
    access_token: z.string().nullish(),
    error: z.string().optional(),
    interval: z.number().optional(),
  }),
);
type Polled = Parsed<typeof Polled>;

/** Throws MODEL_NETWORK when the provider cannot be asked, MODEL_AUTH or MODEL_MALFORMED when it does not begin. */
export async function startDeviceLogin(facts: DeviceLoginFacts, parts: DeviceLoginParts): Promise<DeviceLogin> {
  const { clientId, scope, codeUrl, proof } = facts;
  const form = {
    client_id: clientId,
    scope,
    ...(proof ? { code_challenge: proof.challenge, code_challenge_method: "S256" } : {}),
  };
  const begun = Begun().safeParse(requireAnswer(await post(parts, codeUrl, form), facts));
  if (!begun.success) throw new GatewayError("MODEL_MALFORMED", `${new URL(codeUrl).origin} did not begin a login`);
  const { user_code, verification_uri, verification_uri_complete, expires_in } = begun.data;
  const goodForMs = expires_in * 1000;
  const until = parts.clock.steady() + goodForMs;
  return {
    userCode: user_code,
    verificationUrl: verification_uri,
    ...(verification_uri_complete ? { completeUrl: verification_uri_complete } : {}),
    expiresAt: parts.clock.now() + goodForMs,
    wait: (signal) => waitForPerson({ ...begun.data, until }, facts, parts, signal),
  };
}

async function waitForPerson(
  begun: Parsed<typeof Begun> & { readonly until: number },
  facts: DeviceLoginFacts,
  parts: DeviceLoginParts,
  signal: AbortSignal,
): Promise<DeviceLoginOutcome> {
  const { clock } = parts;
  let intervalMs = begun.interval * 1000;
  let misses = 0;
  for (;;) {
    const pauseMs = Math.min(slowDown(intervalMs, misses), Math.max(0, begun.until - clock.steady()));
    await pause(clock, pauseMs, signal);
    if (signal.aborted) return { kind: "aborted" };
    if (clock.steady() >= begun.until) return { kind: "expired" };
    const polled = await poll(facts, parts, begun.device_code, signal);
    misses = polled === undefined ? misses + 1 : 0;
    const token = polled?.access_token;
    if (token) return { kind: "approved", answer: { ...polled, access_token: token } };
    if (polled?.error === "slow_down") intervalMs = polled.interval ? polled.interval * 1000 : intervalMs + SLOWER_MS;
    else if (polled && polled.error !== "authorization_pending") return outcomeOf(polled.error, facts);
  }
}

/** A provider that cannot be reached is asked less and less often. */
function slowDown(intervalMs: number, misses: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** misses, SLOWEST_MS));
}

/** Undefined when the provider cannot tell just now: it is not reached, or in trouble. */
async function poll(
  facts: DeviceLoginFacts,
  parts: DeviceLoginParts,
  deviceCode: string,
  signal: AbortSignal,
): Promise<Polled | undefined> {
  const form = {
    client_id: facts.clientId,
    device_code: deviceCode,
    grant_type: GRANT,
    ...(facts.proof ? { code_verifier: facts.proof.verifier } : {}),
  };
  const reply = await post(parts, facts.tokenUrl, form, signal);
  if (reply.kind === "unreachable" || (reply.kind === "refused" && isTrouble(reply.status))) return undefined;
  const polled = Polled().safeParse(requireAnswer(reply, facts));
  if (polled.success) return polled.data;
  const { origin } = new URL(facts.tokenUrl);
  throw new GatewayError("MODEL_MALFORMED", `${origin} gave an answer about the login that cannot be understood`);
}

function isTrouble(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

function outcomeOf(error: string | undefined, { name }: DeviceLoginFacts): DeviceLoginOutcome {
  if (error === "access_denied") return { kind: "denied" };
  if (error === "expired_token" || error === "token_expired") return { kind: "expired" };
  throw new GatewayError("MODEL_AUTH", `${name} ended the login with "${error?.slice(0, 80) ?? "no reason"}"`);
}

type Reply =
  /** The body is undefined when it is no JSON. */
  | { readonly kind: "answered"; readonly body: unknown }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "unreachable"; readonly cause: unknown };

function requireAnswer(reply: Reply, { name, codeUrl }: DeviceLoginFacts): unknown {
  if (reply.kind === "answered") return reply.body;
  if (reply.kind === "refused") throw new GatewayError("MODEL_AUTH", `${name} answered ${reply.status} to the login`);
  throw new GatewayError("MODEL_NETWORK", `${name} at ${new URL(codeUrl).host}`, { cause: reply.cause });
}

async function post(
  { fetch, clock }: DeviceLoginParts,
  url: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Reply> {
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(form).toString();
  const late = new AbortController();
  const cancel = clock.after(REQUEST_MS, () => late.abort());
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    const response = await fetch(url, { method: "POST", headers, body, signal: stop });
    const answer = parseJson(await response.text());
    // Some say "not yet" with a status of its own, as the standard wants it, others with a good one.
    const isSaid = response.status < 500 && Polled().safeParse(answer).data?.error !== undefined;
    return response.ok || isSaid ? { kind: "answered", body: answer } : { kind: "refused", status: response.status };
  } catch (cause) {
    return { kind: "unreachable", cause };
  } finally {
    cancel();
  }
}
