// `channels`: one block per channel. What stands in it says the channel's own section, which is built when a file has the block.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, groupPolicies, harmless, key, openBlock, part, section, type Key } from "@chela/sdk/config";
import { allChannels, type ChannelEntry } from "../../channels/index.ts";

export const channelsSection = section(
  "The messaging platforms the gateway is connected with.",
  { reload: { roomOfEach: "channel" } },
  () =>
    openBlock(
      () => ({
        // Each account looks whether the change concerns it.
        defaults: part(channelDefaults(), { reload: { room: "channels" } }),
        ...Object.fromEntries(allChannels().map((entry) => [entry.id, blockOf(entry)])),
      }),
      z.unknown(),
    ),
);

/** A channel whose package is not here is kept as it is written. */
const undescribed = once(() => z.record(z.string(), z.unknown()).optional());

function blockOf(entry: ChannelEntry): z.ZodType | Key {
  const schema = z.lazy(() => entry.section()?.() ?? undescribed());
  return entry.package === undefined || entry.isInstalled() ? schema : part(schema, { needs: entry.package });
}

const channelDefaults = () =>
  block(() => ({
    groupPolicy: key(groupPolicies(), "The policy for groups of channels that have none of their own.", {
      preset: "allowlist",
    }),
    heartbeat: harmless(
      block(() => ({
        showAlerts: key(bool(), "Whether what heartbeats have to say is sent to chats.", { preset: true }),
        useIndicator: key(bool(), "Whether displays may show a sign of a heartbeat.", { preset: true }),
      })),
    ),
  }));
