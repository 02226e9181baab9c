// Credentials at the machine itself: what is no method of a gateway, such as what needs a passphrase or writes plain files.
import type { CommandCall } from "@chela/sdk/command-line";
import { systemClock } from "@chela/sdk/base";
import { stateLockPath } from "../../base/locks/gateway-lock.ts";
import { inspectLock } from "../../base/locks/holder.ts";
import type { StoredCredentials } from "../../house/credentials/stored-credentials.ts";
import type { House } from "../../house/house.ts";
import type { CredentialFacts } from "../../rooms/audit/room.ts";
import { AT_THE_MACHINE, withHouse } from "./ask-offline.ts";

type NewCredential = Omit<CredentialFacts, "actor">;

/** In the audit trail, too, as what was done at the machine itself. */
export function withCredentials<T>(
  call: CommandCall,
  facts: NewCredential,
  work: (stored: StoredCredentials) => T | Promise<T>,
): Promise<T> {
  return withHouse(call, "note", async (house) => {
    const done = await work(await house.credentials());
    await note(house, [facts]);
    return done;
  });
}

/** Changes the configuration and keeps new secrets in the vault. Returns whether anything is another than before. */
export function patchConfig(call: CommandCall, patch: object, baseHash: string): Promise<boolean> {
  return withHouse(call, "note", async (house) => {
    const { report, kept } = await (await house.credentials()).patchConfig(JSON.stringify(patch), baseHash);
    // A running gateway takes both files up, and writes down itself that it uses what is new.
    const isRunning = inspectLock(stateLockPath(house.stateDir), systemClock).kind === "held";
    const added = kept.map(({ id, service, where }): NewCredential => ({
      step: "added",
      target: id,
      detail: { service, for: where },
    }));
    if (!isRunning) await note(house, added);
    return report.kind === "written" || kept.length > 0;
  });
}

async function note({ audit }: House, all: readonly NewCredential[]): Promise<void> {
  for (const facts of all) audit.noteCredential({ ...facts, actor: AT_THE_MACHINE });
  await audit.settled();
}
