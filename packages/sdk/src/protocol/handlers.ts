// Types of a method's handler: the caller, the typed parameters, and how to refuse.
import type { ErrorShape } from "./frames.ts";
import type { MethodName, MethodParams, MethodResult } from "./methods.ts";

/** A connection that passed the handshake. */
export interface Client {
  readonly connId: string;
  readonly role: "operator" | "node";
  readonly scopes: readonly string[];
  readonly caps: ReadonlySet<string>;
  readonly deviceId?: string;
  /** The device's token at the time of the handshake. */
  readonly deviceToken?: string;
  /** Who it is in the audit trail, where that is not known by its device or program. */
  readonly actor?: string;
  /** How it proved itself: connections made with a secret end when the secret changes. */
  readonly method: string;
  readonly info: { readonly id: string; readonly mode: string; readonly displayName?: string };
  /** Its entry in presence, which several connections of one device share. */
  readonly presenceKey?: string;
  /** Bytes that wait to be taken by the other side. */
  readonly buffered: number;
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface CallContext {
  readonly client: Client;
  /** How large the request was, when it came as a message of its own. */
  readonly size?: number;
  /** Address of the other side, for budgets and the log. */
  readonly ip: string;
  /** Sends a response before the last one, for methods that answer twice. */
  early(payload: unknown): void;
  /** Does something at once that may take the caller's own grant away: the caller is answered before it is shown out. */
  withLastWord<T>(work: () => T): T;
}

export type Handlers = {
  readonly [M in MethodName]: (
    params: MethodParams<M>,
    call: CallContext,
  ) => Promise<MethodResult<M>> | MethodResult<M>;
};

/** A failure whose wire form a handler has chosen itself. */
export class WireError extends Error {
  readonly shape: ErrorShape;
  readonly payload: unknown;

  constructor(shape: ErrorShape, payload?: unknown) {
    super(shape.message);
    this.shape = shape;
    this.payload = payload;
  }
}

export function invalid(message: string, details?: unknown): WireError {
  return new WireError({ code: "INVALID_REQUEST", message, ...(details === undefined ? {} : { details }) });
}

/** What a scope covers: admin covers all, write covers read. */
export function holdsScope(scopes: readonly string[], scope: string): boolean {
  if (scopes.includes("operator.admin") || scopes.includes(scope)) return true;
  return scope === "operator.read" && scopes.includes("operator.write");
}

/** May they see what is said here, by whom, and where it lies? */
export function mayRead({ role, scopes }: { readonly role: string; readonly scopes: readonly string[] }): boolean {
  return role === "operator" && holdsScope(scopes, "operator.read");
}

/** Who a client is in the audit trail: a device by its key; who came in with a secret alone, by how and with which program. */
export function actorOf({
  actor,
  deviceId,
  method,
  info,
}: Pick<Client, "actor" | "deviceId" | "method" | "info">): string {
  if (actor !== undefined) return actor;
  return deviceId === undefined ? `client:${method}:${info.id}` : `device:${deviceId}`;
}

/** What somebody who came through our own door may ask of the gateway in a chat. */
export function grantsOf(scopes: readonly string[]) {
  const isOwner = scopes.includes("operator.admin");
  return {
    isOwner,
    standing: isOwner ? ("owner" as const) : ("operator" as const),
    isAuthorised: isOwner || scopes.includes("operator.write"),
    canApprove: isOwner || scopes.includes("operator.approvals"),
  };
}
