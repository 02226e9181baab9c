// Signs a person in at a provider in their browser: makes the address to open, reads what comes back, and trades it for tokens.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { GatewayError } from "@chela/sdk";
import type { HttpResponse } from "@chela/sdk/http";
import type { NewProfile } from "../../profiles/profile.ts";
import type { BrowserSignIn } from "./sign-ins.ts";
import { readTokens, toProfile, type SignInParts, type Tokens } from "./sign-in-profile.ts";

export interface BegunSignIn {
  readonly signIn: BrowserSignIn;
  /** What the person opens. */
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

export function beginSignIn(signIn: BrowserSignIn): BegunSignIn {
  const { verifier, challenge } = createProof();
  const state = randomBytes(24).toString("base64url");
  const url = new URL(signIn.authorizeUrl);
  url.search = new URLSearchParams({
    ...signIn.more,
    response_type: "code",
    client_id: signIn.clientId,
    redirect_uri: signIn.redirectUri,
    scope: signIn.scope,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state,
  }).toString();
  return { signIn, url: url.href, state, verifier };
}

/** What only the one who begins a sign-in can show when it ends. */
export function createProof(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(48).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export type ReturnedCode =
  | { readonly kind: "code"; readonly code: string }
  /** The provider or the person ended it; `why` is the provider's word. */
  | { readonly kind: "ended"; readonly why: string }
  /** Says why it cannot be used, for the person. */
  | { readonly kind: "wrong"; readonly why: string };

/** An address the browser was sent to, `code#state`, or the bare code. What names another sign-in is not taken. */
export function readReturned(text: string, begun: Pick<BegunSignIn, "state">): ReturnedCode {
  const { code, state, error } = partsOf(text.trim());
  if (state !== undefined && !isSame(state, begun.state))
    return { kind: "wrong", why: "it belongs to another sign-in" };
  if (error) return { kind: "ended", why: error.slice(0, 80) };
  return code ? { kind: "code", code } : { kind: "wrong", why: "there is no code in it" };
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

const TIMEOUT_MS = 30_000;

/** Throws MODEL_AUTH when the provider refuses the code, MODEL_NETWORK when it cannot be asked. */
export async function finishSignIn(begun: BegunSignIn, code: string, parts: SignInParts): Promise<NewProfile> {
  const { signIn, state, verifier } = begun;
  const fields = {
    grant_type: "authorization_code",
    client_id: signIn.clientId,
    ...(signIn.clientSecret === undefined ? {} : { client_secret: signIn.clientSecret }),
    code,
    // Only Anthropic asks for it a second time; others refuse what they do not know.
    ...(signIn.body === "json" ? { state } : {}),
    redirect_uri: signIn.redirectUri,
    code_verifier: verifier,
  };
  return toProfile(signIn, await trade(signIn, fields, parts), parts);
}

async function trade(
  { name, tokenUrl: usual, body }: BrowserSignIn,
  fields: Readonly<Record<string, string>>,
  { fetch, clock, tokenUrl = usual }: SignInParts,
): Promise<Tokens> {
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
    return await readAnswer(response, name);
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    throw new GatewayError("MODEL_NETWORK", `${name} at ${new URL(tokenUrl).host}`, { cause: error });
  } finally {
    cancel();
  }
}

/** What the server says beside the number is not repeated: it may hold pieces of a token. */
async function readAnswer(response: HttpResponse, name: string): Promise<Tokens> {
  if (!response.ok) {
    response.discard();
    throw new GatewayError("MODEL_AUTH", `${name} answered ${response.status} to the code`);
  }
  return readTokens(await response.json().catch(() => undefined), name);
}
