// The config section `channels.matrix`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { block, bool, choice, idList, item, key, mapOf, secret, text, texts } from "@chela/sdk/config";
import {
  accessShape,
  allowHere,
  answerShape,
  channelBlock,
  dmShape,
  fullPlaceShape,
  markdownOrTables,
} from "@chela/sdk/config";
import { mediaMaxMb, namedShape, reactionNotifications, REAL_TABLES, usersHere } from "@chela/sdk/config";

const rooms = once(() =>
  mapOf(
    item(() => ({
      ...fullPlaceShape(),
      allow: allowHere(),
      autoReply: key(bool(), "The older way to write requireMention: false."),
      users: usersHere(),
    })),
  ),
);

const accountShape = () => ({
  ...namedShape(16_000),
  ...accessShape(idList()),
  ...answerShape(),
  markdown: markdownOrTables(REAL_TABLES),
  homeserver: key(text(), "Address of the homeserver, as clients use it; else MATRIX_HOMESERVER."),
  userId: key(text(), "The full id, such as @agent:example.org; else MATRIX_USER_ID. Needed with a password."),
  accessToken: key(secret(), "A token to log in with; else MATRIX_ACCESS_TOKEN."),
  password: key(secret(), "A password to log in with once; else MATRIX_PASSWORD."),
  deviceName: key(text(), "How the gateway is called in lists of devices; else MATRIX_DEVICE_NAME.", {
    preset: "Chela",
  }),
  encryption: key(bool(), "Whether encrypted rooms are read and written.", { preset: false }),
  allowlistOnly: key(bool(), "Whether policies that let everybody in are read as allow-lists."),
  threadReplies: key(
    choice("off", "inbound", "always"),
    "Whether answers are written in threads: in those that exist (inbound), always, or never.",
    { preset: "inbound", guards: false },
  ),
  mediaMaxMb: mediaMaxMb(20),
  reactionNotifications: reactionNotifications(),
  autoJoin: key(
    choice("off", "allowlist", "always"),
    "Whether invitations are followed: none, those in autoJoinAllowlist, or all.",
    { preset: "off" },
  ),
  autoJoinAllowlist: key(texts(), "People whose invitations are followed, and rooms that are entered when invited."),
  dm: block(() => dmShape((of) => `The same as ${of}, and comes before it.`)),
  groups: rooms(),
  rooms: rooms(),
});

export const matrixSection = once(() => channelBlock(accountShape));
