// Checks by `chela doctor` of channels: whether they have all they need, and whether a running gateway has them connected.
import type { DoctorCall, DoctorCheck, DoctorLine } from "@chela/sdk";
import { CommandFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { cleanForTerminal } from "../../base/terminal/layout.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import type { House } from "../../house/house.ts";
import { accountsWith } from "./accounts-with.ts";
import { allChannels } from "./index.ts";

export const checks: ReadonlyArray<DoctorCheck<House>> = [{ name: "Channel", look: checkChannels }];

async function checkChannels(
  { config }: Pick<House, "config">,
  { call, isRunning }: DoctorCall,
): Promise<DoctorLine[]> {
  const accounts = await accountsWith(config.current(), config.effectiveEnv());
  const live = accounts.length > 0 && isRunning ? await askForStatus(call) : undefined;
  return accounts.map(({ channel, accountId, state, why }): DoctorLine => {
    const who = `${channel} (${accountId})`;
    const isThis = (one: LiveAccount): boolean => one.accountId === accountId;
    if (state === "ready") return describeLive(who, live?.[channel]?.find(isThis));
    if (state === "off") return { state: "ok", says: `${who} is switched off` };
    if (!allChannels().some(({ id }) => id === channel)) return unknownChannel(channel);
    const fix = `chela channels add ${channel}${accountId === "default" ? "" : ` --account ${accountId}`}`;
    return { state: "fail", says: `${who} cannot be used: ${why}`, fix };
  });
}

/** What is set up may still be out of reach; without a gateway nobody knows. */
function describeLive(who: string, account: LiveAccount | undefined): DoctorLine {
  if (!account) return { state: "ok", says: `${who} is set up` };
  if (account.connected) return { state: "ok", says: `${who} is connected` };
  const why = account.lastError ? `: ${cleanForTerminal(account.lastError)}` : " yet";
  return { state: "warn", says: `${who} is not connected${why}`, fix: "chela channels status" };
}

type LiveAccount = MethodAnswer<"channels.status">["channelAccounts"][string][number];

/** Whether the gateway answers at all is another check. */
async function askForStatus(
  call: DoctorCall["call"],
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
function unknownChannel(channel: string): DoctorLine {
  const near = nearestWord(
    channel,
    allChannels().map(({ id }) => id),
  );
  return {
    state: "warn",
    says: `channels.${channel} has no effect: Chela has no such channel${near ? `; did you mean ${near}?` : ""}`,
    fix: `\`chela channels list\` shows which there are, \`chela config unset channels.${channel}\` takes it out`,
  };
}
