// HTTP in the name of who is signed in: the token goes along, is renewed when it has run out, and more is asked for when it is not enough.
import { GatewayError, OneAtATime, type Clock } from "@chela/sdk";
import type { HttpResponse } from "@chela/sdk/http";
import type { Exchange, ExchangeRequest } from "../wire/http-wire.ts";
import { readChallenge, type Challenge } from "./discovery.ts";
import { refresh, type SignedIn } from "./sign-in.ts";

export interface SignedExchangeParts {
  readonly url: string;
  readonly plain: Exchange;
  readonly clock: Clock;
  load(): Promise<SignedIn | undefined>;
  keep(signedIn: SignedIn): Promise<void>;
  /** Signs in anew because of what the server said. Rejects when a person is needed for it. */
  signIn(challenge: Challenge): Promise<void>;
}

/** Before its time is quite over. */
const EARLY_MS = 30_000;
/** How often one request may be refused before it stays refused. */
const MOST_TRIES = 3;

export function createSignedExchange(parts: SignedExchangeParts): Exchange {
  const { plain, clock } = parts;
  const oneAtATime = new OneAtATime();

  const tokenNow = async (): Promise<string | undefined> => {
    const held = await parts.load();
    const ends = held?.tokens.expiresAt;
    if (!held || ends === undefined || ends - EARLY_MS > clock.now() || held.tokens.refresh === undefined)
      return held?.tokens.access;
    return renew(held.tokens.access);
  };
  /** Whoever comes second finds that it was done already. */
  const renew = (stale: string): Promise<string | undefined> =>
    oneAtATime.run("token", async () => {
      const held = await parts.load();
      if (held?.tokens.access !== stale) return held?.tokens.access;
      if (held.tokens.refresh === undefined) return undefined;
      const next = await refresh(held, plain, clock.now()).catch(() => undefined);
      if (!next) return undefined;
      await parts.keep(next);
      return next.tokens.access;
    });

  return async (request) => {
    let token = await tokenNow();
    for (let tries = 1; ; tries += 1) {
      const response = await plain(withToken(request, token));
      const challenge = challengeOf(response);
      if (!challenge) return response;
      response.discard();
      if (tries >= MOST_TRIES)
        throw new GatewayError("MCP_LOGIN", "the server refuses also what was just signed in for");
      const renewed =
        token !== undefined && tries === 1 && challenge.error !== "insufficient_scope" ? await renew(token) : undefined;
      if (renewed === undefined) await oneAtATime.run("sign-in", () => parts.signIn(challenge));
      token = renewed ?? (await parts.load())?.tokens.access;
    }
  };
}

function withToken(request: ExchangeRequest, token: string | undefined): ExchangeRequest {
  if (token === undefined) return request;
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** What a refusal asks for; undefined when it is none that a sign-in could change. */
function challengeOf({ status, headers }: HttpResponse): Challenge | undefined {
  const challenge = readChallenge(headers.get("www-authenticate"));
  if (status === 401) return challenge;
  return status === 403 && challenge.error === "insufficient_scope" ? challenge : undefined;
}
