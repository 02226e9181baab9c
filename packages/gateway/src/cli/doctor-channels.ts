// Whether channels that are configured have all they need. Only their settings are read; nothing is connected.
import type { Check, Place } from "./doctor-check.ts";
import { listAccountsHere } from "./channels-here.ts";

export async function checkChannels({ config }: Place): Promise<Check[]> {
  const accounts = await listAccountsHere(config.current(), config.effectiveEnv());
  return accounts.map(({ channel, accountId, state, why }): Check => {
    const row = { name: "Channel", says: `${channel} (${accountId})` };
    if (state === "ready") return { ...row, state: "ok" };
    if (state === "off") return { ...row, state: "ok", says: `${row.says} is switched off` };
    const fix = `chela channels add ${channel}${accountId === "default" ? "" : ` --account ${accountId}`}`;
    return { ...row, state: "fail", says: `${row.says} cannot be used: ${why}`, fix };
  });
}
