// Answers HTTP requests by calling protocol methods: the same checks, the same audit trail, the same words.
import type { MethodName, MethodResult, Client } from "@chela/sdk/protocol";
import type { ClientAddress } from "@chela/sdk";
import type { Dispatcher } from "../dispatch.ts";
import { HttpError } from "../../base/http/request.ts";

/** Calls a method in the name of whoever showed the gateway's secret. Throws an `HttpError` that says what was wrong. */
export type CallMethod = <M extends MethodName>(
  method: M,
  params: unknown,
  caller: ClientAddress,
) => Promise<MethodResult<M>>;

/** What the gateway's secret is worth over HTTP: at this machine it is the owner's. */
export function scopesOfHolder({ isLocal }: Pick<ClientAddress, "isLocal">): readonly string[] {
  return isLocal ? ["operator.admin", "operator.read", "operator.write"] : ["operator.read", "operator.write"];
}

export function callMethodsBy(dispatcher: Pick<Dispatcher, "call">): CallMethod {
  return async <M extends MethodName>(method: M, params: unknown, caller: ClientAddress) => {
    const outcome = await dispatcher.call(method, params, {
      client: holder(caller),
      ip: caller.ip,
      early: () => undefined,
      withLastWord: (work) => work(),
    });
    if (outcome.ok) return outcome.payload as MethodResult<M>;
    const { code, message, retryAfterMs } = outcome.error;
    const wait = retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
    if (message.startsWith("missing scope")) throw new HttpError(403, "forbidden", message);
    if (code === "INVALID_REQUEST") throw new HttpError(400, "invalid_request_error", message);
    throw new HttpError(503, "unavailable", message, wait);
  };
}

/** Somebody who asks once and is told nothing later. */
function holder(caller: ClientAddress): Client {
  return {
    connId: "http",
    role: "operator",
    scopes: scopesOfHolder(caller),
    caps: new Set(),
    method: "http",
    info: { id: "http-api", mode: "backend" },
    buffered: 0,
    send: () => undefined,
    close: () => undefined,
  };
}
