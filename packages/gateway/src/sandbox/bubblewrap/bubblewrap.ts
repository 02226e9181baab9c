// Sandboxes by bubblewrap: namespaces of the kernel, a filter for system calls, and one standing shell for each scope.
import { tmpdir } from "node:os";
import {
  GatewayError,
  type Clock,
  type Ids,
  type Logger,
  type SandboxBackend,
  type SandboxCheck,
  type SandboxProfile,
  toGatewayError,
} from "@chela/sdk";
import { OneAtATime } from "../../base/one-at-a-time.ts";
import type { ProxyDoor } from "./forwarder.ts";
import {
  explainFailure,
  findMeans,
  notesOn,
  viewOfSystem,
  type BubblewrapEnvironment,
  type Means,
  type Unusable,
} from "./means.ts";
import { findLandlock, guardOf } from "./landlock.ts";
import { LaunchStock } from "./launch-stock.ts";
import { BubblewrapPlace } from "./place.ts";
import { probe } from "./probe.ts";
import { findParent } from "./private-folders.ts";
import type { SystemView } from "./system-view.ts";

export interface BubblewrapParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** For sandboxes that may reach some hosts. */
  proxy?(hosts: readonly string[]): Promise<ProxyDoor>;
  readonly environment?: Partial<BubblewrapEnvironment>;
}

export function createBubblewrap(parts: BubblewrapParts): SandboxBackend {
  return new Bubblewrap(parts);
}

class Bubblewrap implements SandboxBackend {
  readonly id = "bubblewrap";
  readonly #parts: BubblewrapParts;
  readonly #machine: BubblewrapEnvironment;
  readonly #places = new Map<string, BubblewrapPlace>();
  readonly #opening = new OneAtATime();
  #means: Promise<Means | Unusable> | undefined;
  #view: Promise<SystemView | undefined> | undefined;
  #launches: LaunchStock | undefined;
  #isClosed = false;

  constructor(parts: BubblewrapParts) {
    this.#parts = parts;
    this.#machine = {
      platform: process.platform,
      processor: process.arch,
      places: undefined,
      folder: findParent(),
      mayUseControlGroups: true,
      findLandlock,
      ...parts.environment,
    };
  }

  async check(): Promise<SandboxCheck> {
    // Something may have been installed in the meantime.
    this.#means = undefined;
    const means = await this.#findMeans();
    if ("kind" in means) return means;
    try {
      let hasControlGroup = false;
      const hole = await probe(tmpdir(), async (profile) => {
        const place = await this.#newPlace(profile, means).open();
        hasControlGroup = place.hasControlGroup;
        return place;
      });
      const notes = notesOn(means, hasControlGroup);
      if (hole === undefined) return { kind: "ready", version: means.program.version, notes };
      const why = `A sandbox was set up, but it is not closed: ${hole}.`;
      return { kind: "unusable", why, fix: "Update the kernel and bubblewrap, or use Docker." };
    } catch (thrown) {
      return explainFailure(toGatewayError(thrown, "SANDBOX_FAILED").detail);
    }
  }

  async open(profile: SandboxProfile): Promise<BubblewrapPlace> {
    return this.#opening.run(profile.scope, async () => {
      const means = await this.#findMeans();
      if ("kind" in means) throw new GatewayError("SANDBOX_FAILED", `${means.why} ${means.fix}`);
      const known = this.#places.get(profile.scope);
      if (known && textOf(known.profile) === textOf(profile)) return known.open();
      // Nothing goes on under rules that do not hold any more.
      await known?.close();
      return this.#newPlace(profile, means).open();
    });
  }

  async list(): Promise<Awaited<ReturnType<SandboxBackend["list"]>>> {
    return [...this.#places.values()].map((place) => ({
      backend: this.id,
      name: place.profile.scope,
      scope: place.profile.scope,
      isRunning: place.isRunning,
      createdAt: place.createdAt,
      lastUsedAt: place.lastUsedAt,
      isOutdated: false,
    }));
  }

  async remove(name: string): Promise<void> {
    await this.#places.get(name)?.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#places.values()].map((place) => place.close()));
    await this.#launches?.close();
    (await this.#view?.catch(() => undefined))?.remove();
    this.#view = undefined;
  }

  #newPlace(profile: SandboxProfile, means: Means): BubblewrapPlace {
    const { clock, ids, proxy } = this.#parts;
    const { folder } = this.#machine;
    const guard = guardOf(means.landlock, false);
    this.#launches ??= new LaunchStock({ ...means, ids, folder, guard, bubblewrap: means.program.path });
    return new BubblewrapPlace(profile, {
      ...means,
      launches: this.#launches,
      clock,
      ids,
      ...(proxy ? { proxy } : {}),
      isStopping: () => this.#isClosed,
      noteStanding: (place, isStanding) => {
        const { scope } = place.profile;
        if (isStanding) this.#places.set(scope, place);
        else if (this.#places.get(scope) === place) this.#places.delete(scope);
      },
    });
  }

  #findMeans(): Promise<Means | Unusable> {
    return (this.#means ??= findMeans(this.#machine, () => this.#system()));
  }

  /** Made once: standing sandboxes look at it. */
  #system(): Promise<SystemView | undefined> {
    return (this.#view ??= viewOfSystem(this.#machine.folder));
  }
}

/** Containers' settings mean nothing here. */
function textOf(profile: SandboxProfile): string {
  return JSON.stringify({ ...profile, container: undefined });
}
