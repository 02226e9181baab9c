// Signs a person in at a provider in their browser: makes the address to open, reads what comes back, and trades it for tokens.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { GatewayError, once, Secret, type Clock } from "@chela/sdk";
import type { HttpFetch, HttpResponse } from "../../base/http-fetch.ts";
import type { NewProfile } from "../profiles/profile.ts";

/** What a provider's own program signs in with. All of it is public. */
export interface SignIn {
  readonly provider: string;
  readonly name: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly more: Readonly<Record<string, string>>;
  readonly body: "json" | "form";
  /** The browser is sent back to this machine, at the port of `redirectUri`. */
  readonly comesBack: boolean;
  /** What the configuration needs beside the sign-in, where the provider is not known by itself. */
  readonly settings?: object;
  /** Said before anybody signs in. */
  readonly note?: string;
}

export const SIGN_INS: readonly SignIn[] = [
  {
    provider: "anthropic",
    name: "Anthropic",
    authorizeUrl: "https://claude.ai/oauth/authorize",
    tokenUrl: "https://console.anthropic.com/v1/oauth/token",
    clientId: "9d1c250a-e61b-44d9-88ed-5944d1962f5e",
    redirectUri: "https://console.anthropic.com/oauth/code/callback",
    scope: "org:create_api_key user:profile user:inference",
    more: { code: "true" },
    body: "json",
    comesBack: false,
    note: "Anthropic may keep the sign-ins of subscriptions for its own programs; an API key works everywhere.",
  },
  {
    provider: "openai-codex",
    name: "OpenAI",
    authorizeUrl: "https://auth.openai.com/oauth/authorize",
    tokenUrl: "https://auth.openai.com/oauth/token",
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    redirectUri: "http://localhost:1455/auth/callback",
    scope: "openid profile email offline_access",
    more: { id_token_add_organizations: "true", codex_cli_simplified_flow: "true" },
    body: "form",
    comesBack: true,
    settings: {
      baseUrl: "https://chatgpt.com/backend-api/codex",
      api: "openai-codex-responses",
      models: [{ id: "gpt-5.3-codex", name: "GPT-5.3 Codex", reasoning: true }],
    },
  },
];

export interface BegunSignIn {
  readonly signIn: SignIn;
  /** What the person opens. */
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

export function beginSignIn(signIn: SignIn): BegunSignIn {
  const verifier = randomBytes(48).toString("base64url");
  const state = randomBytes(24).toString("base64url");
  const url = new URL(signIn.authorizeUrl);
  url.search = new URLSearchParams({
    ...signIn.more,
    response_type: "code",
    client_id: signIn.clientId,
    redirect_uri: signIn.redirectUri,
    scope: signIn.scope,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state,
  }).toString();
  return { signIn, url: url.href, state, verifier };
}

export type ReturnedCode =
  | { readonly kind: "code"; readonly code: string }
  /** Says why, for the person. */
  | { readonly kind: "wrong"; readonly why: string };

/** An address the browser was sent to, `code#state`, or the bare code. What names another sign-in is not taken. */
export function readReturned(text: string, begun: Pick<BegunSignIn, "state">): ReturnedCode {
  const { code, state, error } = partsOf(text.trim());
  if (error) return { kind: "wrong", why: `the sign-in ended with "${error.slice(0, 80)}"` };
  if (!code) return { kind: "wrong", why: "there is no code in it" };
  if (state !== undefined && !isSame(state, begun.state))
    return { kind: "wrong", why: "it belongs to another sign-in" };
  return { kind: "code", code };
}

function partsOf(text: string): { code?: string | undefined; state?: string | undefined; error?: string | undefined } {
  if (/[?&=]/.test(text)) {
    const query = new URLSearchParams(URL.parse(text)?.search ?? text.replace(/^[^?]*\?/, ""));
    const part = (name: string): string | undefined => query.get(name) ?? undefined;
    return { code: part("code"), state: part("state") ?? "", error: part("error") };
  }
  const [code, state] = text.split("#");
  return { code, state };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

export interface SignInParts {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  /** Another token endpoint than the provider's. */
  readonly tokenUrl?: string;
}

const TIMEOUT_MS = 30_000;
/** As when tokens are renewed: one that ends during a long answer is of no use. */
const EARLY_MS = 5 * 60_000;

const Tokens = once(() =>
  z.looseObject({
    access_token: z.string().min(1),
    refresh_token: z.string().min(1),
    expires_in: z.number().positive().default(3_600),
  }),
);

/** Throws MODEL_AUTH when the provider refuses the code, MODEL_NETWORK when it cannot be asked. */
export async function finishSignIn(begun: BegunSignIn, code: string, parts: SignInParts): Promise<NewProfile> {
  const { signIn, state, verifier } = begun;
  const fields = {
    grant_type: "authorization_code",
    client_id: signIn.clientId,
    code,
    // Only Anthropic asks for it a second time; others refuse what they do not know.
    ...(signIn.body === "json" ? { state } : {}),
    redirect_uri: signIn.redirectUri,
    code_verifier: verifier,
  };
  const { access_token, refresh_token, expires_in } = await trade(signIn, fields, parts);
  const accountId = accountIn(access_token);
  return {
    type: "oauth",
    provider: signIn.provider,
    access: new Secret(access_token),
    refresh: new Secret(refresh_token),
    expires: parts.clock.now() + Math.max(60_000, expires_in * 1000 - EARLY_MS),
    ...(accountId === undefined ? {} : { accountId }),
  };
}

async function trade(
  { name, tokenUrl: usual, body }: SignIn,
  fields: Readonly<Record<string, string>>,
  { fetch, clock, tokenUrl = usual }: SignInParts,
): Promise<z.output<ReturnType<typeof Tokens>>> {
  const isJson = body === "json";
  const late = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => late.abort());
  try {
    const response = await fetch(tokenUrl, {
      method: "POST",
      headers: { "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded" },
      body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
      signal: late.signal,
    });
    return await readTokens(response, name);
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    throw new GatewayError("MODEL_NETWORK", `${name} at ${new URL(tokenUrl).host}`, { cause: error });
  } finally {
    cancel();
  }
}

/** What the server says beside the number is not repeated: it may hold pieces of a token. */
async function readTokens(response: HttpResponse, name: string): Promise<z.output<ReturnType<typeof Tokens>>> {
  if (!response.ok) {
    response.discard();
    throw new GatewayError("MODEL_AUTH", `${name} answered ${response.status} to the code`);
  }
  const parsed = Tokens().safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new GatewayError("MODEL_AUTH", `the answer of ${name} holds no tokens`);
}

const Claims = once(() =>
  z.looseObject({ "https://api.openai.com/auth": z.looseObject({ chatgpt_account_id: z.string() }).optional() }),
);

/** OpenAI names the account inside of its token, and wants it named beside the token in every call. */
function accountIn(token: string): string | undefined {
  try {
    const claims = Claims().safeParse(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()));
    return claims.data?.["https://api.openai.com/auth"]?.chatgpt_account_id;
  } catch {
    return undefined;
  }
}
