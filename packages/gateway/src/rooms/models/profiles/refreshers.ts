// Refreshes access tokens of providers with a sign-in: the same exchange around the facts of each.
import * as z from "zod";
import { Secret, GatewayError, once, type Clock } from "@chela/sdk";
import type { HttpFetch, HttpResponse } from "@chela/sdk/http";
import { readResourceUrl } from "../providers/sign-in/resource-url.ts";
import { SIGN_INS, type SignIn } from "../providers/sign-in/sign-ins.ts";
import { endOfToken } from "../providers/token-end.ts";
import type { StoredProfile } from "./stored-profile.ts";

export interface RenewedTokens {
  readonly access: Secret;
  /** Undefined: the old one stays good. */
  readonly refresh?: Secret;
  readonly expires: number;
  /** Where the new token is good, when the provider says so. */
  readonly resourceUrl?: string;
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

const TIMEOUT_MS = 30_000;

const TokenAnswer = once(() =>
  z.looseObject({
    access_token: z.string().min(1),
    refresh_token: z.string().min(1).optional(),
    expires_in: z.number().positive().nullish(),
    resource_url: z.string().nullish(),
  }),
);

export function createRefreshers(parts: RefresherParts): OAuthRefresher[] {
  return SIGN_INS.map((signIn) => ({
    provider: signIn.provider,
    refresh: (profile) => refresh(signIn, profile, parts),
  }));
}

async function refresh(signIn: SignIn, profile: StoredProfile, parts: RefresherParts): Promise<RenewedTokens> {
  if (!profile.refresh) throw new GatewayError("MODEL_AUTH", `the profile "${profile.id}" has no refresh token`);
  const fields = {
    grant_type: "refresh_token",
    refresh_token: profile.refresh.reveal(),
    ...clientOf(signIn, profile, parts.env()),
  };
  const answer = await ask(signIn, profile.id, fields, parts);
  const resourceUrl = readResourceUrl(answer.resource_url);
  return {
    access: new Secret(answer.access_token),
    expires: endOfToken(answer.expires_in, parts.clock),
    ...(answer.refresh_token ? { refresh: new Secret(answer.refresh_token) } : {}),
    ...(resourceUrl ? { resourceUrl } : {}),
  };
}

/** Tokens are renewed by the program they were given to: some profiles were made with another one than the usual. */
function clientOf(
  { provider, clientId, clientSecret }: SignIn,
  profile: StoredProfile,
  env: ReturnType<RefresherParts["env"]>,
): Record<string, string> {
  if (clientSecret === undefined) return { client_id: clientId };
  const own = provider === "google-gemini-cli" ? env : {};
  return {
    client_id: profile.clientId ?? (own["OPENCLAW_GEMINI_OAUTH_CLIENT_ID"] || clientId),
    client_secret: profile.clientSecret?.reveal() ?? (own["OPENCLAW_GEMINI_OAUTH_CLIENT_SECRET"] || clientSecret),
  };
}

async function ask(
  signIn: SignIn,
  profileId: string,
  fields: Record<string, string>,
  { fetch, clock, endpoints }: RefresherParts,
): Promise<z.output<ReturnType<typeof TokenAnswer>>> {
  const isJson = signIn.body === "json";
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(endpoints?.[signIn.provider] ?? signIn.tokenUrl, {
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
