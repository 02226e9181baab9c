// Finds out who gives out access to a server: the server's own metadata, and that of the authorization server it names.
import * as z from "zod";
import { GatewayError, once, type Parsed } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import type { Exchange } from "../wire/http-wire.ts";

const ResourceMetadata = once(() =>
  z.looseObject({
    resource: z.string(),
    authorization_servers: z.array(z.string()).optional(),
    scopes_supported: z.array(z.string()).optional(),
  }),
);

const IssuerMetadata = once(() =>
  z.looseObject({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string().optional(),
    scopes_supported: z.array(z.string()).optional(),
    code_challenge_methods_supported: z.array(z.string()).optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
    client_id_metadata_document_supported: z.boolean().optional(),
    authorization_response_iss_parameter_supported: z.boolean().optional(),
  }),
);
export type IssuerMetadata = Parsed<typeof IssuerMetadata>;

/** What a server said beside its 401 or 403. */
export interface Challenge {
  readonly metadataUrl?: string;
  readonly scope?: string;
  readonly error?: string;
}

export interface Access {
  /** What tokens are asked for: they are worth nothing elsewhere. */
  readonly resource: string;
  readonly issuer: IssuerMetadata;
  /** Scopes that whoever knows no better asks for. */
  readonly usualScopes: readonly string[] | undefined;
}

export function readChallenge(header: string | null | undefined): Challenge {
  const [, parameters = ""] = /(?:^|,)\s*Bearer\s*(.*)$/is.exec(header ?? "") ?? [];
  const found = new Map(
    [...parameters.matchAll(/([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi)].map(
      ([, name = "", quoted, plain]) => [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? ""],
    ),
  );
  const of = (name: string) => found.get(name) || undefined;
  const [metadataUrl, scope, error] = [of("resource_metadata"), of("scope"), of("error")];
  return { ...(metadataUrl ? { metadataUrl } : {}), ...(scope ? { scope } : {}), ...(error ? { error } : {}) };
}

/** Throws MCP_LOGIN when nobody can be found who gives out access. */
export async function discoverAccess(serverUrl: string, challenge: Challenge, exchange: Exchange): Promise<Access> {
  const found = await findResource(serverUrl, challenge, exchange);
  if (!found)
    return { resource: canonicalUrl(serverUrl), usualScopes: undefined, issuer: await oldIssuer(serverUrl, exchange) };
  if (!isResourceOf(found.resource, serverUrl))
    throw new GatewayError("MCP_LOGIN", `the server says that it is ${found.resource}, which it is not`);
  const [issuer] = found.authorization_servers ?? [];
  if (issuer === undefined) throw new GatewayError("MCP_LOGIN", "the server names nobody who gives out access");
  const metadata = await findIssuer(issuer, exchange);
  if (!metadata) throw new GatewayError("MCP_LOGIN", `${hostOf(issuer)} does not say how access is asked for`);
  return { resource: found.resource, usualScopes: found.scopes_supported, issuer: metadata };
}

async function findResource(serverUrl: string, { metadataUrl }: Challenge, exchange: Exchange) {
  const url = new URL(serverUrl);
  const path = url.pathname.replace(/\/$/, "");
  const wellKnown = "/.well-known/oauth-protected-resource";
  const places = metadataUrl
    ? [new URL(metadataUrl, serverUrl).href]
    : [`${url.origin}${wellKnown}${path}${url.search}`, `${url.origin}${wellKnown}`];
  return firstOf(places, ResourceMetadata(), exchange);
}

/** Where the metadata of an issuer may lie, by OAuth's rules and by those of OpenID. */
async function findIssuer(issuer: string, exchange: Exchange): Promise<IssuerMetadata | undefined> {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, "");
  const places =
    path === ""
      ? [`${url.origin}/.well-known/oauth-authorization-server`, `${url.origin}/.well-known/openid-configuration`]
      : [
          `${url.origin}/.well-known/oauth-authorization-server${path}`,
          `${url.origin}/.well-known/openid-configuration${path}`,
          `${url.origin}${path}/.well-known/openid-configuration`,
        ];
  const metadata = await firstOf(places, IssuerMetadata(), exchange);
  if (metadata && metadata.issuer !== issuer)
    throw new GatewayError("MCP_LOGIN", `${hostOf(issuer)} speaks for another issuer than itself`);
  return metadata;
}

/** Servers from before they had metadata of their own are their own issuers. */
async function oldIssuer(serverUrl: string, exchange: Exchange): Promise<IssuerMetadata> {
  const { origin } = new URL(serverUrl);
  const found = await firstOf([`${origin}/.well-known/oauth-authorization-server`], IssuerMetadata(), exchange);
  return (
    found ?? {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      code_challenge_methods_supported: ["S256"],
    }
  );
}

async function firstOf<S extends z.ZodType>(
  places: readonly string[],
  schema: S,
  exchange: Exchange,
): Promise<z.output<S> | undefined> {
  for (const url of places) {
    requireSafe(url);
    const response = await exchange({ method: "GET", url, headers: { accept: "application/json" } });
    if (!response.ok) {
      response.discard();
      continue;
    }
    const read = schema.safeParse(parseJson(await response.text()));
    if (read.success) return read.data;
  }
  return undefined;
}

/** Secrets travel there: encrypted, or not further than this machine. */
export function requireSafe(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isHere)) return;
  throw new GatewayError("MCP_LOGIN", `${hostname} would be asked for access over an open line`);
}

/** The same place or one above it. */
function isResourceOf(resource: string, serverUrl: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [one, other] = [new URL(resource), new URL(serverUrl)];
  const above = one.pathname.endsWith("/") ? one.pathname : `${one.pathname}/`;
  return one.origin === other.origin && `${other.pathname.replace(/\/?$/, "/")}`.startsWith(above);
}

function canonicalUrl(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = "";
  return url.href.replace(/\/$/, "");
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "somebody without an address";
}
