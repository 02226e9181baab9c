// Config keys that channels share: who may speak, how texts are cut and streamed, what groups may do.
import * as z from "zod";
import { once } from "../schema.ts";
import {
  block,
  bool,
  boolOrAuto,
  choice,
  count,
  harmless,
  idList,
  inherits,
  item,
  key,
  keyed,
  mapOf,
  positive,
  text,
  texts,
  type Fillable,
  type Filled,
  type Keys,
  type WrittenKeys,
} from "./keys.ts";
import { coalesce, toolPolicy, toolPolicyItem } from "./shared-keys.ts";

const dmPolicies = once(() => choice("pairing", "allowlist", "open", "disabled"));
export const groupPolicies = once(() => choice("open", "disabled", "allowlist"));
/** Size limits of some channels are whole megabytes, those of others are not. */
export const wholeMegabytes = positive;
export const megabytes = once(() => z.number().positive().optional());

/** Every channel: on or off, how long texts are cut, how they are sent. */
export const baseShape = (textLimit: number) => ({
  enabled: key(bool(), "Whether it is connected.", { preset: true }),
  textChunkLimit: key(positive(), "Longest message; the platform's own limit still holds.", {
    preset: textLimit,
    guards: false,
  }),
  chunkMode: key(
    choice("length", "newline"),
    "Where long answers are cut: as late as possible (length), or at empty lines and only then by length (newline).",
    { preset: "length", guards: false },
  ),
  blockStreaming: key(bool(), "Whether finished paragraphs are sent before the whole answer is there.", {
    guards: false,
  }),
  blockStreamingCoalesce: harmless(
    coalesce({
      minChars: "How much text such a message has at least, unless no more comes for a while.",
      maxChars: "How much it has at most.",
      idleMs: "After how long without more text it is sent as it is; 5 seconds at most.",
    }),
  ),
  responsePrefix: key(text(), "What stands before answers of this account, instead of messages.responsePrefix.", {
    guards: false,
  }),
  heartbeat: harmless(
    block(() => ({
      showAlerts: key(bool(), "Whether what heartbeats have to say is sent here."),
      useIndicator: key(bool(), "Whether displays may show a sign of a heartbeat that writes here."),
    })),
  ),
});

/** Most channels: a name per account. */
export const namedShape = (textLimit: number) => ({ ...baseShape(textLimit), name: accountName() });
export const accountName = () => key(text(), "A name for people, shown in lists of accounts.", { guards: false });

/** Direct messages, guarded by a list of ids; on some platforms these are always texts. */
export const directShape = <Ids extends z.ZodType>(ids: Ids) => ({
  dmPolicy: key(
    dmPolicies(),
    "Who may write directly: whoever was approved with a code (pairing), those in allowFrom (allowlist), everybody (open, which also needs * in allowFrom), or nobody.",
    { preset: "pairing" },
  ),
  allowFrom: key(
    ids,
    "People who may write directly, by ids that cannot change hands. A name is looked up once and means that person ever after.",
  ),
});

/** Places where several people talk. */
export const groupShape = () => ({
  groupPolicy: key(
    groupPolicies(),
    "In which groups it listens: in those that are listed, to people who are listed (allowlist), in all (open), or in none.",
    { preset: "allowlist" },
  ),
  historyLimit: key(
    count(),
    "How much of what was said in a group, but not to the agent, it is told; instead of messages.groupChat.",
    { guards: false },
  ),
});

/** Direct messages and groups, each with a list of people. */
export const accessShape = <Ids extends z.ZodType>(ids: Ids) => ({
  ...directShape(ids),
  ...groupShape(),
  groupAllowFrom: key(
    ids,
    "People who may speak in groups. Without it allowFrom; who was approved with a code does not count.",
  ),
});

const policyOfDirect = (says: string) => key(dmPolicies(), says);

/** `dm`: another way to write what is said of direct messages. */
export const dmShape = (instead: (of: "dmPolicy" | "allowFrom") => string) => ({
  enabled: key(bool(), "Whether direct messages are taken at all."),
  policy: policyOfDirect(instead("dmPolicy")),
  allowFrom: key(idList(), instead("allowFrom")),
});

/** The same, with direct chats of several people. */
export const dm = () =>
  block(() => ({
    ...dmShape((of) => `The older way to write ${of}.`),
    groupEnabled: key(bool(), "Whether it takes part in direct chats of several people.", { preset: false }),
    groupChannels: key(idList(), "The ids of those chats; others are passed over."),
  }));

/** What may be said of a place where several people talk. */
export const placeShape = () => ({
  requireMention: requireMention(),
  tools: toolPolicy({
    allow: "Only these tools here.",
    alsoAllow: "Further tools beside those.",
    deny: "Never these tools here.",
  }),
  toolsBySender: mapOf(
    toolPolicyItem({
      allow:
        "Only these tools for one person (id:…, e164:… or username:…), instead of what holds for all here. A name only narrows.",
      alsoAllow: "Further tools for this person.",
      deny: "Never these tools for this person.",
    }),
  ),
});
export const fullPlaceShape = () => ({ ...placeShape(), ...listenShape(), allowFrom: speakersHere() });

export const requireMention = () =>
  key(bool(), "Whether it answers here only when it is mentioned or answered. What else is said is kept as context.", {
    preset: true,
  });
/** Whether it listens in a place, and what it is told about it. */
export const listenShape = () => ({
  enabled: key(bool(), "Whether it listens here."),
  systemPrompt: key(text(), "What agents are told about this place."),
  skills: key(texts(), "The only skills agents have in this place; all they have when absent."),
});
export const speakersHere = () => key(idList(), "Only these people may speak here.");
export const usersHere = () =>
  key(idList(), "Only these people may speak here; without it, and without roles, everybody.");
export const allowHere = () => key(bool(), "The older way to write enabled.");

/** Groups that only say whether the bot must be mentioned, and which tools it has there. */
export const simpleGroups = once(() => mapOf(item(placeShape)));
export const fullGroups = once(() => mapOf(item(fullPlaceShape)));

/** What becomes of tables. Without a preset it is told what holds. */
export const markdown = (preset: "code" | "bullets") =>
  harmless(block(() => ({ tables: key(tableModes(), TABLES, { preset }) })));
/** The same where the platform can show a table, or the channel decides. */
export const markdownOrTables = (otherwise = "") =>
  harmless(block(() => ({ tables: key(tableModes(), `${TABLES}${otherwise}`) })));
const tableModes = once(() => choice("off", "bullets", "code"));
const TABLES = "What becomes of tables: code, lists (bullets), or left as they are (off).";
export const REAL_TABLES = " Unless it is written, real tables.";

export const nativeCommands = (says: string) => block(() => ({ native: key(boolOrAuto(), says) }));
export const OWN_MENU =
  "Whether the gateway's commands are offered in the platform's own menu, instead of commands.native for all.";

/** How answers are shown and quoted. */
export const answerShape = () => ({
  streaming: streaming(" (off)."),
  replyToMode: key(
    choice("off", "first", "all"),
    "Whether answers quote the message they answer: never (off), with their first part, or with all parts.",
    { preset: "off", guards: false },
  ),
  ackReaction: key(text(), 'The reaction a message gets as soon as it is taken; "" for none.', { guards: false }),
});
export const streaming = (end: string) =>
  key(
    z.union([z.boolean(), z.enum(["off", "partial", "block", "progress"])]).optional(),
    `Whether an answer is shown while it is written: as one message that grows (partial, progress, true), in finished blocks (block), or not${end}`,
    { preset: "off", guards: false },
  );
export const streamMode = () =>
  key(choice("partial", "block", "off"), "The older way to write streaming.", { guards: false });

const REACTIONS =
  "Which reactions agents are told of: none, those to their own messages, all, or those of people who are named in a list.";
export const reactionNotifications = () => key(choice("off", "own", "all", "allowlist"), REACTIONS, { preset: "own" });
export const ownReactions = () => key(choice("off", "own", "all"), REACTIONS, { preset: "own" });

export const mediaMaxMb = (preset: number, size = megabytes(), more = "") =>
  key(size, `Largest file that is taken in, in megabytes.${more}`, { preset });
export const sendReadReceipts = (preset: boolean) =>
  key(bool(), "Whether people see that a message was read. Only messages that were let in are marked.", {
    preset,
    guards: false,
  });
export const webhookPath = (preset: string) =>
  key(text(), "Where on the gateway's port the platform's requests arrive.", { preset });
export const API_ROOT = "Address of the platform's API, for tests and servers of your own.";
export const passwordFile = () => key(text(), "A file with that password.");

interface DirectAccess {
  readonly dmPolicy?: string | undefined;
  readonly policy?: string | undefined;
  readonly allowFrom?: ReadonlyArray<string | number> | undefined;
}

/** "open" must be said twice, so that nobody opens a bot to the world by one word; a list that lets nobody in is a mistake. */
function checkDirectAccess(value: unknown, context: z.core.$RefinementCtx): void {
  const access = value as DirectAccess;
  const policy = access.dmPolicy ?? access.policy;
  const listed = access.allowFrom ?? [];
  if (policy === "open" && !listed.some((id) => String(id).trim() === "*")) {
    context.addIssue({ code: "custom", path: ["allowFrom"], message: `must contain "*" when the policy is "open"` });
  }
  if (policy === "allowlist" && listed.length === 0) {
    context.addIssue({
      code: "custom",
      path: ["allowFrom"],
      message: `must name somebody when the policy is "allowlist"`,
    });
  }
}

/** What accounts keep on disk is kept under their names, and not every disk tells these apart. */
function checkAccountNames(value: unknown, context: z.core.$RefinementCtx): void {
  const { accounts = {} } = value as { readonly accounts?: Readonly<Record<string, unknown>> | undefined };
  const seen = new Map<string, string>();
  for (const name of Object.keys(accounts)) {
    const onDisk = name.toLowerCase().replace(/[^a-z0-9_.@+-]/g, "_");
    const other = seen.get(onDisk);
    seen.set(onDisk, name);
    if (other === undefined) continue;
    const message = `"${name}" and "${other}" would share what is kept for an account; give one of them another name`;
    context.addIssue({ code: "custom", path: ["accounts", name], message });
  }
}

/** What may be written below `channels.<id>`. Filled, it is the settings of one account. */
export type ChannelSection<Account extends Keys = Keys> = z.ZodType<WrittenKeys<Account> | undefined> &
  Fillable<Filled<Account>>;

/** A channel: what one account may say, said for all of them, and again for each. */
export function channelBlock<Account extends Keys, OfEach extends Keys = Record<never, never>>(
  account: () => Account,
  ofEach: () => OfEach = () => ({}) as OfEach,
): ChannelSection<Account & OfEach> {
  const built = z.lazy(() =>
    keyed({
      defaultAccount: key(text(), "The account that is meant when none is named."),
      ...account(),
      accounts: inherits(mapOf(item(() => ({ ...account(), ...ofEach() })))),
    })
      .superRefine(checkDirectAccess)
      .superRefine(checkAccountNames)
      .optional(),
  );
  return built as unknown as ChannelSection<Account & OfEach>;
}
