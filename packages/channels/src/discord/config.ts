// Reads an account's settings for the connection.
import { createHash } from "node:crypto";
import { type Configured } from "@chela/sdk";
import { readSettings, type SettingsOf, type WrittenOf } from "@chela/sdk/config";
import { discordSection } from "./section.ts";

export interface DiscordAccount {
  readonly token: string;
  /** Where Discord's API is; another one only for tests and proxies. */
  readonly apiRoot?: string;
  /** Of the application: with it, interactions may come by HTTP. */
  readonly publicKey?: string;
  readonly wantsMembers: boolean;
  readonly wantsPresence: boolean;
  readonly isEphemeral: boolean;
  readonly mediaMaxBytes: number;
  readonly presence?: Presence;
}

export interface Presence {
  readonly status: "online" | "dnd" | "idle" | "invisible";
  readonly activity?: { readonly name: string; readonly type: number; readonly url?: string };
}

const STREAMING_ACTIVITY = 1;

type Settings = SettingsOf<typeof discordSection>;
type Written = WrittenOf<typeof discordSection>;

export function configure(settings: unknown, env: (name: string) => string | undefined): Configured<DiscordAccount> {
  const read = readSettings(discordSection, settings);
  if (read.kind === "unusable") {
    return unusable(read.where || "the account");
  }
  const { settings: account, written } = read;
  const token = readToken(written.token ?? env("DISCORD_BOT_TOKEN"));
  if (token === "") {
    const why = "A bot token is missing: set channels.discord.token, or DISCORD_BOT_TOKEN in the environment.";
    return { kind: "incomplete", why };
  }
  if (/\s/.test(token)) return { kind: "incomplete", why: "The bot token has a space or a line break in it." };
  const { apiRoot, publicKey, intents, slashCommand, mediaMaxMb } = account;
  if (apiRoot !== undefined && !/^https?:$/.test(URL.parse(apiRoot)?.protocol ?? "")) return unusable("apiRoot");
  if (publicKey !== undefined && !/^[0-9a-f]{64}$/i.test(publicKey)) return unusable("publicKey");
  const presence = readPresence(account, written);
  return {
    kind: "configured",
    account: {
      token,
      ...(apiRoot ? { apiRoot: apiRoot.replace(/\/+$/, "") } : {}),
      ...(publicKey ? { publicKey: publicKey.toLowerCase() } : {}),
      wantsMembers: intents.guildMembers,
      wantsPresence: intents.presence,
      isEphemeral: slashCommand.ephemeral,
      mediaMaxBytes: mediaMaxMb * 1024 * 1024,
      ...(presence ? { presence } : {}),
    },
    about: { tokenSource: written.token === undefined ? "env" : "config" },
  };
}

const unusable = (where: string): Configured<DiscordAccount> => ({
  kind: "incomplete",
  why: `These settings of Discord cannot be used: ${where}.`,
});

/** People copy it with the word in front that HTTP wants. */
function readToken(written: string | undefined): string {
  return (written ?? "").trim().replace(/^Bot\s+/i, "");
}

/** Unless somebody wrote of it, Discord is told nothing. */
function readPresence({ activityType, status }: Settings, written: Written): Presence | undefined {
  const { activity, activityUrl } = written;
  if (activity === undefined && written.status === undefined) return undefined;
  const isStream = activityType === STREAMING_ACTIVITY && activityUrl !== undefined;
  return {
    status,
    ...(activity
      ? {
          activity: {
            name: activity,
            type: activityType,
            ...(isStream ? { url: activityUrl } : {}),
          },
        }
      : {}),
  };
}

/** Says which token it is without saying the token. */
export function nameToken(token: string): string {
  return createHash("sha256").update(token).digest("hex").slice(0, 16);
}
