// Who waits to be let in, from the files of this machine, for commands that run without a gateway.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { PairingStore } from "../rooms/access/room.ts";
import { pairingEvent } from "../rooms/audit/room.ts";
import { createBelieved } from "../base/files/believed.ts";
import { systemClock } from "../base/clock.ts";
import { waitForLock } from "../base/files/file-lock.ts";
import { createIds } from "../base/ids.ts";
import { accountsOf, entryOf, type ChannelsView } from "../rooms/channels/room.ts";
import { openStateDirectory, type ChelaConfig, type StatePaths } from "../rooms/config/room.ts";
import type { AskFiles } from "./ask-gateway.ts";
import { CommandFailure } from "./command-failure.ts";
import type { CommandCall } from "./command-spec.ts";
import { openConfig } from "./open-config.ts";
import { ledgerPath, readLedger } from "./open-ledger.ts";
import { AT_THE_MACHINE, noteHere } from "./note-here.ts";
import { createCommandLog } from "./silent-log.ts";

const LOCK_PATIENCE_MS = 5000;

interface CodeParams {
  readonly channel: string;
  readonly code: string;
  readonly accountId?: string;
  readonly notify?: boolean;
}

/** The same answers as the methods of a gateway give. */
export function askPairingHere(call: CommandCall): AskFiles {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  const config = openConfig(paths, call.env).current();
  const log = createCommandLog((text) => call.terminal.note(text));
  const pairing = new PairingStore({
    directory: join(paths.stateDir, "credentials"),
    clock: systemClock,
    ids: createIds(),
    log,
    // Who becomes an owner here is one for a gateway that runs: both know the same key.
    believed: createBelieved({ folder: join(paths.stateDir, "identity"), runsAgents: false, log }),
    lock: (path) => waitForLock(path, systemClock, LOCK_PATIENCE_MS),
  });
  const note = (step: "approved" | "rejected", of: { channel: string; accountId: string; id: string }) => {
    const target = `${of.channel}:${of.accountId}:${of.id}`;
    return noteHere(call, paths, pairingEvent({ step, target, actor: AT_THE_MACHINE, channel: of.channel }));
  };
  const methods: Readonly<Record<string, (params: never) => Promise<unknown>>> = {
    "pairing.list": async ({ channel, accountId }: Partial<CodeParams>) => {
      const found = pairing.list(channel).filter(({ account }) => !accountId || account === accountId);
      return { requests: found.map(({ account, ...request }) => ({ ...request, accountId: account })) };
    },
    "pairing.approve": async (params: CodeParams) => {
      const approved = await approveHere(pairing, config, paths, params);
      await note("approved", approved);
      return approved;
    },
    "pairing.reject": async ({ channel, code, accountId }: CodeParams) => {
      const outcome = await pairing.reject(channel, code, accountId);
      if (outcome.kind !== "rejected") throw noSuchCode(outcome.kind, code);
      const rejected = { channel, accountId: outcome.account, id: outcome.id };
      await note("rejected", rejected);
      return rejected;
    },
  };
  return async (method, params = {}) => methods[method]?.(params as never);
}

async function approveHere(
  pairing: PairingStore,
  config: ChelaConfig,
  paths: StatePaths,
  { channel, code, accountId, notify }: CodeParams,
) {
  const isOwned = (await hasOwner(config, channel)) || (await hasOwningPerson(paths, channel));
  const owner = isOwned ? {} : { owner: "if-first" as const };
  const outcome = await pairing.approve(channel, code, { ...(accountId ? { account: accountId } : {}), ...owner });
  if (outcome.kind !== "approved") throw noSuchCode(outcome.kind, code);
  const { id, account, isOwner } = outcome;
  const note = notify ? { note: "No gateway runs, so the person was not told." } : {};
  return { channel, accountId: account, id, isOwner, notified: false, ...note };
}

/** Nobody becomes an owner by chance: when it cannot be known, there is one. */
async function hasOwner(config: ChelaConfig & ChannelsView, channel: string): Promise<boolean> {
  if (config.commands?.ownerAllowFrom !== undefined) return true;
  try {
    const code = await entryOf(channel).load();
    const lists = accountsOf(config, channel).map(({ settings }) => code.policy(settings).allowFrom);
    return lists.flat().some((entry) => entry !== "*");
  } catch (error) {
    if (GatewayError.is(error) && error.code !== "CHANNEL_UNKNOWN") return true;
    throw error;
  }
}

/** Somebody who was given the role; on whichever account, so that nobody else becomes one by chance. */
async function hasOwningPerson(paths: StatePaths, channel: string): Promise<boolean> {
  if (!existsSync(ledgerPath(paths))) return false;
  const people = await readLedger(paths, (ledger) => ledger.people());
  return people.some(({ role, ids }) => role === "owner" && ids.some((id) => id.channel === channel));
}

function noSuchCode(kind: "unknown" | "expired" | "too-many", code: string): CommandFailure {
  const says = {
    unknown: `No pending pairing request has the code ${code}.`,
    expired: "This code is older than an hour. Let the person write again, to get a new one.",
    "too-many": "Too many wrong codes. Wait a minute.",
  };
  return new CommandFailure("other", says[kind], { fix: "`chela pairing list` shows those that wait." });
}
