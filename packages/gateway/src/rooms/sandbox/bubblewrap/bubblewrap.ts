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
  OneAtATime,
} from "@chela/sdk";
import type { ProxyDoor } from "./forwarder.ts";
import {
  explainFailure,
  findMeans,
  notesOn,
  whyNoProc,
  type BubblewrapEnvironment,
  type Means,
  type Unusable,
} from "./means.ts";
import { findLandlock, guardOf } from "./landlock.ts";
import { LaunchStock } from "./launch-stock.ts";
import { BubblewrapPlace, type Ground } from "./place.ts";
import { probe } from "./probe.ts";

export interface BubblewrapParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** For sandboxes that may reach some hosts. */
  proxy?(hosts: readonly string[]): Promise<ProxyDoor>;
  readonly environment?: Partial<BubblewrapEnvironment>;
}

/** No scope has this name. */
const GROUND = "";

export function createBubblewrap(parts: BubblewrapParts): SandboxBackend {
  return new Bubblewrap(parts);
}

class Bubblewrap implements SandboxBackend {
  readonly id = "bubblewrap";
  readonly #parts: BubblewrapParts;
  readonly #machine: BubblewrapEnvironment;
  readonly #places = new Map<string, BubblewrapPlace>();
  readonly #opening = new OneAtATime();
  #ground: Ground | undefined;
  #isClosed = false;

  constructor(parts: BubblewrapParts) {
    this.#parts = parts;
    this.#machine = {
      platform: process.platform,
      processor: process.arch,
      places: undefined,
      folder: undefined,
      mayUseControlGroups: true,
      findLandlock,
      ...parts.environment,
    };
  }

  async check(): Promise<SandboxCheck> {
    const ground = await this.#findGround();
    if ("kind" in ground) return ground;
    try {
      let hasControlGroup = false;
      const hole = await probe(tmpdir(), async (profile) => {
        const place = await this.#newPlace(profile).open();
        hasControlGroup = place.hasControlGroup;
        return place;
      });
      const notes = notesOn(ground, hasControlGroup);
      if (hole === undefined) return { kind: "ready", version: ground.program.version, notes };
      const why = `A sandbox was set up, but it is not closed: ${hole.what}.`;
      const mayPass = !hole.isOpen;
      return { kind: "unusable", why, fix: "Update the kernel and bubblewrap, or use Docker.", mayPass };
    } catch (thrown) {
      return explainFailure(toGatewayError(thrown, "SANDBOX_FAILED").detail);
    }
  }

  async open(profile: SandboxProfile): Promise<BubblewrapPlace> {
    return this.#opening.run(profile.scope, async () => {
      const known = this.#places.get(profile.scope);
      if (known && textOf(known.profile) === textOf(profile)) return known.open();
      // Nothing goes on under rules that do not hold any more.
      await known?.close();
      return this.#newPlace(profile).open();
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
    await this.#opening.run(GROUND, () => this.#clear());
  }

  #newPlace(profile: SandboxProfile): BubblewrapPlace {
    const { clock, ids, proxy } = this.#parts;
    return new BubblewrapPlace(profile, {
      ground: () => this.#requireGround(),
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

  async #requireGround(): Promise<Ground> {
    // What is looked at most often waits for nobody.
    if (this.#ground?.system.isThere() && !whyNoProc()) return this.#ground;
    const ground = await this.#findGround();
    if ("kind" in ground) throw new GatewayError("SANDBOX_FAILED", `${ground.why} ${ground.fix}`);
    return ground;
  }

  /** Made once, since standing sandboxes look at it, and made anew when somebody took it away. */
  #findGround(): Promise<Ground | Unusable> {
    return this.#opening.run(GROUND, async () => {
      const known = this.#ground;
      if (known?.system.isThere()) return whyNoProc() ?? known;
      if (known) this.#parts.log.warn("The folders of the sandboxes were removed by somebody; they are made anew");
      await this.#clear();
      // Whatever was missing may have been installed in the meantime.
      const means = await findMeans(this.#machine);
      if ("kind" in means) return means;
      this.#ground = { ...means, launches: this.#newStock(means) };
      return this.#ground;
    });
  }

  #newStock(means: Means): LaunchStock {
    const guard = guardOf(means.landlock, false);
    return new LaunchStock({ ...means, ids: this.#parts.ids, guard, bubblewrap: means.program.path });
  }

  async #clear(): Promise<void> {
    const known = this.#ground;
    this.#ground = undefined;
    await known?.launches.close();
    known?.system.remove();
  }
}

/** Containers' settings mean nothing here. */
function textOf(profile: SandboxProfile): string {
  return JSON.stringify({ ...profile, container: undefined });
}
