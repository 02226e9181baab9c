// Accounts as the configuration has them, and whether they have all they need. Their settings are read, and nothing is connected.
import { GatewayError } from "@chela/sdk";
import { accountsOf, configuredChannels, DEFAULT_ACCOUNT, type ChannelsView } from "./accounts.ts";
import { entryOf } from "./channels.ts";

export interface AccountState {
  readonly channel: string;
  readonly label: string;
  readonly accountId: string;
  readonly state: "ready" | "off" | "incomplete";
  /** What is missing. */
  readonly why?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** What is kept in the environment belongs to the default account. */
export function envFor(account: string, env: Env): (name: string) => string | undefined {
  return (name) => (account === DEFAULT_ACCOUNT ? env[name] : undefined);
}

export async function accountsWith(config: ChannelsView, env: Env): Promise<AccountState[]> {
  const accounts = configuredChannels(config).flatMap((channel) => accountsOf(config, channel));
  return Promise.all(
    accounts.map(async ({ channel, account: accountId, isEnabled, settings }): Promise<AccountState> => {
      try {
        const entry = entryOf(channel);
        const row = { channel, label: entry.label, accountId };
        if (!isEnabled) return { ...row, state: "off" };
        const configured = (await entry.load()).configure(settings, envFor(accountId, env));
        if (configured.kind === "configured") return { ...row, state: "ready" };
        return { ...row, state: "incomplete", why: configured.why };
      } catch (error) {
        if (!GatewayError.is(error)) throw error;
        return { channel, label: channel, accountId, state: "incomplete", why: error.explain() };
      }
    }),
  );
}
