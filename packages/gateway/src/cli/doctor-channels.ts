// Whether channels that are configured have all they need. Only their settings are read; nothing is connected.
import { CHANNELS } from "../channels/room.ts";
import { nearestWord } from "../config/nearest.ts";
import type { Check, Place } from "./doctor-check.ts";
import { listAccountsHere } from "./channels-here.ts";

export async function checkChannels({ config }: Place): Promise<Check[]> {
  const accounts = await listAccountsHere(config.current(), config.effectiveEnv());
  return accounts.map(({ channel, accountId, state, why }): Check => {
    const row = { name: "Channel", says: `${channel} (${accountId})` };
    if (state === "ready") return { ...row, state: "ok" };
    if (state === "off") return { ...row, state: "ok", says: `${row.says} is switched off` };
    if (!CHANNELS.some(({ id }) => id === channel)) return unknownChannel(channel);
    const fix = `chela channels add ${channel}${accountId === "default" ? "" : ` --account ${accountId}`}`;
    return { ...row, state: "fail", says: `${row.says} cannot be used: ${why}`, fix };
  });
}

/** Set up in OpenClaw, or misspelt: nothing that can be added. */
function unknownChannel(channel: string): Check {
  const near = nearestWord(
    channel,
    CHANNELS.map(({ id }) => id),
  );
  return {
    name: "Channel",
    state: "warn",
    says: `channels.${channel} has no effect: Chela has no such channel${near ? `; did you mean ${near}?` : ""}`,
    fix: `\`chela channels list\` shows which there are, \`chela config unset channels.${channel}\` takes it out`,
  };
}
