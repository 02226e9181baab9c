// Counts what needs a person: commands to approve, people and devices to let in, messages that did not arrive, channels in
// trouble.
import type { ReactiveControllerHost } from "lit";
import { channelState, needsSomebody } from "../state/channel-state.ts";
import { Asking } from "../state/keep.ts";
import type { World } from "./world.ts";

export class Attention {
  readonly #approvals;
  readonly #people;
  readonly #devices;
  readonly #lost;
  readonly #channels;

  constructor(host: ReactiveControllerHost, world: () => World) {
    const keep = () => world().keep;
    this.#approvals = new Asking(host, keep, () => ({
      method: "exec.approval.list",
      params: {},
      topics: ["approvals"],
    }));
    this.#people = new Asking(host, keep, () => ({ method: "pairing.list", params: {}, topics: ["pairing"] }));
    this.#devices = new Asking(host, keep, () => ({ method: "device.pair.list", params: {}, topics: ["devices"] }));
    this.#lost = new Asking(host, keep, () => ({
      method: "deliveries.list",
      params: { state: "undeliverable", limit: 100 },
      topics: ["deliveries"],
    }));
    this.#channels = new Asking(host, keep, () => ({ method: "channels.status", params: {}, topics: ["channels"] }));
  }

  get count(): number {
    const accounts = Object.values(this.#channels.value?.channelAccounts ?? {}).flat();
    return (
      (this.#approvals.value?.pending.length ?? 0) +
      (this.#people.value?.requests.length ?? 0) +
      (this.#devices.value?.pending.length ?? 0) +
      (this.#lost.value?.deliveries.length ?? 0) +
      accounts.filter((account) => needsSomebody(channelState(account))).length
    );
  }
}
