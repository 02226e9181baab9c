// Signs in to a server: who we are to its authorization server, the address a person opens, and the tokens that come of it.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { GatewayError, once } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import type { Exchange } from "../wire/http-wire.ts";
import { requireSafe, type Access, type Challenge, type IssuerMetadata } from "./discovery.ts";

/** Who we are, as one issuer knows us: to another one it means nothing. */
export interface OAuthClient {
  readonly issuer: string;
  readonly id: string;
  readonly secret?: string;
  readonly method: "none" | "client_secret_basic" | "client_secret_post";
}

export interface OAuthTokens {
  readonly access: string;
  readonly refresh?: string;
  /** By the wall clock; absent when nobody said. */
  readonly expiresAt?: number;
  readonly scope?: string;
}

/** Everything that is kept of a sign-in, as one text in the vault. */
export interface SignedIn {
  readonly client: OAuthClient;
  readonly resource: string;
  readonly tokenEndpoint: string;
  readonly tokens: OAuthTokens;
}

export interface SignInWishes {
  readonly redirectUri: string;
  readonly scope?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Where a description of us lies, for issuers that read one. */
  readonly clientMetadataUrl?: string | undefined;
}

export interface BegunSignIn {
  /** What the person opens. */
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
  readonly client: OAuthClient;
  readonly access: Access;
  readonly scope: string | undefined;
  readonly redirectUri: string;
}

export async function beginSignIn(
  access: Access,
  challenge: Challenge,
  wishes: SignInWishes,
  more: { readonly exchange: Exchange; readonly known?: OAuthClient | undefined; readonly held?: string | undefined },
): Promise<BegunSignIn> {
  const { issuer, resource } = access;
  requireProof(issuer);
  const scope = scopeOf(access, challenge, wishes, more.held);
  const client = await clientFor(issuer, wishes, scope, more);
  const verifier = randomBytes(48).toString("base64url");
  const state = randomBytes(24).toString("base64url");
  requireSafe(issuer.authorization_endpoint);
  const url = new URL(issuer.authorization_endpoint);
  const asked = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: wishes.redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state,
    resource,
    ...(scope ? { scope } : {}),
    ...(scope?.split(" ").includes("offline_access") ? { prompt: "consent" } : {}),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return { url: url.href, state, verifier, client, access, scope, redirectUri: wishes.redirectUri };
}

/** What came back with the browser. Throws MCP_LOGIN, also when it belongs to another sign-in or comes from another issuer. */
export async function finishSignIn(
  begun: BegunSignIn,
  returned: URLSearchParams,
  { exchange, now }: { readonly exchange: Exchange; readonly now: number },
): Promise<SignedIn> {
  const { issuer } = begun.access;
  if (!isSame(returned.get("state") ?? "", begun.state)) throw refused("what came back belongs to another sign-in");
  const iss = returned.get("iss");
  const mustSay = issuer.authorization_response_iss_parameter_supported === true;
  if (iss === null ? mustSay : iss !== issuer.issuer) throw refused("what came back is not from who was asked");
  const error = returned.get("error");
  if (error) throw refused(`it ended with "${error.slice(0, 80)}"`);
  const code = returned.get("code");
  if (!code) throw refused("there is no code in what came back");
  const tokens = await trade(begun.client, issuer.token_endpoint, exchange, now, {
    grant_type: "authorization_code",
    code,
    redirect_uri: begun.redirectUri,
    code_verifier: begun.verifier,
    resource: begun.access.resource,
  });
  const scope = tokens.scope ?? begun.scope;
  return {
    client: begun.client,
    resource: begun.access.resource,
    tokenEndpoint: issuer.token_endpoint,
    tokens: { ...tokens, ...(scope ? { scope } : {}) },
  };
}

/** Throws MCP_LOGIN when the issuer will have no more of it. */
export async function refresh(signedIn: SignedIn, exchange: Exchange, now: number): Promise<SignedIn> {
  const { client, tokenEndpoint, resource, tokens: old } = signedIn;
  if (old.refresh === undefined) throw refused("the sign-in has run out");
  const fields = { grant_type: "refresh_token", refresh_token: old.refresh, resource };
  const tokens = await trade(client, tokenEndpoint, exchange, now, fields);
  return { ...signedIn, tokens: { refresh: old.refresh, ...(old.scope ? { scope: old.scope } : {}), ...tokens } };
}

/** Without proof that the code is ours, whoever sees it has it. */
function requireProof({ code_challenge_methods_supported: methods, issuer }: IssuerMetadata): void {
  if (!methods?.includes("S256")) throw refused(`${issuer} cannot protect a sign-in (PKCE with S256)`);
}

/** What the server asks for, beside what we have; else what was configured, else what it says is usual. */
function scopeOf(
  { usualScopes, issuer }: Access,
  { scope: challenged }: Challenge,
  { scope: configured }: SignInWishes,
  held: string | undefined,
): string | undefined {
  const asked = challenged ?? configured ?? usualScopes?.join(" ");
  if (asked === undefined || asked === "") return undefined;
  const scopes = new Set([...(challenged === undefined ? [] : words(held)), ...words(asked)]);
  // Without it there is nothing to go on with when the token has run out.
  if (issuer.scopes_supported?.includes("offline_access")) scopes.add("offline_access");
  return [...scopes].join(" ");
}

const words = (text = ""): string[] => text.split(/\s+/).filter(Boolean);

async function clientFor(
  issuer: IssuerMetadata,
  { clientId, clientSecret, clientMetadataUrl, redirectUri }: SignInWishes,
  scope: string | undefined,
  { exchange, known }: { readonly exchange: Exchange; readonly known?: OAuthClient | undefined },
): Promise<OAuthClient> {
  if (clientId !== undefined) {
    const secret = clientSecret === undefined ? {} : { secret: clientSecret };
    return { issuer: issuer.issuer, id: clientId, ...secret, method: methodOf(issuer, clientSecret !== undefined) };
  }
  if (issuer.client_id_metadata_document_supported && clientMetadataUrl !== undefined)
    return { issuer: issuer.issuer, id: clientMetadataUrl, method: "none" };
  if (known?.issuer === issuer.issuer) return known;
  if (issuer.registration_endpoint === undefined)
    throw refused(`${issuer.issuer} lets nobody register: set oauth.clientId of the server`);
  return register(issuer, issuer.registration_endpoint, { redirectUri, scope }, exchange);
}

const Registered = once(() =>
  z.looseObject({
    client_id: z.string(),
    client_secret: z.string().optional(),
    token_endpoint_auth_method: z.string().optional(),
  }),
);

async function register(
  issuer: IssuerMetadata,
  url: string,
  { redirectUri, scope }: { readonly redirectUri: string; readonly scope: string | undefined },
  exchange: Exchange,
): Promise<OAuthClient> {
  requireSafe(url);
  const wanted = {
    client_name: "Chela",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "native",
    token_endpoint_auth_method: methodOf(issuer, undefined),
    ...(scope ? { scope } : {}),
  };
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await exchange({ method: "POST", url, headers, body: JSON.stringify(wanted) });
  const read = Registered().safeParse(parseJson(await response.text()));
  if (!response.ok || !read.success) throw refused(`${issuer.issuer} did not register us (HTTP ${response.status})`);
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: written } = read.data;
  const method = isMethod(written) ? written : methodOf(issuer, secret !== undefined);
  return { issuer: issuer.issuer, id, ...(secret ? { secret } : {}), method };
}

function isMethod(name: string | undefined): name is OAuthClient["method"] {
  return name === "none" || name === "client_secret_basic" || name === "client_secret_post";
}

/** `hasSecret` undefined: it is not known yet, and none is preferred. */
function methodOf(issuer: IssuerMetadata, hasSecret: boolean | undefined): OAuthClient["method"] {
  const offered = issuer.token_endpoint_auth_methods_supported;
  if (hasSecret === false) return "none";
  if (hasSecret === undefined && (offered === undefined || offered.includes("none"))) return "none";
  if (offered === undefined || offered.includes("client_secret_basic")) return "client_secret_basic";
  return offered.includes("client_secret_post") ? "client_secret_post" : "none";
}

const TokenAnswer = once(() =>
  z.looseObject({
    access_token: z.string().min(1),
    refresh_token: z.string().optional(),
    expires_in: z.number().optional(),
    scope: z.string().optional(),
  }),
);

async function trade(
  client: OAuthClient,
  url: string,
  exchange: Exchange,
  now: number,
  fields: Readonly<Record<string, string>>,
): Promise<OAuthTokens> {
  requireSafe(url);
  const { id, secret = "", method } = client;
  const inBody =
    method === "none"
      ? { client_id: id }
      : method === "client_secret_post"
        ? { client_id: id, client_secret: secret }
        : {};
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64");
  const response = await exchange({
    method: "POST",
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      ...(method === "client_secret_basic" ? { authorization: `Basic ${basic}` } : {}),
    },
    body: new URLSearchParams({ ...fields, ...inBody }).toString(),
  });
  const text = await response.text();
  // What the server says beside the number is not repeated: it may hold pieces of a token.
  if (!response.ok) throw refused(`${new URL(url).host} answered with HTTP ${response.status}`);
  const read = TokenAnswer().safeParse(parseJson(text));
  if (!read.success) throw refused(`the answer of ${new URL(url).host} holds no token`);
  const { access_token: access, refresh_token, expires_in, scope } = read.data;
  return {
    access,
    ...(refresh_token ? { refresh: refresh_token } : {}),
    ...(expires_in === undefined ? {} : { expiresAt: now + expires_in * 1000 }),
    ...(scope ? { scope } : {}),
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function refused(detail: string): GatewayError {
  return new GatewayError("MCP_LOGIN", detail);
}
