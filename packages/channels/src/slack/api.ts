// Calls Slack's Web API: one try each, with a time limit, and every failure as a value.
import { WebClient } from "@slack/web-api";
import type * as z from "zod";
import { createHttpFetch } from "@chela/sdk/http";
import type { SlackAccount } from "./config.ts";
import { errorOf, failureOf, type ApiFailure } from "./failures.ts";

export type Asked<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "failed"; readonly failure: ApiFailure };

export interface SlackApi {
  ask<S extends z.ZodType>(method: string, args: Record<string, unknown>, answer: S): Promise<Asked<z.output<S>>>;
  /** The same for callers that cannot go on without an answer. Rejects with a GatewayError. */
  get<S extends z.ZodType>(method: string, args: Record<string, unknown>, answer: S): Promise<z.output<S>>;
  close(): void;
}

const CALL_TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export function openApi(account: SlackAccount): SlackApi {
  const options = clientOptions(account.apiRoot);
  const client = new WebClient(account.botToken, { ...options, rejectRateLimitedCalls: true });
  const ask: SlackApi["ask"] = async (method, args, answer) => {
    try {
      const read = answer.safeParse(await client.apiCall(method, args));
      if (read.success) return { kind: "answered", answer: read.data };
      return {
        kind: "failed",
        failure: { reason: "uncertain", code: "unreadable_answer", why: `${method} answered something unknown` },
      };
    } catch (error) {
      return { kind: "failed", failure: failureOf(error) };
    }
  };
  return {
    ask,
    async get(method, args, answer) {
      const asked = await ask(method, args, answer);
      if (asked.kind === "failed") throw errorOf(asked.failure);
      return asked.answer;
    },
    close: () => options.fetch.close(),
  };
}

/** The gateway decides about repetitions, and the library's log lines would hold messages of people. */
export function clientOptions(apiRoot: string) {
  return {
    slackApiUrl: apiRoot,
    retryConfig: { retries: 0 },
    timeout: CALL_TIMEOUT_MS,
    allowAbsoluteUrls: false,
    logger: SILENT,
    fetch: asPlatformFetch(createHttpFetch({ maxResponseBytes: MAX_ANSWER_BYTES, onlyRepeatsReads: true })),
  };
}

/** The library only posts texts and reads status, headers and text: ours can do that, and is lighter. */
function asPlatformFetch(fetch: ReturnType<typeof createHttpFetch>) {
  return fetch as unknown as typeof globalThis.fetch & { close(): void };
}

const SILENT = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => "error" as never,
};
