// The tool `sessions_send`: hands a message to another session and waits a while for its reply.
import { defined } from "@chela/sdk/base";
import type { ToolContext, ToolOutput } from "@chela/sdk";
import { MESSAGE_NOTE } from "./exchange.ts";
import type { Exchanges } from "./exchanges.ts";
import { canAnnounceIn, followUp } from "./follow-up.ts";
import type { SendOutcome, SendParts } from "./parts.ts";
import { asJson, NOT_VISIBLE } from "./results.ts";
import { visibleSessions, type VisibleSession, type VisibleSessions } from "./visible-sessions.ts";

const WAIT_SECONDS = 30;
const MAX_TURNS = 5;

const CIRCLE = "That session is waiting for the answer of this one. Say it in your answer, which goes there.";

export interface SendArguments {
  readonly sessionKey?: string | undefined;
  readonly label?: string | undefined;
  readonly agentId?: string | undefined;
  readonly message: string;
  readonly timeoutSeconds?: number | undefined;
}

type Refused = {
  readonly kind: "refused";
  readonly status: "forbidden" | "error";
  readonly error: string;
};
type Target = { readonly kind: "found"; readonly session: VisibleSession } | Refused;

export async function sendMessage(
  args: SendArguments,
  parts: SendParts,
  exchanges: Exchanges,
  context: ToolContext,
): Promise<ToolOutput> {
  const target = await findTarget(args, visibleSessions(parts, context), context);
  if (target.kind === "refused") return tellRefusal(args, target);
  const { session } = target;
  const ask = (): Promise<SendOutcome> => send(args, session, parts, context);
  const outcome = args.timeoutSeconds === 0 ? await ask() : await exchanges.wait(context.sessionKey, session.key, ask);
  if (outcome === "circle") return tellRefusal(args, refused(CIRCLE));
  const isFollowed = beginFollowUp(session, outcome, parts, exchanges, context);
  return asJson({
    runId: outcome.runId,
    status: outcome.status,
    ...(outcome.reply === undefined ? {} : { reply: outcome.reply }),
    ...(outcome.error === undefined ? {} : { error: outcome.error }),
    sessionKey: session.key,
    ...(isFollowed && canAnnounceIn(session) ? { delivery: { status: "pending", mode: "announce" } } : {}),
  });
}

async function findTarget(args: SendArguments, sessions: VisibleSessions, context: ToolContext): Promise<Target> {
  const named = await findNamed(args, sessions);
  if ("kind" in named) return named;
  const [session, ...others] = named;
  if (!session) return { kind: "refused", status: "forbidden", error: NOT_VISIBLE };
  if (others.length > 0) {
    return refused(`Several sessions have that label; use a sessionKey: ${named.map(({ key }) => key).join(", ")}`);
  }
  if (session.key === context.sessionKey) return refused("That is this session itself. Just answer.");
  return { kind: "found", session };
}

async function findNamed(
  { sessionKey, label, agentId }: SendArguments,
  sessions: VisibleSessions,
): Promise<readonly VisibleSession[] | Refused> {
  if (sessionKey !== undefined && label !== undefined) return refused("Give either sessionKey or label, not both.");
  if (sessionKey !== undefined) return [await sessions.find(sessionKey)].filter((session) => session !== undefined);
  if (label === undefined) return refused("Say which session: give its sessionKey or its label.");
  return sessions.list({
    label,
    includeHidden: true,
    ...(agentId === undefined ? {} : { agentId: agentId.trim().toLowerCase() }),
  });
}

function refused(error: string): Refused {
  return { kind: "refused", status: "error", error };
}

function tellRefusal({ sessionKey }: SendArguments, { status, error }: Refused): ToolOutput {
  return asJson({ status, error, ...defined({ sessionKey }) });
}

/** A stopped turn stops waiting at once; what was admitted goes on. */
function send(
  args: SendArguments,
  target: VisibleSession,
  parts: SendParts,
  context: ToolContext,
): Promise<SendOutcome> {
  const { signal } = context;
  const sent = parts.send(
    {
      sessionKey: target.key,
      message: args.message,
      note: MESSAGE_NOTE,
      provenance: {
        kind: "inter_session",
        sourceSessionKey: context.sessionKey,
        sourceChannel: context.requester.channel,
        sourceTool: "sessions_send",
      },
      requester: context.requester,
      askedIn: context.runId,
      timeoutSeconds: args.timeoutSeconds ?? WAIT_SECONDS,
    },
    signal,
  );
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    sent.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function beginFollowUp(
  target: VisibleSession,
  first: SendOutcome,
  parts: SendParts,
  exchanges: Exchanges,
  context: ToolContext,
): boolean {
  const { sessionKey, requester, runId: askedIn } = context;
  if (first.status === "error" || exchanges.isFollowing(sessionKey, target.key)) return false;
  const maxTurns = parts.settings(context).maxPingPongTurns ?? MAX_TURNS;
  void exchanges.following(sessionKey, target.key, () =>
    followUp(parts, { requesterKey: sessionKey, target, requester, askedIn, first, maxTurns }),
  );
  return true;
}
