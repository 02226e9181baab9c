// Checks that configured channels have all they need in their settings, and whether a running gateway has them connected.
import { CommandFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { accountsWith, allChannels } from "../rooms/channels/room.ts";
import { nearestWord } from "../base/text/nearest.ts";
import type { Check, CheckedGateway } from "./doctor-check.ts";
import { cleanForTerminal } from "../base/terminal/layout.ts";

export async function checkChannels({ call, config, isRunning }: CheckedGateway): Promise<Check[]> {
  const accounts = await accountsWith(config.current(), config.effectiveEnv());
  const live = accounts.length > 0 && isRunning ? await askForStatus(call) : undefined;
  return accounts.map(({ channel, accountId, state, why }): Check => {
    const row = { name: "Channel", says: `${channel} (${accountId})` };
    if (state === "ready")
      return checkLive(
        row,
        live?.[channel]?.find((one) => one.accountId === accountId),
      );
    if (state === "off") return { ...row, state: "ok", says: `${row.says} is switched off` };
    if (!allChannels().some(({ id }) => id === channel)) return unknownChannel(channel);
    const fix = `chela channels add ${channel}${accountId === "default" ? "" : ` --account ${accountId}`}`;
    return { ...row, state: "fail", says: `${row.says} cannot be used: ${why}`, fix };
  });
}

/** What is set up may still be out of reach; without a gateway nobody knows. */
function checkLive(row: Pick<Check, "name" | "says">, account: LiveAccount | undefined): Check {
  if (!account) return { ...row, state: "ok", says: `${row.says} is set up` };
  if (account.connected) return { ...row, state: "ok", says: `${row.says} is connected` };
  const why = account.lastError ? `: ${cleanForTerminal(account.lastError)}` : " yet";
  return { ...row, state: "warn", says: `${row.says} is not connected${why}`, fix: "chela channels status" };
}

type LiveAccount = MethodAnswer<"channels.status">["channelAccounts"][string][number];

/** Whether the gateway answers at all is another check. */
async function askForStatus(
  call: CheckedGateway["call"],
): Promise<Readonly<Record<string, readonly LiveAccount[]>> | undefined> {
  try {
    const { channelAccounts } = await call.gateway.call("channels.status", {});
    return channelAccounts;
  } catch (error) {
    if (CommandFailure.is(error)) return undefined;
    throw error;
  }
}

/** Set up in OpenClaw, or misspelt: nothing that can be added. */
function unknownChannel(channel: string): Check {
  const near = nearestWord(
    channel,
    allChannels().map(({ id }) => id),
  );
  return {
    name: "Channel",
    state: "warn",
    says: `channels.${channel} has no effect: Chela has no such channel${near ? `; did you mean ${near}?` : ""}`,
    fix: `\`chela channels list\` shows which there are, \`chela config unset channels.${channel}\` takes it out`,
  };
}
