// The gateway as the agent of an editor reaches it: one connection, made when it is needed and anew after it broke.
import { CommandFailure, type GatewayLink } from "@chela/sdk/command-line";
import { RPC, RpcFault } from "../wire/rpc-peer.ts";

export interface GatewayHearer {
  hear(event: { readonly event: string; readonly payload: unknown }): void;
  /** What runs in the gateway goes on, but nothing more is told of it here. */
  lost(): void;
}

export class GatewaySide {
  readonly #connect: () => Promise<GatewayLink>;
  readonly #hearer: GatewayHearer;
  #link: Promise<GatewayLink> | undefined;

  constructor(connect: () => Promise<GatewayLink>, hearer: GatewayHearer) {
    this.#connect = connect;
    this.#hearer = hearer;
  }

  /** Its failures are RpcFaults with the gateway's own sentence. */
  readonly ask: GatewayLink["ask"] = async (method, ...params) => {
    try {
      const link = await this.#open();
      return await link.ask(method, ...params);
    } catch (error) {
      if (!CommandFailure.is(error)) throw error;
      const fix = error.fix === undefined ? {} : { fix: error.fix };
      throw new RpcFault(RPC.internal, error.message, { kind: error.kind, ...fix });
    }
  };

  async close(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    await link?.then((open) => open.close()).catch(() => {});
  }

  #open(): Promise<GatewayLink> {
    if (this.#link) return this.#link;
    const opening = this.#connect();
    this.#link = opening;
    opening.then(
      (link) => {
        link.onEvent((event) => this.#hearer.hear(event));
        void link.closed.then(() => this.#forget(opening));
      },
      () => this.#forget(opening),
    );
    return opening;
  }

  #forget(opening: Promise<GatewayLink>): void {
    if (this.#link !== opening) return;
    this.#link = undefined;
    this.#hearer.lost();
  }
}
