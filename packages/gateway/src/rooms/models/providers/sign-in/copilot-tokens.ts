// Exchanges a GitHub token for the short-lived token of Copilot's API, and keeps that as long as it is good.
import { createHash } from "node:crypto";
import * as z from "zod";
import { once, type Clock } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import { githubAddresses } from "./github-addresses.ts";

export interface CopilotToken {
  readonly token: string;
  /** Where this token is good for. */
  readonly baseUrl: string;
}

/** Keeps the token over a restart. What it returns is checked, so it may be anything. */
export interface CopilotTokenStore {
  read(): unknown;
  write(kept: object): void;
}

export interface CopilotTokens {
  /** Throws like a call that failed: with `statusCode` and `responseBody` where GitHub answered. */
  get(githubToken: string): Promise<CopilotToken>;
  /** The token was refused: the next `get` asks GitHub again. */
  forget(githubToken: string): void;
}

export interface CopilotTokensOptions {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  readonly store?: CopilotTokenStore;
  /** GitHub's API; that of an enterprise comes from `githubAddresses`. */
  readonly apiUrl?: string;
}

/** What Copilot's servers want to be told about the program that calls. */
export const COPILOT_HEADERS: Readonly<Record<string, string>> = {
  "User-Agent": "GitHubCopilotChat/0.35.0",
  "Editor-Version": "vscode/1.107.0",
  "Editor-Plugin-Version": "copilot-chat/0.35.0",
  "Copilot-Integration-Id": "vscode-chat",
};

const RENEW_BEFORE_MS = 5 * 60_000;
const EXCHANGE_MS = 30_000;
const USUAL_BASE_URL = "https://api.individual.githubcopilot.com";

const Answer = once(() =>
  z.looseObject({
    token: z.string().min(1),
    expires_at: z.number(),
    endpoints: z.looseObject({ api: z.string().optional() }).nullish(),
  }),
);
const Kept = once(() =>
  z.looseObject({ token: z.string(), expiresAt: z.number(), baseUrl: z.string(), account: z.string() }),
);

interface HeldToken extends CopilotToken {
  readonly expiresAt: number;
  /** Which GitHub token it was made from, as a fingerprint. */
  readonly account: string;
}

export function createCopilotTokens(options: CopilotTokensOptions): CopilotTokens {
  const { clock, store } = options;
  const held = new Map<string, HeldToken>();
  const underWay = new Map<string, Promise<HeldToken>>();
  const isGood = (token: HeldToken | undefined): token is HeldToken =>
    token !== undefined && token.expiresAt - clock.now() > RENEW_BEFORE_MS;

  const renew = async (githubToken: string, account: string): Promise<HeldToken> => {
    const fresh = await exchange(githubToken, account, options);
    held.set(account, fresh);
    store?.write({ ...fresh, updatedAt: clock.now() });
    return fresh;
  };

  return {
    async get(githubToken) {
      const account = fingerprint(githubToken);
      if (!held.has(account) && store) {
        const kept = Kept().safeParse(store.read());
        if (kept.success && kept.data.account === account) held.set(account, kept.data);
      }
      const known = held.get(account);
      if (isGood(known)) return known;
      let renewal = underWay.get(account);
      if (!renewal) {
        renewal = renew(githubToken, account).finally(() => underWay.delete(account));
        underWay.set(account, renewal);
      }
      return await renewal;
    },
    forget(githubToken) {
      const account = fingerprint(githubToken);
      const known = held.get(account);
      // Kept as expired, so that the file is not asked again.
      if (known) held.set(account, { ...known, expiresAt: 0 });
    },
  };
}

async function exchange(githubToken: string, account: string, options: CopilotTokensOptions): Promise<HeldToken> {
  const { fetch, clock, apiUrl = githubAddresses().api } = options;
  const abort = new AbortController();
  const cancel = clock.after(EXCHANGE_MS, () => abort.abort());
  try {
    const response = await fetch(`${apiUrl}/copilot_internal/v2/token`, {
      headers: { ...COPILOT_HEADERS, Authorization: `token ${githubToken}`, Accept: "application/json" },
      signal: abort.signal,
    });
    const body = await response.text();
    if (!response.ok) throw refusal(response.status, body);
    const { token, expires_at: expires, endpoints } = Answer().parse(JSON.parse(body));
    return { token, account, expiresAt: toMilliseconds(expires), baseUrl: endpoints?.api ?? baseUrlIn(token) };
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    throw Object.assign(new Error("GitHub did not hand out a Copilot token in time"), { name: "TimeoutError" });
  } finally {
    cancel();
  }
}

/** GitHub hides what an account may not have behind "not found", which for us means that the login is not enough. */
function refusal(status: number, body: string): Error {
  const isLogin = status === 401 || status === 403 || status === 404;
  if (!isLogin) return Object.assign(new Error("no Copilot token"), { statusCode: status, responseBody: body });
  const message = "GitHub gives this login no Copilot token; log in again with an account that has Copilot";
  return Object.assign(new Error(message), { statusCode: status === 404 ? 403 : status });
}

/** The token is a list of settings, of which "proxy-ep" names a server beside the one for the API. */
function baseUrlIn(token: string): string {
  const proxy = /(?:^|;)\s*proxy-ep=([^;\s]+)/i.exec(token)?.[1];
  if (!proxy) return USUAL_BASE_URL;
  return `https://${proxy.replace(/^https?:\/\//, "").replace(/^proxy\./i, "api.")}`;
}

function toMilliseconds(time: number): number {
  return time < 1e11 ? time * 1000 : time;
}

function fingerprint(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}
