// Counts what waits for a person, as the overview lists it.
import type { ReactiveControllerHost } from "lit";
import { FAILED_JOBS, jobNeedsSomebody } from "../jobs/run-facts.ts";
import { Asking } from "../state/keep.ts";
import { gatherWaiting } from "../state/waiting.ts";
import type { World } from "./world.ts";

export class Attention {
  readonly #approvals;
  readonly #people;
  readonly #devices;
  readonly #nodes;
  readonly #lost;
  readonly #channels;
  readonly #jobs;

  constructor(host: ReactiveControllerHost, world: () => World) {
    const keep = () => world().keep;
    this.#approvals = new Asking(host, keep, () => ({
      method: "exec.approval.list",
      params: {},
      topics: ["approvals"],
    }));
    this.#people = new Asking(host, keep, () => ({ method: "pairing.list", params: {}, topics: ["pairing"] }));
    this.#devices = new Asking(host, keep, () => ({ method: "device.pair.list", params: {}, topics: ["devices"] }));
    this.#nodes = new Asking(host, keep, () =>
      world().wire.has("node.pair.list")
        ? { method: "node.pair.list", params: {}, topics: ["devices", "presence"] }
        : undefined,
    );
    this.#lost = new Asking(host, keep, () => ({
      method: "deliveries.list",
      params: { state: "undeliverable", limit: 100 },
      topics: ["deliveries"],
    }));
    this.#channels = new Asking(host, keep, () => ({ method: "channels.status", params: {}, topics: ["channels"] }));
    this.#jobs = new Asking(host, keep, () =>
      world().wire.has("cron.list") ? { method: "cron.list", params: FAILED_JOBS, topics: ["jobs"] } : undefined,
    );
  }

  /** Jobs that failed. */
  get jobs(): number {
    return (this.#jobs.value?.jobs ?? []).filter(jobNeedsSomebody).length;
  }

  get count(): number {
    const known = {
      approvals: this.#approvals.value?.pending,
      people: this.#people.value?.requests,
      devices: this.#devices.value?.pending,
      nodes: this.#nodes.value?.pending,
      deliveries: this.#lost.value?.deliveries,
      channels: this.#channels.value,
      jobs: this.#jobs.value?.jobs,
    };
    return gatherWaiting(known, Date.now()).length;
  }
}
