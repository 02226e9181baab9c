// Paired devices of which the gateway knows that it paired them itself: what somebody else wrote into the file while agents
// could run commands opens no door.
import { createHash } from "node:crypto";
import { copyFileSync, statSync } from "node:fs";
import type { Logger } from "@chela/sdk";
import type { Believed } from "../../base/files/believed.ts";
import type { RecordFile } from "../../base/files/record-file.ts";
import type { PairedDevice } from "./records.ts";

interface BelievedDevicesParts {
  readonly file: RecordFile<PairedDevice>;
  readonly path: string;
  readonly believed: Pick<Believed, "sift" | "remember">;
  readonly log: Logger;
}

const NAME = "devices/paired.json";

export function believedDevices({ file, path, believed, log }: BelievedDevicesParts): RecordFile<PairedDevice> {
  let seen:
    | { readonly all: ReadonlyMap<string, PairedDevice>; readonly known: ReadonlyMap<string, PairedDevice> }
    | undefined;
  return {
    load() {
      const all = file.load();
      if (seen?.all === all) return seen.known;
      const items = new Map([...all].map(([id, device]) => [id, itemOf(device)]));
      const sifted = believed.sift(NAME, [...items.values()]);
      const known = new Map([...all].filter(([id]) => sifted.has(items.get(id) ?? "")));
      seen = { all, known };
      if (known.size < all.size)
        setAside(
          path,
          [...all.keys()].filter((id) => !known.has(id)),
          log,
        );
      return known;
    },
    save(records) {
      believed.remember(NAME, [...records.values()].map(itemOf));
      file.save(records);
      seen = { all: file.load(), known: records };
    },
  };
}

/** All that decides what a device may do; when it was last used does not. */
function itemOf({ deviceId, publicKey, role, roles, scopes, approvedScopes, tokens }: PairedDevice): string {
  const keys = Object.entries(tokens ?? {}).map(([name, token]) => [
    name,
    token.token,
    token.role,
    token.scopes,
    token.revokedAtMs ?? null,
  ]);
  const said = [deviceId, publicKey, role ?? null, roles ?? null, scopes ?? null, approvedScopes ?? null, keys];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}

function setAside(path: string, devices: readonly string[], log: Logger): void {
  // Named after the file's own time, so that looking again does not make another copy.
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts) return;
  const aside = `${path}.not-believed.${Math.floor(facts.mtimeMs)}`;
  copyFileSync(path, aside);
  log.error(
    "Somebody else wrote devices into the list of paired ones while agents could run commands: they are not let in, and pair again with `chela devices approve`",
    { path, aside, devices: devices.slice(0, 5) },
  );
}
