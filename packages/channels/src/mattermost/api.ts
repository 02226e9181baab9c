// Asks Mattermost's REST interface: the token goes to the configured server only, and answers are read up to a limit.
import * as z from "zod";
import type { ChannelHost } from "@chela/sdk";
import { readTextAtMost } from "@chela/sdk/http";
import type { MattermostAccount } from "./config.ts";
import { errorOf, failureOfNetwork, failureOfStatus, type ApiFailure } from "./failures.ts";

export type Asked<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "failed"; readonly failure: ApiFailure };

export interface MattermostApi {
  ask<T>(method: string, path: string, answer: z.ZodType<T>, body?: unknown, signal?: AbortSignal): Promise<Asked<T>>;
  /** Like `ask`, but throws what failed. */
  get<T>(path: string, answer: z.ZodType<T>): Promise<T>;
  /** The answer as it comes, for files. */
  open(method: string, path: string, init: RequestInit): Promise<Asked<Response>>;
}

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 16 * 1024 * 1024;
const ErrorAnswer = () => z.object({ id: z.string().regex(/^[\w.-]{1,120}$/) });

export function createApi(account: MattermostAccount, host: ChannelHost): MattermostApi {
  const open: MattermostApi["open"] = async (method, path, init) => {
    try {
      const response = await host.fetch(`${account.baseUrl}/api/v4${path}`, {
        ...init,
        method,
        redirect: "error",
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${account.botToken.reveal()}` },
      });
      if (response.ok) return { kind: "answered", answer: response };
      const word = ErrorAnswer().safeParse(await readJson(response).catch(() => undefined)).data?.id ?? "";
      return { kind: "failed", failure: failureOfStatus(response.status, word, response.headers) };
    } catch (error) {
      return { kind: "failed", failure: failureOfNetwork(error) };
    }
  };
  const ask: MattermostApi["ask"] = async (method, path, schema, body, signal) => {
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const opened = await open(method, path, {
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    if (opened.kind === "failed") return opened;
    const read = schema.safeParse(await readJson(opened.answer).catch(() => undefined));
    if (read.success) return { kind: "answered", answer: read.data };
    const why = "the answer of Mattermost could not be read";
    return { kind: "failed", failure: { reason: "uncertain", status: opened.answer.status, why } };
  };
  return {
    ask,
    open,
    async get(path, schema) {
      const asked = await ask("GET", path, schema);
      if (asked.kind === "failed") throw errorOf(asked.failure);
      return asked.answer;
    },
  };
}

async function readJson(response: Response): Promise<unknown> {
  return JSON.parse(await readTextAtMost(response, MOST_BYTES));
}
