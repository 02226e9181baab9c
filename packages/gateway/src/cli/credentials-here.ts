// Credentials as this process finds and changes them in the files, for commands that run without a gateway.
import type { MethodParams } from "@chela/sdk/protocol";
import { credentialEvent, type CredentialFacts } from "../rooms/audit/room.ts";
import { systemClock } from "../base/clock.ts";
import { inspectLock, stateLockPath } from "../base/files/lock-file.ts";
import { createCredentialDesk, type CredentialDesk } from "../house/credentials/credential-desk.ts";
import { agentDirectory, openStateDirectory } from "../rooms/config/room.ts";
import { createModels } from "../rooms/models/room.ts";
import { addedFacts, listForWire, readCredential, verifiedFacts } from "../server/methods/credentials.ts";
import { listWorkspaces } from "../house/start/vault.ts";
import type { AskFiles } from "./ask-gateway.ts";
import { commandClock } from "./command-clock.ts";
import type { CommandCall } from "./command-spec.ts";
import { AT_THE_MACHINE, noteHere } from "./note-here.ts";
import { openConfig } from "./open-config.ts";
import { silentLog } from "./silent-log.ts";
import { openVaultHere, profileVaultHere } from "./vault-here.ts";

export function openDeskHere(call: Pick<CommandCall, "env" | "state" | "terminal">): CredentialDesk {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  const config = openConfig(paths, call.env);
  const workspaces = (): string[] => listWorkspaces(config, paths);
  const vault = openVaultHere(paths, call.env, workspaces);
  const models = createModels({
    config: () => config.current(),
    env: () => config.effectiveEnv(),
    clock: commandClock,
    log: silentLog,
    agentDir: (id) => agentDirectory(config.current(), id, paths),
    vault: profileVaultHere(vault),
  });
  return createCredentialDesk({ vault, config, paths, models, clock: commandClock, workspaces });
}

/** In the audit trail, as what was done at the machine itself. */
export function noteCredential(call: CommandCall, facts: Omit<CredentialFacts, "actor">): Promise<void> {
  const { paths } = openStateDirectory(call.env, call.state);
  return noteHere(call, paths, credentialEvent({ ...facts, actor: AT_THE_MACHINE }));
}

/** Changes the configuration and keeps new secrets in the vault. Returns whether anything is another than before. */
export async function patchConfigHere(call: CommandCall, patch: object, baseHash: string): Promise<boolean> {
  const { report, kept } = await openDeskHere(call).patchConfig(JSON.stringify(patch), baseHash);
  const { stateDir } = openStateDirectory(call.env, call.state).paths;
  // A running gateway takes both files up, and writes down itself that it uses what is new.
  const isRunning = inspectLock(stateLockPath(stateDir), systemClock).kind === "held";
  for (const { id, service, where } of isRunning ? [] : kept) {
    await noteCredential(call, { step: "added", target: id, detail: { service, for: where } });
  }
  return report.kind === "written" || kept.length > 0;
}

/** The same answers as the methods of a gateway give. */
export function askHere(call: CommandCall): AskFiles {
  const desk = openDeskHere(call);
  const note = (facts: Omit<CredentialFacts, "actor">) => noteCredential(call, facts);
  const methods: Readonly<Record<string, (params: never) => unknown>> = {
    "credentials.list": () => listForWire(desk),
    "credentials.add": async (params: MethodParams<"credentials.add">) => {
      const credential = await desk.add(readCredential(params), { replace: params.replace ?? false });
      await note(addedFacts(credential, params.replace));
      return { credential };
    },
    "credentials.remove": async ({ id, force }: MethodParams<"credentials.remove">) => {
      await desk.remove(id, { force: force ?? false });
      await note({ step: "removed", target: id });
      return { id };
    },
    "credentials.verify": async ({ id }: MethodParams<"credentials.verify">) => {
      const verified = await desk.verify(id);
      await note(verifiedFacts(verified));
      return verified;
    },
    "credentials.rotate": async ({ key }: MethodParams<"credentials.rotate">) => {
      const rotated = await desk.rotate(key);
      await note({ step: "key rotated", target: "vault" });
      return rotated;
    },
    "credentials.import": async () => {
      const moved = await desk.import();
      await note({ step: "imported", target: "vault", detail: { count: moved.length } });
      return { moved };
    },
  };
  return async (method, params = {}) => methods[method]?.(params as never);
}
