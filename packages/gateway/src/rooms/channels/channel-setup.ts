// Setup of a channel: what a form has to ask for, and whether what was filled in is enough.
import type { SetupGuide } from "@chela/sdk";
import { accountSettings, allChannels, type ChannelsView } from "./room.ts";
import type { ChannelServices } from "./choose-account.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Every channel there is, in the order of the table. */
export function listSetups() {
  return Promise.all(
    allChannels().map(async (entry) => {
      const { id, label, package: from } = entry;
      const installed = entry.isInstalled();
      const { steps, fields } = (installed ? (await entry.load()).setup : undefined) ?? NO_GUIDE;
      return {
        id,
        label,
        ...(from ? { package: from } : {}),
        installed,
        steps: [...steps],
        fields: fields.map(({ isList = false, isSecret = false, isRequired = false, ...field }) => ({
          ...field,
          list: isList,
          secret: isSecret,
          required: isRequired,
        })),
      };
    }),
  );
}

const NO_GUIDE: SetupGuide = { steps: [], fields: [] };

/** What is in the configuration already counts as filled in. Throws CHANNEL_UNKNOWN, CHANNEL_PACKAGE. */
export async function checkSetup(
  { channels }: ChannelServices,
  config: ChannelsView,
  { channel, accountId, settings }: { channel: string; accountId: string; settings: Settings },
) {
  const known = accountSettings(config, channel, accountId) ?? {};
  const answer = await channels.examine({ channel, account: accountId }, withChanges(known, settings));
  const { login } = await channels.channel(channel);
  return {
    ready: answer.kind === "configured",
    ...(answer.kind === "incomplete" ? { why: answer.why } : {}),
    isLinkedByPerson: login !== undefined,
  };
}

/** Blocks are changed key by key, as a patch of the configuration would. */
function withChanges(known: Settings, changes: Settings): Settings {
  const changed = Object.entries(changes).map(([key, value]) => {
    const before = Object.hasOwn(known, key) ? known[key] : undefined;
    return [key, isBlock(before) && isBlock(value) ? withChanges(before, value) : value] as const;
  });
  return { ...known, ...Object.fromEntries(changed) };
}

function isBlock(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
