// The parts of signal-cli's JSON that we read. Whatever else it says is dropped at the border.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

const Text = () => z.string().nullish();
const Time = () => z.int().positive();

const Attachment = once(() =>
  z.object({
    id: Text(),
    contentType: Text(),
    filename: Text(),
    size: z.number().nullish().catch(undefined),
  }),
);
export type Attachment = Parsed<typeof Attachment>;

const Mention = once(() =>
  z.object({ start: z.int().min(0), length: z.int().min(0), number: Text(), uuid: Text(), name: Text() }),
);
export type Mention = Parsed<typeof Mention>;

const Quote = once(() =>
  z.object({
    id: Time(),
    authorNumber: Text(),
    authorUuid: Text(),
    text: Text(),
    mentions: z.array(Mention()).nullish(),
  }),
);
export type Quote = Parsed<typeof Quote>;

const Reaction = once(() =>
  z.object({
    emoji: z.string(),
    targetAuthorNumber: Text(),
    targetAuthorUuid: Text(),
    targetSentTimestamp: Time(),
    isRemove: z.boolean().nullish(),
  }),
);

// What says where a message belongs is never skipped over: a group that cannot be read is not a direct chat.
const DataMessage = once(() =>
  z.object({
    timestamp: Time(),
    message: Text(),
    groupInfo: z.object({ groupId: z.string().min(1), groupName: Text().catch(undefined) }).nullish(),
    groupV2: z.object({ id: z.string().min(1) }).nullish(),
    attachments: z.array(Attachment()).nullish(),
    sticker: z.object({ packId: z.string(), stickerId: z.int() }).nullish().catch(undefined),
    mentions: z.array(Mention()).nullish().catch(undefined),
    quote: Quote().nullish().catch(undefined),
    reaction: Reaction().nullish(),
    remoteDelete: z.object({ timestamp: Time() }).nullish(),
    pollCreate: z
      .object({ question: z.string(), options: z.array(z.string()) })
      .nullish()
      .catch(undefined),
    contacts: z.array(z.unknown()).nullish().catch(undefined),
  }),
);
export type DataMessage = Parsed<typeof DataMessage>;

const Envelope = once(() =>
  z.object({
    sourceNumber: Text(),
    sourceUuid: Text(),
    sourceName: Text().catch(undefined),
    dataMessage: DataMessage().nullish(),
    editMessage: z.object({ targetSentTimestamp: Time(), dataMessage: DataMessage() }).nullish(),
    syncMessage: z.unknown().optional(),
  }),
);
export type Envelope = Parsed<typeof Envelope>;

export const Frame = once(() => z.object({ account: Text(), envelope: Envelope() }));

export const SendResult = once(() =>
  z.object({
    timestamp: z.int().nullish(),
    results: z
      .array(z.object({ type: z.string(), retryAfterSeconds: z.number().nullish().catch(undefined) }))
      .nullish()
      .catch(undefined),
  }),
);

export const Accounts = once(() => z.array(z.object({ number: z.string() })));
export const UserStatus = once(() => z.array(z.object({ number: Text(), recipient: Text(), uuid: Text() })));
export const AttachmentData = once(() => z.object({ data: z.string() }));
export const LinkUri = once(() => z.object({ deviceLinkUri: z.string() }));
export const Linked = once(() => z.object({ number: z.string().nullish() }));

const Member = once(() => z.union([z.string(), z.object({ number: Text(), uuid: Text() })]));
export const Groups = once(() =>
  z.array(
    z.object({
      id: z.string(),
      name: Text(),
      isMember: z.boolean().catch(true),
      members: z.array(Member()).catch([]),
    }),
  ),
);
export const Contacts = once(() =>
  z.array(
    z.object({
      number: Text(),
      uuid: Text(),
      name: Text(),
      username: Text(),
      profile: z.object({ givenName: Text(), familyName: Text() }).nullish().catch(undefined),
    }),
  ),
);
export type Contact = Parsed<typeof Contacts>[number];
