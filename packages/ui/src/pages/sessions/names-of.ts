// Names of agents and channels.
import type { ReactiveControllerHost } from "lit";
import type { World } from "../../app/world.ts";
import { Asking } from "../../state/keep.ts";

/** The channel of this page itself. */
const OWN_CHANNEL = "webchat";

export class NamesOf {
  readonly #world: () => World;
  readonly #agents: Asking<"agents.list">;
  readonly #channels: Asking<"channels.capabilities">;

  constructor(host: ReactiveControllerHost, world: () => World) {
    this.#world = world;
    const keep = () => world().keep;
    this.#agents = new Asking(host, keep, () => ({ method: "agents.list", params: {}, topics: ["agents"] }));
    this.#channels = new Asking(host, keep, () => ({
      method: "channels.capabilities",
      params: {},
      topics: ["channels", "config"],
    }));
  }

  agentName(id: string | undefined): string {
    return id === undefined ? "" : (this.agents.get(id) ?? id);
  }

  channelName(id: string | undefined): string {
    if (id === undefined) return "";
    if (id === OWN_CHANNEL) return this.#world().words.of("sessions").ownChannel;
    return this.#channels.value?.channels.find((channel) => channel.id === id)?.label ?? id;
  }

  get agents(): ReadonlyMap<string, string> {
    const agents = this.#agents.value?.agents ?? [];
    return new Map(agents.map(({ id, name }) => [id, name ?? id]));
  }

  /** Those that are set up. */
  get channels(): ReadonlyMap<string, string> {
    const channels = this.#channels.value?.channels.filter(({ configured }) => configured) ?? [];
    return new Map([OWN_CHANNEL, ...channels.map(({ id }) => id)].map((id) => [id, this.channelName(id)]));
  }
}
