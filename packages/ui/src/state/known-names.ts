// Names of agents and channels, for places that know their ids only.
import type { ReactiveControllerHost } from "lit";
import type { World } from "../app/world.ts";
import { Asking } from "./keep.ts";

/** The channel of this page itself. */
const OWN_CHANNEL = "webchat";

export class KnownNames {
  readonly #agents: Asking<"agents.list">;
  readonly #channels: Asking<"channels.capabilities">;

  constructor(host: ReactiveControllerHost, world: () => World) {
    const keep = () => world().keep;
    const has = (method: string): boolean => world().wire.has(method);
    this.#agents = new Asking(host, keep, () =>
      has("agents.list") ? { method: "agents.list", params: {}, topics: ["agents"] } : undefined,
    );
    this.#channels = new Asking(host, keep, () =>
      has("channels.capabilities")
        ? { method: "channels.capabilities", params: {}, topics: ["channels", "config"] }
        : undefined,
    );
  }

  agent(id: string): string {
    const agent = this.#agents.value?.agents.find((one) => one.id === id);
    return agent?.identity?.name || agent?.name || id;
  }

  /** `own` is what this page is called among the channels. */
  channel(id: string, own: string): string {
    if (id === OWN_CHANNEL) return own;
    return this.#channels.value?.channels.find((channel) => channel.id === id)?.label ?? id;
  }
}
