// Names of channels and their accounts, for ids of people.
import type { ReactiveControllerHost } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { World } from "../../app/world.ts";
import { Asking } from "../../state/keep.ts";

type Channel = MethodAnswer<"channels.capabilities">["channels"][number];

export class KnownChannels {
  readonly #channels: Asking<"channels.capabilities">;

  constructor(host: ReactiveControllerHost, world: () => World) {
    this.#channels = new Asking(
      host,
      () => world().keep,
      () =>
        world().wire.has("channels.capabilities")
          ? { method: "channels.capabilities", params: {}, topics: ["channels", "config"] }
          : undefined,
    );
  }

  /** Those that are set up first, each group by name. */
  get all(): readonly Channel[] {
    const channels = this.#channels.value?.channels ?? [];
    return channels.toSorted((a, b) => Number(b.configured) - Number(a.configured) || a.label.localeCompare(b.label));
  }

  label(id: string): string {
    return this.#channels.value?.channels.find((channel) => channel.id === id)?.label ?? id;
  }

  /** Only where there are several to choose from. */
  accountsOf(id: string): readonly string[] {
    const accounts = this.#channels.value?.channels.find((channel) => channel.id === id)?.accounts ?? [];
    return accounts.length > 1 ? accounts.map(({ accountId }) => accountId) : [];
  }
}
