// Resolves the account and channel of a command from --channel and --account.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";

export interface WrittenAccount {
  readonly channel?: string;
  readonly accountId?: string;
}

export function accountParams({ flags }: CommandCall): WrittenAccount {
  const [channel, accountId] = [flags.text("channel"), flags.text("account")];
  return { ...(channel ? { channel } : {}), ...(accountId ? { accountId } : {}) };
}

export function requireChannel(call: CommandCall): WrittenAccount & { readonly channel: string } {
  const { channel, ...rest } = accountParams(call);
  if (!channel) throw usageFailure(`Say which channel: chela ${call.path.join(" ")} --channel <channel>.`);
  return { channel, ...rest };
}
