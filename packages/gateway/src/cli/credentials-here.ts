// Credentials as this process finds and changes them in the files, for commands that run without a gateway.
import type { MethodParams } from "@chela/sdk/protocol";
import { createCredentialDesk, type CredentialDesk } from "../credential-desk/credential-desk.ts";
import { openStateDirectory } from "../config/room.ts";
import { createModels } from "../models/room.ts";
import { readCredential } from "../server/methods/credentials.ts";
import { listWorkspaces } from "../start-vault.ts";
import type { Ask } from "./ask-gateway.ts";
import { commandClock } from "./command-clock.ts";
import type { CommandCall } from "./command-spec.ts";
import { openConfig } from "./open-config.ts";
import { silentLog } from "./silent-log.ts";
import { openVaultHere } from "./vault-here.ts";

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
  });
  return createCredentialDesk({ vault, config, paths, models, clock: commandClock, workspaces });
}

/** The same answers as the methods of a gateway give. */
export function askHere(desk: CredentialDesk): Ask {
  const methods: Readonly<Record<string, (params: never) => unknown>> = {
    "credentials.list": () => desk.list(),
    "credentials.add": async (params: MethodParams<"credentials.add">) => ({
      credential: await desk.add(readCredential(params), { replace: params.replace ?? false }),
    }),
    "credentials.remove": async ({ id, force }: MethodParams<"credentials.remove">) => {
      await desk.remove(id, { force: force ?? false });
      return { id };
    },
    "credentials.verify": ({ id }: MethodParams<"credentials.verify">) => desk.verify(id),
    "credentials.rotate": ({ key }: MethodParams<"credentials.rotate">) => desk.rotate(key),
    "credentials.import": async () => ({ moved: await desk.import() }),
  };
  return async (method, params = {}) => methods[method]?.(params as never);
}
