// Body of an admitted message besides its address: parsed when it comes in, and again when a restart reads it.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import {
  once,
  PERSON_ROLES,
  STANDINGS,
  ERRAND_KINDS,
  type KnownPerson,
  type Parsed,
  type Requester,
  type Standing,
} from "@chela/sdk";

/** The channel of the gateway's own chores, and of what one agent says to another. */
export const CHORES = "internal";
const OWN_WORK: ReadonlySet<string> = new Set<string>([CHORES, ...ERRAND_KINDS]);

/** What nobody sent: there is no sender to be answered, no queue of theirs, and nothing of it is a command. */
export function isOwnWork(channel: string): boolean {
  return OWN_WORK.has(channel);
}

/** What its door found out about the sender. */
const Sender = () =>
  z.object({
    kind: z.enum(["operator", "sender"]),
    id: z.string(),
    name: z.string().optional(),
    isOwner: z.boolean(),
    isAuthorised: z.boolean(),
    canApprove: z.boolean(),
    /** What they are to this gateway; messages of earlier versions do not say. */
    standing: z.enum(STANDINGS).optional(),
    /** Who that is, where somebody wrote it down. */
    person: z.object({ id: z.string(), role: z.enum(PERSON_ROLES) }).optional(),
  });

const Job = () => z.object({ id: z.string(), name: z.string() });

/** Work the gateway gives itself; it waits in the lane like any message. */
const Chore = () =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("memory-flush"), systemPrompt: z.string() }),
    z.object({ kind: z.literal("compaction"), instructions: z.string().optional() }),
    /** A text is put into the conversation as the agent's own, without a model. */
    z.object({
      kind: z.literal("say"),
      /** The job whose result it is. */
      job: Job().optional(),
    }),
  ]);

const Media = () =>
  z.object({
    kind: z.enum(["image", "audio", "voice", "video", "file", "sticker"]),
    /** How its channel finds it; of a kept one, its id in the media store. */
    ref: z.string(),
    /** Came through our own door with its content, which was kept before the message was accepted. */
    isKept: z.literal(true).optional(),
    mimeType: z.string().optional(),
    name: z.string().optional(),
    bytes: z.number().optional(),
  });

const Target = () => z.object({ to: z.string(), threadId: z.string().optional() });

/** What the operator set for the group the message was written in; nothing of it was chosen by strangers. */
const Group = () =>
  z.object({
    systemPrompt: z.string().optional(),
    /** The only skills agents have there. */
    skills: z.array(z.string()).optional(),
    tools: z.record(z.string(), z.unknown()).optional(),
    toolsBySender: z.record(z.string(), z.unknown()).optional(),
  });

/** Where in a channel it was written. Titles, names and quoted texts are the words of strangers. */
const Origin = () =>
  z.object({
    chat: z.object({
      kind: z.enum(["direct", "group", "channel"]),
      id: z.string(),
      threadId: z.string().optional(),
      parentId: z.string().optional(),
      guildId: z.string().optional(),
      teamId: z.string().optional(),
      title: z.string().optional(),
    }),
    target: Target(),
    /** The platform's id of the message. */
    messageId: z.string().optional(),
    at: z.number(),
    username: z.string().optional(),
    wasMentioned: z.boolean(),
    repliedTo: z.object({ id: z.string(), sender: z.string().optional(), body: z.string().optional() }).optional(),
    forwardedFrom: z.string().optional(),
    albumId: z.string().optional(),
    group: Group().optional(),
  });

/** A chat the answer goes to besides whoever asked. */
const DeliverTo = () =>
  z.object({ channel: z.string(), account: z.string(), to: z.string(), threadId: z.string().optional() });

/** On which terms an errand is carried out. Nothing of it gives more than its agent has. */
const ErrandTerms = () =>
  z.object({
    model: z.string().optional(),
    fallbacks: z.array(z.string()).optional(),
    tools: z.object({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
    /** How much of the workspace its prompt has; as much as its conversation usually has when absent. */
    context: z.enum(["full", "minimal", "light"]).optional(),
    /** What was said in its conversation before is not told. */
    forgetsEarlier: z.boolean().optional(),
    /** The conversation begins anew. */
    isFresh: z.boolean().optional(),
    /** Said to the errand's running turn, if there is one. */
    isSaidMeanwhile: z.boolean().optional(),
  });
export type ErrandTerms = z.infer<ReturnType<typeof ErrandTerms>>;

export const MessageBody = once(() =>
  z.object({
    /** What the sender wrote. */
    text: z.string(),
    /** Somebody else's words, which the sender only passed on or pressed: nothing of them is a command. */
    isPassedOn: z.literal(true).optional(),
    /** A skill the sender named, and what they wrote behind it. */
    skill: z.object({ name: z.string(), input: z.string() }).optional(),
    /** What the model is asked instead, in the gateway's own words: nobody is shown them as the sender's. */
    instruction: z.string().optional(),
    /** Attached by the sender; what is not kept has to be fetched. */
    media: z.array(Media()).optional(),
    origin: Origin().optional(),
    deliverTo: DeliverTo().optional(),
    /** The client that sent it, for the session's origin and the home session's channel. */
    client: z
      .object({ id: z.string(), mode: z.string(), name: z.string().optional(), deviceId: z.string().optional() })
      .optional(),
    sender: Sender().optional(),
    /** What of the text was recognised as meant for the gateway. */
    recognised: z.record(z.string(), z.unknown()).optional(),
    chore: Chore().optional(),
    errand: ErrandTerms().optional(),
    matchedBy: z.string().optional(),
    /** When it came, and when it was decided that its sender may speak. */
    times: z.object({ receivedAt: z.number(), decidedAt: z.number() }).optional(),
    thinking: z.string().optional(),
    /** The level stays with the session. */
    keepsThinking: z.boolean().optional(),
    /** How long each answer of the model to this message may be. */
    maxTokens: z.int().positive().optional(),
    /** Answers this message alone. */
    model: z.string().optional(),
    /** The id a new session gets. */
    sessionId: z.string().optional(),
    timeoutMs: z.int().optional(),
    extraSystemPrompt: z.string().optional(),
    provenance: z.record(z.string(), z.unknown()).optional(),
    /** The job that asks this. */
    job: Job().optional(),
    label: z.string().optional(),
    spawnedBy: z.string().optional(),
  }),
);
export type MessageBody = Parsed<typeof MessageBody>;
export type MessageOrigin = NonNullable<MessageBody["origin"]>;

/** Whose doing a run is, in the words of the audit trail: ids that never change, and names of nobody. */
export function actorOf(
  { channel, account }: { readonly channel: string; readonly account: string },
  { sender, client }: Pick<MessageBody, "sender" | "client">,
): string {
  if (sender?.kind === "operator" && client?.deviceId) return `device:${client.deviceId}`;
  const id = sender?.id ?? "";
  if (!isOwnWork(channel)) return `${channel}:${account}:${id}`;
  if (id === "") return "gateway";
  // Most errands are named after what they come from: "cron:<job>".
  return id.includes(":") ? id : `${channel}:${id}`;
}

/** Whoever is not known is nobody: no rights come from silence. */
export function requesterOf(
  message: { readonly channel: string; readonly account: string },
  { sender }: Pick<MessageBody, "sender">,
): Requester & { kind: "operator" | "sender"; isAuthorised: boolean; canApprove: boolean } {
  const { channel, account } = message;
  const nobody = { kind: "sender" as const, id: "", isOwner: false, isAuthorised: false, canApprove: false };
  const { name, person, standing, ...known } = sender ?? {
    ...nobody,
    name: undefined,
    person: undefined,
    standing: undefined,
  };
  return {
    channel,
    account,
    ...known,
    standing: standing ?? standingOf({ ...known, ...(person ? { person } : {}) }),
    ...defined({ name }),
    ...(person ? { person } : {}),
  };
}

interface Judged {
  readonly kind: "operator" | "sender";
  readonly isOwner: boolean;
  readonly isAuthorised: boolean;
  readonly person?: KnownPerson;
}

/** What follows from what a door found out. `isKnown`: by id or approval, and not because everybody may speak. */
export function standingOf({ kind, isOwner, isAuthorised, person }: Judged, isKnown = isAuthorised): Standing {
  if (isOwner) return "owner";
  if (kind === "operator") return "operator";
  if (person) return person.role === "guest" ? "guest" : "member";
  return isKnown ? "approved" : "stranger";
}
