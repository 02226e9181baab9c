// Makes the requester of a turn: who is behind it in the end. What the gateway does by itself is done for somebody.
import * as z from "zod";
import {
  conversationKind,
  lesserOf,
  once,
  PERSON_ROLES,
  type ErrandKind,
  type InboxMessage,
  type Ledger,
  type OwnWorkKind,
  type Requester,
  type Standing,
  STANDINGS,
} from "@chela/sdk";
import { CHORES, isOwnWork, MessageBody, requesterOf } from "../message-body.ts";

type Records = Pick<Ledger, "run" | "errand" | "errands" | "exchanges">;
type InitiatingMessage = Pick<InboxMessage, "runId" | "sessionKey" | "channel" | "account" | "body">;

/** Whose rights something is done with, and where that was asked for. */
interface Behind {
  readonly requester: Pick<Requester, "standing" | "person">;
  readonly sessionKey: string;
}

const Helper = once(() =>
  z.object({
    parent: z.object({ runId: z.string() }),
    requester: z
      .object({
        standing: z.enum(STANDINGS),
        askedIn: z.string(),
        person: z.object({ id: z.string(), role: z.enum(PERSON_ROLES) }).optional(),
      })
      .optional()
      .catch(undefined),
  }),
);
type Helper = z.infer<ReturnType<typeof Helper>>;
const Job = once(() => z.object({ askedIn: z.string().optional() }));
const Beat = once(() =>
  z.object({
    home: z.string(),
    quoted: z.array(z.string()).catch([]),
    notes: z
      .array(z.object({ body: z.object({ standing: z.enum(STANDINGS).optional().catch("stranger") }) }))
      .catch([]),
  }),
);
type Beat = z.infer<ReturnType<typeof Beat>>;
/** Helpers start helpers, but not for ever. */
const MOST_STEPS = 16;
const EXCHANGES = 100;

const WORK: Readonly<Record<string, OwnWorkKind>> = {
  cron: "job",
  heartbeat: "heartbeat",
  hook: "webhook",
  subagent: "subagent",
  announce: "announce",
} satisfies Record<ErrandKind, OwnWorkKind>;

/** Decided once for each turn; everything that is allowed in it follows from this value. */
export async function findRequester(
  message: InitiatingMessage,
  body: MessageBody,
  ledger: Records,
): Promise<Requester> {
  const asked = requesterOf(message, body);
  const { kind: _kind, isAuthorised: _may, canApprove: _approves, ...requester } = asked;
  if (!isOwnWork(message.channel)) return requester;
  const { requester: who, sessionKey } = await behind(message, requester, ledger);
  return {
    ...requester,
    // Nobody asks in person; a message from one agent to another is asked for in the words of whoever had it sent.
    isOwner: requester.isOwner && who.standing === "owner",
    standing: who.standing,
    work: workOf(message.channel, requester),
    ...(who.person ? { person: who.person } : {}),
    ...(sessionKey === message.sessionKey ? {} : { askedIn: sessionKey }),
  };
}

function workOf(channel: string, { id }: Requester): OwnWorkKind {
  return channel === CHORES ? (id === "" ? "chore" : "agent") : (WORK[channel] ?? "chore");
}

async function behind(message: InitiatingMessage, first: Requester, ledger: Records): Promise<Behind> {
  let at: InitiatingMessage = message;
  let requester: Pick<Requester, "standing" | "person" | "id"> = first;
  for (let left = MOST_STEPS; left > 0; left -= 1) {
    const { channel, sessionKey } = at;
    if (!isOwnWork(channel)) return { requester, sessionKey };
    if (channel === CHORES && requester.id !== "") return { requester, sessionKey: sourceOf(at) ?? sessionKey };
    switch (channel as ErrandKind | typeof CHORES) {
      case "hook":
        return { requester: { standing: "webhook" }, sessionKey };
      case "cron":
        return behindJob(at, ledger);
      case "subagent":
      case "announce": {
        const helper = await helperOf(at, ledger);
        if (helper?.requester) return behindHelper(helper.requester);
        // Those that an earlier version started say only which turn it was.
        const parent = helper && (await ledger.run(helper.parent.runId))?.message;
        // Nobody knows any more for whom it is.
        if (!parent) return { requester, sessionKey };
        at = parent;
        requester = requesterOf(parent, MessageBody().parse(parent.body));
        break;
      }
      default:
        return behindBeat(at, ledger);
    }
  }
  return { requester, sessionKey: at.sessionKey };
}

/** The conversation in which an agent was asked to tell another something. */
function sourceOf({ body }: InitiatingMessage): string | undefined {
  const source = MessageBody().parse(body).provenance?.["sourceSessionKey"];
  return typeof source === "string" ? source : undefined;
}

/** Beats and chores are for whoever is spoken with; where nobody ever spoke, the owner's own conversations are theirs. */
async function behindBeat({ runId, sessionKey, channel }: InitiatingMessage, ledger: Records): Promise<Behind> {
  const beat = channel === CHORES ? undefined : Beat().safeParse((await ledger.errand(runId))?.work).data;
  const home = beat?.home ?? sessionKey;
  const last = await lastSpeaker(home, ledger);
  const isOwners = ["main", "named", "heartbeat", "job", "subagent", "api"].includes(conversationKind(home));
  const spokenWith = last
    ? requesterOf(last, MessageBody().parse(last.body))
    : ({ standing: isOwners ? "owner" : "stranger" } as const);
  const standing = (beat ? await toldIn(beat, ledger) : []).reduce(lesserOf, spokenWith.standing);
  return { requester: standing === spokenWith.standing ? spokenWith : { standing }, sessionKey: home };
}

/** Whose words a beat tells of: what a webhook said must not be done with an owner's rights. */
async function toldIn({ notes, quoted }: Beat, ledger: Records): Promise<Standing[]> {
  const said = await Promise.all(quoted.map((runId) => ledger.run(runId)));
  return [
    ...notes.flatMap(({ body }) => body.standing ?? []),
    ...said.flatMap((run) => (run ? [requesterOf(run.message, MessageBody().parse(run.message.body)).standing] : [])),
  ];
}

/** Only owners make jobs: the tool is theirs, and so are the methods. A job remembers where it was asked for. */
async function behindJob({ runId, sessionKey }: InitiatingMessage, ledger: Records): Promise<Behind> {
  const job = Job().safeParse((await ledger.errand(runId))?.work ?? {});
  if (!job.success) return { requester: { standing: "stranger" }, sessionKey };
  return { requester: { standing: "owner" }, sessionKey: job.data.askedIn ?? sessionKey };
}

function behindHelper({ standing, askedIn, person }: NonNullable<Helper["requester"]>): Behind {
  return { requester: { standing, ...(person ? { person } : {}) }, sessionKey: askedIn };
}

async function helperOf(
  { runId, sessionKey, channel }: InitiatingMessage,
  ledger: Records,
): Promise<Helper | undefined> {
  const owner = channel === "announce" ? (await ledger.errand(runId))?.owner : undefined;
  const [helper] =
    owner === undefined
      ? await ledger.errands({ kind: "subagent", sessionKey, limit: 1 })
      : [await ledger.errand(owner)];
  return Helper().safeParse(helper?.work).data;
}

async function lastSpeaker(sessionKey: string, ledger: Records): Promise<InitiatingMessage | undefined> {
  const said = await ledger.exchanges(sessionKey, EXCHANGES);
  return said.findLast(({ message }) => !isOwnWork(message.channel))?.message;
}
