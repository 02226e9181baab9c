// Logs in to GitHub on a machine without a browser: a person types a short code on another one.
import * as z from "zod";
import { GatewayError, once, type Clock } from "@chela/sdk";
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
  /** Asks GitHub now and then until the person has decided. */
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
  const answer = await post(options, `${siteUrl}/login/device/code`, { client_id: CLIENT_ID, scope: "read:user" });
  const begun = Begun().safeParse(answer);
  if (!begun.success) throw new GatewayError("MODEL_MALFORMED", `${siteUrl} did not begin a login`);
  const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUrl } = begun.data;
  const expiresAt = clock.now() + begun.data.expires_in * 1000;
  const ask = async (signal: AbortSignal): Promise<z.infer<ReturnType<typeof Polled>>> => {
    const form = { client_id: CLIENT_ID, device_code: deviceCode, grant_type: GRANT };
    return Polled().parse(await post(options, `${siteUrl}/login/oauth/access_token`, form, signal));
  };
  return {
    userCode,
    verificationUrl,
    expiresAt,
    async wait(signal) {
      let pauseMs = begun.data.interval * 1000;
      for (;;) {
        await pause(clock, pauseMs, signal);
        if (signal.aborted) return { kind: "aborted" };
        if (clock.now() >= expiresAt) return { kind: "expired" };
        const polled = await ask(signal);
        if (polled.access_token) return { kind: "approved", token: polled.access_token };
        if (polled.error === "slow_down") pauseMs = polled.interval ? polled.interval * 1000 : pauseMs + SLOWER_MS;
        else if (polled.error !== "authorization_pending") return outcomeOf(polled.error);
      }
    },
  };
}

function outcomeOf(error: string | undefined): DeviceLoginOutcome {
  if (error === "access_denied") return { kind: "denied" };
  if (error === "expired_token" || error === "token_expired") return { kind: "expired" };
  throw new GatewayError("MODEL_AUTH", `GitHub ended the login with "${error ?? "no reason"}"`);
}

async function post(
  { fetch }: DeviceLoginOptions,
  url: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<unknown> {
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(form).toString();
  const response = await fetch(url, { method: "POST", headers, body, ...(signal ? { signal } : {}) }).catch(
    (cause: unknown) => {
      throw new GatewayError("MODEL_NETWORK", `GitHub at ${new URL(url).host}`, { cause });
    },
  );
  if (response.ok) return await response.json().catch(() => undefined);
  response.discard();
  throw new GatewayError("MODEL_AUTH", `GitHub answered ${response.status} to the login`);
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
