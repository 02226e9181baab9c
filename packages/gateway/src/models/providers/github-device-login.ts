// Logs in to GitHub on a machine without a browser: a person types a short code on another one.
import * as z from "zod";
import { GatewayError, once, type Clock, type Parsed } from "@chela/sdk";
import type { HttpFetch } from "../../base/http-fetch.ts";
import { githubAddresses } from "./github-addresses.ts";

export interface DeviceLoginOptions {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  /** GitHub's site; that of an enterprise comes from `githubAddresses`. */
  readonly siteUrl?: string;
}

export interface DeviceLogin {
  /** What the person types in at `verificationUrl`. */
  readonly userCode: string;
  readonly verificationUrl: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Asks GitHub now and then until the person has decided; a GitHub that is not reached is asked again. */
  wait(signal: AbortSignal): Promise<DeviceLoginOutcome>;
}

export type DeviceLoginOutcome =
  | { readonly kind: "approved"; readonly token: string }
  | { readonly kind: "denied" }
  | { readonly kind: "expired" }
  | { readonly kind: "aborted" };

/** The public name of the editor extension that Copilot's API is open to. */
const CLIENT_ID = "Iv1.b507a08c87ecfe98";
const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const SLOWER_MS = 5_000;
const SLOWEST_MS = 60_000;
const REQUEST_MS = 30_000;

const Begun = once(() =>
  z.looseObject({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    expires_in: z.number(),
    interval: z.number().default(5),
  }),
);
const Polled = once(() =>
  z.looseObject({ access_token: z.string().optional(), error: z.string().optional(), interval: z.number().optional() }),
);

export async function startGithubDeviceLogin(options: DeviceLoginOptions): Promise<DeviceLogin> {
  const { clock } = options;
  const siteUrl = options.siteUrl ?? githubAddresses().site;
  const answer = requireAnswer(
    await post(options, `${siteUrl}/login/device/code`, { client_id: CLIENT_ID, scope: "read:user" }),
    siteUrl,
  );
  const begun = Begun().safeParse(answer);
  if (!begun.success) throw new GatewayError("MODEL_MALFORMED", `${siteUrl} did not begin a login`);
  const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUrl } = begun.data;
  const goodForMs = begun.data.expires_in * 1000;
  const until = clock.steady() + goodForMs;
  return {
    userCode,
    verificationUrl,
    expiresAt: clock.now() + goodForMs,
    async wait(signal) {
      let intervalMs = begun.data.interval * 1000;
      let misses = 0;
      for (;;) {
        const pauseMs = Math.min(slowDown(intervalMs, misses), Math.max(0, until - clock.steady()));
        await pause(clock, pauseMs, signal);
        if (signal.aborted) return { kind: "aborted" };
        if (clock.steady() >= until) return { kind: "expired" };
        const polled = await poll(options, siteUrl, deviceCode, signal);
        misses = polled === undefined ? misses + 1 : 0;
        if (polled?.access_token) return { kind: "approved", token: polled.access_token };
        if (polled?.error === "slow_down")
          intervalMs = polled.interval ? polled.interval * 1000 : intervalMs + SLOWER_MS;
        else if (polled && polled.error !== "authorization_pending") return outcomeOf(polled.error);
      }
    },
  };
}

/** A GitHub that cannot be reached is asked less and less often. */
function slowDown(intervalMs: number, misses: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** misses, SLOWEST_MS));
}

/** Undefined when GitHub cannot tell just now: it is not reached, or in trouble. */
async function poll(
  options: DeviceLoginOptions,
  siteUrl: string,
  deviceCode: string,
  signal: AbortSignal,
): Promise<Parsed<typeof Polled> | undefined> {
  const form = { client_id: CLIENT_ID, device_code: deviceCode, grant_type: GRANT };
  const reply = await post(options, `${siteUrl}/login/oauth/access_token`, form, signal);
  const isPassing = reply.kind === "unreachable" || (reply.kind === "refused" && isTrouble(reply.status));
  if (isPassing) return undefined;
  const polled = Polled().safeParse(requireAnswer(reply, siteUrl));
  if (polled.success) return polled.data;
  throw new GatewayError("MODEL_MALFORMED", `${siteUrl} gave an answer about the login that cannot be understood`);
}

function isTrouble(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

function outcomeOf(error: string | undefined): DeviceLoginOutcome {
  if (error === "access_denied") return { kind: "denied" };
  if (error === "expired_token" || error === "token_expired") return { kind: "expired" };
  throw new GatewayError("MODEL_AUTH", `GitHub ended the login with "${error ?? "no reason"}"`);
}

type Reply =
  /** The body is undefined when it is no JSON. */
  | { readonly kind: "answered"; readonly body: unknown }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "unreachable"; readonly cause: unknown };

function requireAnswer(reply: Reply, siteUrl: string): unknown {
  if (reply.kind === "answered") return reply.body;
  if (reply.kind === "refused") throw new GatewayError("MODEL_AUTH", `GitHub answered ${reply.status} to the login`);
  throw new GatewayError("MODEL_NETWORK", `GitHub at ${new URL(siteUrl).host}`, { cause: reply.cause });
}

async function post(
  { fetch, clock }: DeviceLoginOptions,
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
    if (response.ok) return { kind: "answered", body: parseJson(await response.text()) };
    response.discard();
    return { kind: "refused", status: response.status };
  } catch (cause) {
    return { kind: "unreachable", cause };
  } finally {
    cancel();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
