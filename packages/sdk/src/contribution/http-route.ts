// HTTP routes: what a part of the gateway answers on its port, and what it is told of each request.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MethodName, MethodResult } from "../protocol/methods.ts";

export interface ClientAddress {
  /** The address to count and log; the peer's unless a listed proxy names another. Empty when unknown. */
  readonly ip: string;
  readonly peerIp: string;
  readonly isLoopbackPeer: boolean;
  readonly isTrustedProxy: boolean;
  /** Any header that a proxy would add is present, whoever sent it. */
  readonly isForwarded: boolean;
  /** Straight from this machine: loopback peer, not a listed proxy, no proxy header. */
  readonly isDirectLoopback: boolean;
  /** Direct loopback and addressed by a local name. The only thing that earns local privileges. */
  readonly isLocal: boolean;
}

export interface HttpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly client: ClientAddress;
  /** The origin of the page that sent it, when that is not a page of ours. */
  readonly foreignPage: string | undefined;
}

/** A request of somebody who has shown the gateway's secret. */
export interface HolderCall extends HttpCall {
  /** Calls a protocol method in the name of whoever asks: the same checks, the same audit trail. Throws what to answer. */
  callMethod<M extends MethodName>(method: M, params: unknown): Promise<MethodResult<M>>;
}

interface RouteTarget<House> {
  readonly methods: readonly string[];
  /** An exact path, or which paths it answers; the first route that fits a request answers it. */
  readonly path: string | ((path: string, house: House) => boolean);
}

/** Who may use it is part of every route; one that does not say so cannot be written down. */
export type HttpRoute<House> = RouteTarget<House> &
  (
    | {
        /** The gateway's secret is asked for. */
        readonly auth: "bearer";
        handle(call: HolderCall, house: House): Promise<void>;
      }
    | {
        /**
         * "public": tells nothing about anybody. "page": static files of the control page.
         * "own-secret": the route checks a secret of its own before anything else.
         */
        readonly auth: "public" | "page" | "own-secret";
        handle(call: HttpCall, house: House): Promise<void>;
      }
  );
