// `chela devices …`: who waits for a key, who has one, and how to give or take it.
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { tellResult } from "../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";
import { keepDeviceToken, openOwnDevice } from "../connect/device-proof.ts";
import { readSettings } from "../connect/known-settings.ts";
import { formatAge, formatTable } from "../../base/terminal/layout.ts";

type Pending = Devices["pending"][number];
type Paired = Devices["paired"][number];
type Devices = MethodAnswer<"device.pair.list">;

/**
 * Whoever may write the gateway's files owns it, also when it takes nobody on this machine for its owner: behind a
 * proxy on the same machine the first device could not be approved otherwise.
 */
function asking(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  return call.gateway.askOrOffline(work, { whenRefused: true });
}

export function list(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const devices = await ask("device.pair.list");
    if (call.flags.has("json")) call.terminal.printJson(devices);
    else for (const line of describe(devices, call)) call.terminal.print(line);
  });
}

export function approve(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const { pending } = await ask("device.pair.list");
    const { requestId } = choosePending(pending, call);
    const result = await ask("device.pair.approve", { requestId });
    tellResult(call, result, `Approved ${nameOf(result.device)}. It can connect now.`);
  });
}

export function reject(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const { pending } = await ask("device.pair.list");
    const request = byStart(pending, call.args[0] ?? "", ({ requestId }) => requestId, "waiting request");
    const result = await ask("device.pair.reject", { requestId: request.requestId });
    tellResult(call, result, `Turned away ${nameOf(request)}.`);
  });
}

export function remove(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const device = await findPaired(ask, call.args[0] ?? "");
    const result = await ask("device.pair.remove", { deviceId: device.deviceId });
    tellResult(call, result, `Removed ${nameOf(device)}.`);
  });
}

/** This machine's own device stays, since it is the one that asks. */
export function clear(call: CommandCall): Promise<number> {
  const { flags } = call;
  if (!flags.has("pending") && !flags.has("yes"))
    throw usageFailure("Say what to clear: --pending for those that wait, --yes for all paired devices but this one.");
  return asking(call, async (ask) => {
    const devices = await ask("device.pair.list");
    const waiting = flags.has("pending") ? devices.pending : [];
    for (const { requestId } of waiting) await ask("device.pair.reject", { requestId });
    const own = await ownDeviceId(call);
    const gone = flags.has("yes") ? devices.paired.filter(({ deviceId }) => deviceId !== own) : [];
    for (const { deviceId } of gone) await ask("device.pair.remove", { deviceId });
    const result = { rejected: waiting.length, removed: gone.length };
    tellResult(call, result, `Turned away ${result.rejected}, removed ${result.removed}.`);
  });
}

async function ownDeviceId(call: CommandCall): Promise<string> {
  return (await openOwnDevice((await readSettings(call)).paths.stateDir)).deviceId;
}

/** Whoever gives itself a new token goes on with it. */
async function keepOwn(call: CommandCall, grant: Rotated): Promise<void> {
  const { stateDir } = (await readSettings(call)).paths;
  const { deviceId } = await openOwnDevice(stateDir);
  if (grant.deviceId !== deviceId || grant.role !== "operator" || call.flags.has("url")) return;
  await keepDeviceToken(stateDir, deviceId, { deviceToken: grant.token, scopes: grant.scopes });
}

type Rotated = MethodAnswer<"device.token.rotate">;

export function rotate(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const device = await findPaired(ask, requireDevice(call));
    const scopes = call.flags.list("scope");
    const role = call.flags.text("role") ?? "operator";
    const params = { deviceId: device.deviceId, role, ...(scopes.length > 0 ? { scopes } : {}) };
    const result = await ask("device.token.rotate", params);
    await keepOwn(call, result);
    tellResult(call, result, `New token of ${nameOf(device)} (${role}), shown only now:\n${result.token}`);
  });
}

export function revoke(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const device = await findPaired(ask, requireDevice(call));
    const role = call.flags.text("role") ?? "operator";
    const result = await ask("device.token.revoke", { deviceId: device.deviceId, role });
    tellResult(call, result, `Took the ${role} token of ${nameOf(device)} away.`);
  });
}

function requireDevice({ flags, path }: CommandCall): string {
  const device = flags.text("device");
  if (!device)
    throw usageFailure(`Say which device: chela ${path.join(" ")} --device <id>. \`chela devices list\` shows them.`);
  return device;
}

async function findPaired(ask: Ask, id: string): Promise<Paired> {
  return byStart((await ask("device.pair.list")).paired, id, ({ deviceId }) => deviceId, "paired device");
}

function choosePending(pending: readonly Pending[], { args, flags }: CommandCall): Pending {
  const [id] = args;
  if (id !== undefined) return byStart(pending, id, ({ requestId }) => requestId, "waiting request");
  const newest = pending.toSorted((a, b) => b.ts - a.ts)[0];
  if (!newest)
    throw new CommandFailure("other", "No device waits for approval.", {
      fix: "Requests are kept for five minutes: let the device try again.",
    });
  if (pending.length > 1 && !flags.has("latest")) {
    throw usageFailure(`${pending.length} devices wait: name one, or add --latest. \`chela devices list\` shows them.`);
  }
  return newest;
}

/** The first characters are enough as long as they mean only one. */
function byStart<T>(all: readonly T[], start: string, idOf: (one: T) => string, what: string): T {
  const found = all.filter((one) => start !== "" && idOf(one).startsWith(start));
  const [only] = found;
  if (!only)
    throw new CommandFailure("other", `There is no ${what} ${start}.`, {
      fix: "`chela devices list` shows what there is.",
    });
  if (found.length > 1)
    throw new CommandFailure("other", `${start} is the start of ${found.length} ids; write more of it.`);
  return only;
}

function nameOf(device: Pick<Paired, "deviceId" | "displayName" | "clientId">): string {
  return `${device.displayName ?? device.clientId ?? "device"} (${device.deviceId.slice(0, 12)})`;
}

function describe({ pending, paired }: Devices, { terminal: { style } }: CommandCall): string[] {
  const now = Date.now();
  const waiting = pending.map((request) => {
    const { requestId, platform = "-", role = "-", remoteIp = "-", ts } = request;
    return [requestId, nameOf(request), role, platform, remoteIp, formatAge(now - ts), asksFor(request)];
  });
  const known = paired.map(({ platform = "-", approvedAtMs, tokens, ...rest }) => [
    nameOf(rest),
    tokens.map(({ role, revokedAtMs }) => (revokedAtMs ? `${role} (revoked)` : role)).join(", ") || "-",
    platform,
    formatAge(now - approvedAtMs),
  ]);
  return [
    ...(waiting.length > 0
      ? [style.yellow("Waiting (approve with `chela devices approve <id>`)"), ...formatTable(waiting, "  ")]
      : ["No device waits."]),
    ...(known.length > 0 ? ["Paired", ...formatTable(known, "  ")] : ["No device is paired."]),
  ];
}

/** What would be new: whoever approves should see it. */
function asksFor({ adds, commands = [], isRepair }: Pending): string {
  const asked = [...(adds?.roles ?? []), ...(adds?.scopes ?? []), ...commands];
  return asked.length > 0 ? `${isRepair ? "also wants" : "wants"} ${asked.join(", ")}` : "";
}
