// How the providers with a sign-in give out new access tokens. Each one is a row of facts around the same exchange.
import * as z from "zod";
import { Secret, GatewayError, once, type Clock } from "@chela/sdk";
import type { HttpFetch, HttpResponse } from "../../base/http-fetch.ts";
import type { StoredProfile } from "./stored-profile.ts";

export interface RenewedTokens {
  readonly access: Secret;
  /** Undefined: the old one stays good. */
  readonly refresh?: Secret;
  readonly expires: number;
}

export interface OAuthRefresher {
  readonly provider: string;
  /** Throws MODEL_AUTH when the provider refuses, MODEL_NETWORK when it cannot be asked. */
  refresh(profile: StoredProfile): Promise<RenewedTokens>;
}

export interface RefresherParts {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  env(): Readonly<Record<string, string | undefined>>;
  /** Other addresses for the token endpoints, by provider. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
}

interface Exchange {
  readonly provider: string;
  readonly url: string;
  readonly body: "json" | "form";
  client(profile: StoredProfile, env: Readonly<Record<string, string | undefined>>): Record<string, string>;
}

const EXCHANGES: readonly Exchange[] = [
  {
    provider: "anthropic",
    url: "https://console.anthropic.com/v1/oauth/token",
    body: "json",
    client: () => ({ client_id: "9d1c250a-e61b-44d9-88ed-5944d1962f5e" }),
  },
  {
    provider: "openai-codex",
    url: "https://auth.openai.com/oauth/token",
    body: "form",
    client: () => ({ client_id: "app_EMoamEEZ73f0CkXaXp7hrann" }),
  },
  {
    provider: "google-gemini-cli",
    url: "https://oauth2.googleapis.com/token",
    body: "form",
    // Google's clients have a secret of their own, which belongs to whoever signed in with it.
    client: (profile, env) => ({
      client_id: profile.clientId ?? env["OPENCLAW_GEMINI_OAUTH_CLIENT_ID"] ?? "",
      client_secret: profile.clientSecret?.reveal() ?? env["OPENCLAW_GEMINI_OAUTH_CLIENT_SECRET"] ?? "",
    }),
  },
];

/** A token that ends during a long answer is of no use, so it counts as ended a little early. */
const EARLY_MS = 5 * 60_000;
const TIMEOUT_MS = 30_000;

const TokenAnswer = once(() =>
  z.looseObject({
    access_token: z.string().min(1),
    refresh_token: z.string().min(1).optional(),
    expires_in: z.number().positive().default(3_600),
  }),
);

export function createRefreshers(parts: RefresherParts): OAuthRefresher[] {
  return EXCHANGES.map((exchange) => ({
    provider: exchange.provider,
    refresh: (profile) => refresh(exchange, profile, parts),
  }));
}

async function refresh(exchange: Exchange, profile: StoredProfile, parts: RefresherParts): Promise<RenewedTokens> {
  if (!profile.refresh) throw new GatewayError("MODEL_AUTH", `the profile "${profile.id}" has no refresh token`);
  const fields = {
    grant_type: "refresh_token",
    refresh_token: profile.refresh.reveal(),
    ...exchange.client(profile, parts.env()),
  };
  const answer = await ask(exchange, profile.id, fields, parts);
  return {
    access: new Secret(answer.access_token),
    expires: parts.clock.now() + Math.max(60_000, answer.expires_in * 1000 - EARLY_MS),
    ...(answer.refresh_token ? { refresh: new Secret(answer.refresh_token) } : {}),
  };
}

async function ask(
  exchange: Exchange,
  profileId: string,
  fields: Record<string, string>,
  { fetch, clock, endpoints }: RefresherParts,
): Promise<z.output<ReturnType<typeof TokenAnswer>>> {
  const isJson = exchange.body === "json";
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(endpoints?.[exchange.provider] ?? exchange.url, {
      method: "POST",
      headers: { "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded" },
      body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
      signal: abort.signal,
    });
    return await readAnswer(response, profileId);
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    throw new GatewayError("MODEL_NETWORK", `the sign-in of the profile "${profileId}" could not be renewed`, {
      cause: error,
    });
  } finally {
    cancel();
  }
}

/** What the server says beside the number is not repeated: it may hold pieces of a token. */
async function readAnswer(
  response: HttpResponse,
  profileId: string,
): Promise<z.output<ReturnType<typeof TokenAnswer>>> {
  if (!response.ok) {
    response.discard();
    const isRefused = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
    throw new GatewayError(
      isRefused ? "MODEL_AUTH" : "MODEL_NETWORK",
      `the sign-in of the profile "${profileId}" could not be renewed: the server answered ${response.status}` +
        (isRefused ? "; sign in again" : ""),
    );
  }
  const parsed = TokenAnswer().safeParse(await response.json());
  if (parsed.success) return parsed.data;
  throw new GatewayError(
    "MODEL_NETWORK",
    `the sign-in of the profile "${profileId}" could not be renewed: the server's answer holds no token`,
  );
}
