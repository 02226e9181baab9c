// Sign-ins to remote servers: tokens in the vault, the address a person opens, and HTTP in the name of whoever signed in.
import { GatewayError, Secret, type Clock } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import * as z from "zod";
import { once } from "@chela/sdk";
import { discoverAccess, type Challenge } from "./oauth/discovery.ts";
import { beginSignIn, finishSignIn, type BegunSignIn, type SignedIn } from "./oauth/sign-in.ts";
import { createSignedExchange } from "./oauth/signed-exchange.ts";
import type { ServerSettings } from "./settings.ts";
import type { Exchange } from "./wire/http-wire.ts";

export interface SignInsParts {
  readonly clock: Clock;
  readonly exchange: Exchange;
  /** Secrets under the name of a server. */
  readonly secrets: {
    find(name: string): Promise<Secret | undefined>;
    put(name: string, value: Secret): Promise<void>;
    drop(name: string): Promise<void>;
  };
  /** Where browsers are sent back to. */
  redirectUri(): string;
}

const Kept = once(() =>
  z.object({
    client: z.object({
      issuer: z.string(),
      id: z.string(),
      secret: z.string().optional(),
      method: z.enum(["none", "client_secret_basic", "client_secret_post"]),
    }),
    resource: z.string(),
    tokenEndpoint: z.string(),
    tokens: z.object({
      access: z.string(),
      refresh: z.string().optional(),
      expiresAt: z.number().optional(),
      scope: z.string().optional(),
    }),
  }),
);

/** A person who opened a page may take their time, but not for ever. */
const OPEN_MS = 15 * 60_000;
const MOST_OPEN = 50;

export class SignIns {
  readonly #parts: SignInsParts;
  readonly #open = new Map<
    string,
    { readonly settings: ServerSettings; readonly begun: BegunSignIn; readonly until: number }
  >();
  /** What each server said last when it wanted somebody to sign in. */
  readonly #challenges = new Map<string, Challenge>();

  constructor(parts: SignInsParts) {
    this.#parts = parts;
  }

  exchangeFor(settings: ServerSettings): Exchange {
    const { exchange: plain, clock } = this.#parts;
    if (settings.launch.kind !== "remote") return plain;
    const { url, headers } = settings.launch;
    const own: Exchange = (request) => plain({ ...request, headers: { ...request.headers, ...headers } });
    // Whoever wrote down a credential wants that one to be used.
    if (Object.keys(headers).some((name) => name.toLowerCase() === "authorization")) return own;
    return createSignedExchange({
      url,
      plain: own,
      clock,
      load: () => this.#load(settings),
      keep: (signedIn) => this.#keep(settings, signedIn),
      signIn: async (challenge) => {
        this.#challenges.set(settings.id, challenge);
        const wants = challenge.error === "insufficient_scope" ? "further rights" : "a sign-in";
        throw new GatewayError("MCP_LOGIN", `${settings.name} wants ${wants}: \`chela mcp login ${settings.name}\``);
      },
    });
  }

  async has(settings: ServerSettings): Promise<boolean> {
    return settings.launch.kind === "remote" && (await this.#load(settings)) !== undefined;
  }

  /** What a server wanted when it was last refused. */
  wants(id: string): boolean {
    return this.#challenges.has(id);
  }

  /** The address a person opens. Throws MCP_LOGIN, MCP_REQUEST. */
  async begin(settings: ServerSettings): Promise<{ readonly url: string; readonly state: string }> {
    if (settings.launch.kind !== "remote")
      throw new GatewayError("MCP_REQUEST", `${settings.name} is a program of this machine, to which nobody signs in`);
    const { exchange, clock } = this.#parts;
    const challenge = this.#challenges.get(settings.id) ?? {};
    const known = await this.#load(settings);
    const access = await discoverAccess(settings.launch.url, challenge, exchange);
    const { oauth } = settings;
    const begun = await beginSignIn(
      access,
      challenge,
      { ...oauth, redirectUri: oauth.redirectUrl ?? this.#parts.redirectUri() },
      { exchange, known: known?.client, held: known?.tokens.scope },
    );
    this.#forgetOld();
    this.#open.set(begun.state, { settings, begun, until: clock.steady() + OPEN_MS });
    return { url: begun.url, state: begun.state };
  }

  /** What came back with the browser. Returns the server it was about. Throws MCP_LOGIN. */
  async finish(returned: URLSearchParams): Promise<ServerSettings> {
    this.#forgetOld();
    const state = returned.get("state") ?? "";
    const open = this.#open.get(state);
    if (!open) throw new GatewayError("MCP_LOGIN", "nobody waits for this sign-in any more; begin it anew");
    this.#open.delete(state);
    const { exchange, clock } = this.#parts;
    await this.#keep(open.settings, await finishSignIn(open.begun, returned, { exchange, now: clock.now() }));
    this.#challenges.delete(open.settings.id);
    return open.settings;
  }

  async drop(settings: ServerSettings): Promise<void> {
    await this.#parts.secrets.drop(settings.id);
  }

  async #load({ id }: ServerSettings): Promise<SignedIn | undefined> {
    const secret = await this.#parts.secrets.find(id);
    const read = secret && Kept().safeParse(parseJson(secret.reveal())).data;
    if (!read) return undefined;
    return JSON.parse(JSON.stringify(read)) as SignedIn;
  }

  async #keep({ id }: ServerSettings, signedIn: SignedIn): Promise<void> {
    await this.#parts.secrets.put(id, new Secret(JSON.stringify(signedIn)));
  }

  #forgetOld(): void {
    const now = this.#parts.clock.steady();
    for (const [state, { until }] of this.#open) if (until < now) this.#open.delete(state);
    while (this.#open.size >= MOST_OPEN) {
      const oldest = this.#open.keys().next().value;
      if (oldest === undefined) return;
      this.#open.delete(oldest);
    }
  }
}
