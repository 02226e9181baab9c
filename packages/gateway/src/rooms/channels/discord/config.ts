// What the connection needs of an account's settings.
import { createHash } from "node:crypto";
import * as z from "zod";
import { once, type Configured } from "@chela/sdk";

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

const DEFAULT_MEDIA_MB = 8;
/** Text of one's own choice instead of "Playing …". */
const CUSTOM_ACTIVITY = 4;
const STREAMING_ACTIVITY = 1;

const Settings = once(() =>
  z.object({
    token: z.string().optional(),
    apiRoot: z.url({ protocol: /^https?$/ }).optional(),
    publicKey: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional(),
    intents: z.object({ presence: z.boolean().optional(), guildMembers: z.boolean().optional() }).optional(),
    slashCommand: z.object({ ephemeral: z.boolean().optional() }).optional(),
    mediaMaxMb: z.number().positive().optional(),
    activity: z.string().optional(),
    activityType: z.number().int().min(0).max(5).optional(),
    activityUrl: z.string().optional(),
    status: z.enum(["online", "dnd", "idle", "invisible"]).optional(),
  }),
);
type Settings = z.output<ReturnType<typeof Settings>>;

export function configure(settings: unknown, env: (name: string) => string | undefined): Configured<DiscordAccount> {
  const read = Settings().safeParse(settings);
  if (!read.success) {
    const where = read.error.issues.map((issue) => issue.path.join(".") || "the account").join(", ");
    return { kind: "incomplete", why: `These settings of Discord cannot be used: ${where}.` };
  }
  const token = readToken(read.data.token ?? env("DISCORD_BOT_TOKEN"));
  if (token === "") {
    const why = "A bot token is missing: set channels.discord.token, or DISCORD_BOT_TOKEN in the environment.";
    return { kind: "incomplete", why };
  }
  if (/\s/.test(token)) return { kind: "incomplete", why: "The bot token has a space or a line break in it." };
  const { apiRoot, publicKey, intents, slashCommand, mediaMaxMb } = read.data;
  const presence = readPresence(read.data);
  return {
    kind: "configured",
    account: {
      token,
      ...(apiRoot ? { apiRoot: apiRoot.replace(/\/+$/, "") } : {}),
      ...(publicKey ? { publicKey: publicKey.toLowerCase() } : {}),
      wantsMembers: intents?.guildMembers ?? false,
      wantsPresence: intents?.presence ?? false,
      isEphemeral: slashCommand?.ephemeral ?? true,
      mediaMaxBytes: (mediaMaxMb ?? DEFAULT_MEDIA_MB) * 1024 * 1024,
      ...(presence ? { presence } : {}),
    },
    about: { tokenSource: read.data.token === undefined ? "env" : "config" },
  };
}

/** People copy it with the word in front that HTTP wants. */
function readToken(written: string | undefined): string {
  return (written ?? "").trim().replace(/^Bot\s+/i, "");
}

function readPresence({ activity, activityType, activityUrl, status }: Settings): Presence | undefined {
  if (activity === undefined && status === undefined) return undefined;
  const isStream = activityType === STREAMING_ACTIVITY && activityUrl !== undefined;
  return {
    status: status ?? "online",
    ...(activity
      ? {
          activity: {
            name: activity,
            type: activityType ?? CUSTOM_ACTIVITY,
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
