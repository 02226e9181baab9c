// Tries a running gateway as a stranger would: from each address of this machine, without a credential and with a wrong one.
import type { IncomingMessage, RequestOptions } from "node:http";
import type { ProbeFacts } from "@chela/sdk";

export interface ProbeTarget {
  readonly port: number;
  readonly isTls: boolean;
  /** Of this machine, other than loopback. */
  readonly addresses: readonly string[];
  /** Where webhooks are taken, such as /hooks. */
  readonly hooksPath: string;
  readonly timeoutMs?: number;
}

const LOOPBACK = "127.0.0.1";
const TIMEOUT_MS = 1500;
const MOST_ADDRESSES = 16;
const WRONG = "this-credential-is-wrong-on-purpose";

/** What may only be answered to somebody who proved who they are. None of these requests has an effect if it is. */
const GUARDED: ReadonlyArray<readonly [method: string, path: string]> = [
  ["GET", "/v1/models"],
  ["GET", "/api/sessions/home"],
  ["POST", "/v1/chat/completions"],
  ["POST", "/v1/responses"],
];

/** Undefined when nobody answers on this machine. */
export async function probeGateway(target: ProbeTarget): Promise<ProbeFacts | undefined> {
  const ask = (host: string, method: string, path: string, credential?: string) =>
    statusOf(target, {
      host,
      method,
      path,
      ...(credential ? { headers: { authorization: `Bearer ${credential}` } } : {}),
    });
  const answers = async (host: string): Promise<string[]> =>
    (await ask(host, "GET", "/healthz")) === undefined ? [] : [host];
  const own = await answers(LOOPBACK);
  const reachedAt = (await Promise.all(target.addresses.slice(0, MOST_ADDRESSES).map(answers))).flat();
  const [host] = [...own, ...reachedAt];
  if (host === undefined) return undefined;
  const guarded = [...GUARDED, ["POST", `${target.hooksPath}/wake`] as const];
  const open = await Promise.all(
    guarded.map(async ([method, path]) => (isTaken(await ask(host, method, path)) ? [`${method} ${path}`] : [])),
  );
  const wrong = await ask(host, "GET", "/v1/models", WRONG);
  return { port: target.port, reachedAt, openRoutes: open.flat(), takesWrongCredential: isTaken(wrong) };
}

/** Also a complaint about the request means that it was looked at. */
function isTaken(status: number | undefined): boolean {
  return status !== undefined && (status < 300 || [400, 415, 422, 500].includes(status));
}

/** Undefined when nobody answers in time. */
async function statusOf(
  { port, isTls, timeoutMs = TIMEOUT_MS }: ProbeTarget,
  options: RequestOptions,
): Promise<number | undefined> {
  const { request } = await (isTls ? import("node:https") : import("node:http"));
  return new Promise((resolve) => {
    const tls = isTls ? { rejectUnauthorized: false } : {};
    const read = (answer: IncomingMessage): void => {
      answer.resume();
      resolve(answer.statusCode);
    };
    const asked = request({ ...options, ...tls, port, timeout: timeoutMs, agent: false }, read);
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(undefined));
    asked.once("close", () => resolve(undefined));
    asked.end();
  });
}
