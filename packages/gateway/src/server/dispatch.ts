// Calls a method for a client: role, scope, budget, parameters, handler. A method without a scope cannot exist.
import { GatewayError, UNFORESEEN, type Clock, type Logger } from "@chela/sdk";
import {
  actorOf,
  explainIssues,
  holdsScope,
  invalid,
  WireError,
  type CallContext,
  type Client,
  type ErrorShape,
  type MethodSpec,
} from "@chela/sdk/protocol";
import { errnoOf } from "@chela/sdk/files";
import type { AuditTrail } from "../rooms/audit/room.ts";
import type { CollectedMethods } from "./collect-methods.ts";
import { methodLimit } from "./frame-limit.ts";

export type CallOutcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: ErrorShape; readonly payload?: unknown };

/** OpenClaw allows three, since each of them restarts it. Ours are applied at once; people who set things up need more. */
const BUDGET = { calls: 30, windowMs: 60_000 };

export class Dispatcher {
  #methods: CollectedMethods;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #audit: Pick<AuditTrail, "inNameOf" | "isUnsettled" | "settled">;
  /** Times of recent control-plane calls, by device and address. */
  readonly #spent = new Map<string, number[]>();

  constructor(methods: CollectedMethods, parts: { clock: Clock; log: Logger; audit: AuditTrail }) {
    this.#methods = methods;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#audit = parts.audit;
  }

  /** In the order clients know. */
  get listed(): readonly string[] {
    return this.#methods.listed;
  }

  /** What plugins bring is something else now. */
  replace(methods: CollectedMethods): void {
    this.#methods = methods;
  }

  /** Never rejects: one of the places where failures are caught. */
  async call(method: string, params: unknown, call: CallContext): Promise<CallOutcome> {
    try {
      const found = this.#methods.byName.get(method);
      const spec = found?.spec;
      const refusal = refuse(spec, call.client);
      if (refusal) return { ok: false, error: refusal };
      if (!found || !spec)
        return { ok: false, error: { code: "INVALID_REQUEST", message: `unknown method: ${method}` } };
      const most = methodLimit(spec);
      if (call.size !== undefined && call.size > most)
        throw invalid(`${method} is too large: ${call.size} bytes, at most ${most} are taken`);
      const overspent = spec.controlPlane && this.#overspent(method, call);
      if (overspent) return { ok: false, error: overspent };
      const parsed = spec.params().safeParse(params ?? {});
      if (!parsed.success)
        throw invalid(`invalid ${method} params: ${explainIssues(parsed.error.issues, params ?? {})}`);
      const payload = await this.#audit.inNameOf(actorOf(call.client), () => found.handle(parsed.data, call));
      // What it changed of who may do what is written down before anybody is told that it was done.
      if (this.#audit.isUnsettled) await this.#audit.settled();
      return { ok: true, payload };
    } catch (thrown) {
      return this.#toOutcome(method, thrown);
    }
  }

  #toOutcome(method: string, thrown: unknown): CallOutcome {
    if (thrown instanceof WireError) {
      return { ok: false, error: thrown.shape, ...(thrown.payload === undefined ? {} : { payload: thrown.payload }) };
    }
    const error = GatewayError.is(thrown) ? thrown : unforeseen(thrown);
    if (error.row.blame === "bug" || error !== thrown) {
      const { stack } = (error.cause ?? error) as { stack?: string };
      this.#log.error("method failed", { method, code: error.code, error: stack ?? String(error.cause) });
    }
    const shape: ErrorShape = {
      code: error.row.blame === "user" ? "INVALID_REQUEST" : "UNAVAILABLE",
      message: error.message,
      details: { code: error.code, fix: error.row.fix },
      ...(error.row.retry === "never" ? {} : { retryable: true }),
    };
    return { ok: false, error: shape };
  }

  #overspent(method: string, call: CallContext): ErrorShape | undefined {
    const who = `${call.client.deviceId ?? call.client.info.id}|${call.ip}`;
    const now = this.#clock.steady();
    const recent = (this.#spent.get(who) ?? []).filter((at) => now - at < BUDGET.windowMs);
    const oldest = recent[0];
    if (recent.length >= BUDGET.calls && oldest !== undefined) {
      const retryAfterMs = BUDGET.windowMs - (now - oldest);
      return {
        code: "UNAVAILABLE",
        message: `rate limit exceeded for ${method}; retry after ${Math.ceil(retryAfterMs / 1000)}s`,
        retryable: true,
        retryAfterMs,
        details: { method, limit: `${BUDGET.calls} per ${BUDGET.windowMs / 1000}s` },
      };
    }
    this.#spent.delete(who);
    this.#spent.set(who, [...recent, now]);
    for (const key of this.#spent.keys()) {
      if (this.#spent.size <= 1000) break;
      this.#spent.delete(key);
    }
    return undefined;
  }
}

/** What it says is about the inside of the program, or of a library: the log is told, and whoever called only where to look. */
function unforeseen(thrown: unknown): GatewayError {
  const code = errnoOf(thrown);
  const detail =
    code === undefined ? UNFORESEEN : `the system refused something (${code}); the log of the gateway tells what`;
  return new GatewayError("PROTOCOL_UNAVAILABLE", detail, { cause: thrown });
}

/** Methods nobody knows are checked as if they needed admin, so that a stranger cannot list what exists. */
function refuse(spec: MethodSpec | undefined, client: Client): ErrorShape | undefined {
  const role = spec?.role ?? "operator";
  if (role !== "any" && role !== client.role) {
    return { code: "INVALID_REQUEST", message: `unauthorized role: ${client.role}` };
  }
  const scope = spec?.scope ?? "operator.admin";
  if (scope === "none" || holdsScope(client.scopes, scope)) return undefined;
  return { code: "INVALID_REQUEST", message: `missing scope: ${scope}` };
}
