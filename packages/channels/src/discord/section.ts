// The config section `channels.discord`: what may be written there, and what each key is for.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, choice, idList, item, key, mapOf, secret, text } from "@chela/sdk/config";
import {
  allowHere,
  answerShape,
  API_ROOT,
  channelBlock,
  directShape,
  dm,
  groupShape,
  listenShape,
} from "@chela/sdk/config";
import { mediaMaxMb, namedShape, nativeCommands, OWN_MENU, placeShape, streamMode, usersHere } from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(2000),
  ...directShape(idList()),
  ...groupShape(),
  ...answerShape(),
  streamMode: streamMode(),
  commands: nativeCommands(OWN_MENU),
  apiRoot: key(text(), API_ROOT),
  publicKey: key(
    text(),
    "The application's public key: with it, slash commands and buttons may also come by HTTP. A key of ours.",
  ),
  token: key(secret(), "The bot's token; else DISCORD_BOT_TOKEN."),
  mediaMaxMb: mediaMaxMb(8),
  dm: dm(),
  guilds: mapOf(item(guildShape)),
  slashCommand: block(() => ({
    ephemeral: key(bool(), "Whether only whoever gave a slash command sees that it is being answered.", {
      preset: true,
    }),
  })),
  intents: block(() => ({
    presence: key(bool(), "Whether Discord tells who is online. Must be allowed in the developer portal.", {
      preset: false,
    }),
    guildMembers: key(bool(), "Whether Discord tells who joins and leaves. Must be allowed in the developer portal.", {
      preset: false,
    }),
  })),
  activity: key(text(), "What stands below the bot's name."),
  status: key(choice("online", "dnd", "idle", "invisible"), "How the bot is shown.", { preset: "online" }),
  activityType: key(
    z.union(([0, 1, 2, 3, 4, 5] as const).map((type) => z.literal(type))).optional(),
    "What kind of activity it is: 0 playing, 1 streaming, 2 listening, 3 watching, 4 as written, 5 competing.",
    { preset: 4 },
  ),
  activityUrl: key(text(), "Address of the stream, for activity type 1."),
});

const peopleShape = () => ({
  users: usersHere(),
  roles: key(idList(), "People with one of these roles may speak here, too."),
});

const guildShape = () => ({
  ...placeShape(),
  ...peopleShape(),
  channels: mapOf(item(() => ({ ...placeShape(), ...peopleShape(), ...listenShape(), allow: allowHere() }))),
});

export const discordSection = once(() => channelBlock(accountShape));
