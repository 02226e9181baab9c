// Names of devices and channels, for events that know their ids only.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { World } from "../../app/world.ts";
import { Asking } from "../../state/keep.ts";
import { KnownNames } from "../../state/known-names.ts";
import { readDeviceId } from "../../wire/device-key.ts";
import type { Names } from "./event-words.ts";

export class KnownActors implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #world: () => World;
  readonly #names: KnownNames;
  readonly #devices: Asking<"device.pair.list">;
  #ownDevice: string | undefined;

  constructor(host: ReactiveControllerHost, world: () => World) {
    this.#host = host;
    this.#world = world;
    this.#names = new KnownNames(host, world);
    this.#devices = new Asking(
      host,
      () => world().keep,
      () =>
        world().wire.has("device.pair.list")
          ? { method: "device.pair.list", params: {}, topics: ["devices"] }
          : undefined,
    );
    host.addController(this);
  }

  hostConnected(): void {
    // Without one, this browser is one among others.
    readDeviceId().then(
      (id) => {
        this.#ownDevice = id;
        this.#host.requestUpdate();
      },
      () => undefined,
    );
  }

  /** As they are now. */
  get names(): Names {
    const own = this.#world().words.of("audit").ownChannel;
    return {
      devices: new Map((this.#devices.value?.paired ?? []).flatMap(nameOfDevice)),
      ownDevice: this.#ownDevice,
      channel: (id) => this.#names.channel(id, own),
    };
  }

  agent(id: string): string {
    return this.#names.agent(id);
  }
}

/** A stranger chose it: it must not turn the sentence around it about. */
function nameOfDevice({
  deviceId,
  displayName = "",
}: {
  readonly deviceId: string;
  readonly displayName?: string | undefined;
}): Array<readonly [string, string]> {
  const name = displayName.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "").trim();
  return name ? [[deviceId, name]] : [];
}
