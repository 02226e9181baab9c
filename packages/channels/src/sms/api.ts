// Calls Twilio's API: one way for every call, with a time limit, and without the token in any error.
import type { ChannelHost } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { readTextAtMost } from "@chela/sdk/http";
import type { SmsAccount } from "./config.ts";
import { failureOfAnswer, failureOfNetwork, type CallFailed } from "./failures.ts";

export type Called = { readonly kind: "done"; readonly result: unknown } | CallFailed;

export interface TwilioApi {
  /** A path below our account, such as "/Messages.json"; ".json" is the account itself. */
  get(path: string, signal?: AbortSignal): Promise<Called>;
  post(path: string, fields: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Called>;
}

const TIMEOUT_MS = 30_000;
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

export function createApi(account: SmsAccount, host: ChannelHost): TwilioApi {
  const call = async (path: string, body: string | undefined, signal?: AbortSignal): Promise<Called> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const headers = { authorization: credentialsOf(account), accept: "application/json" };
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    try {
      const response = await host.fetch(`${account.apiRoot}${accountPath(account)}${path}`, {
        ...(body === undefined ? { headers } : { method: "POST", headers: form, body }),
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return await readAnswer(response);
    } catch (error) {
      return failureOfNetwork(error);
    }
  };
  return {
    get: (path, signal) => call(path, undefined, signal),
    post: (path, fields, signal) => call(path, new URLSearchParams(fields).toString(), signal),
  };
}

/** Everything of an account lies below this. */
export function accountPath({ accountSid }: SmsAccount): string {
  return `/2010-04-01/Accounts/${accountSid}`;
}

export function credentialsOf({ accountSid, authToken }: SmsAccount): string {
  return `Basic ${Buffer.from(`${accountSid}:${authToken.reveal()}`).toString("base64")}`;
}

async function readAnswer(response: Response): Promise<Called> {
  const result = parseJson(await readTextAtMost(response, MOST_ANSWER_BYTES));
  if (response.ok && result !== undefined) return { kind: "done", result };
  return failureOfAnswer(result, response.status, response.headers.get("retry-after"));
}
