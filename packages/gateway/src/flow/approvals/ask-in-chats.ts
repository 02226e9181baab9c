// Asks about commands in the chats their owners are in, and says there what became of it.
import { defined } from "@chela/sdk/base";
import type { House } from "../../house/house.ts";
import type { Change } from "@chela/sdk";
import type { ApprovalEvent, PendingApproval } from "../../rooms/approvals/room.ts";
import type { Channels } from "../../rooms/channels/room.ts";
import { ChannelPayload } from "../../rooms/delivery/room.ts";
import { MessageBody } from "../message-body.ts";
import type { NewDelivery } from "../reply/delivery.ts";
import { describeOutcome, describeQuestion, instructions, questionButtons } from "./texts.ts";
import type { Gate } from "../gate.ts";
import type { Replies } from "../reply/replies.ts";
import type { DeliveryRoute, Routes } from "../reply/routes.ts";

type AskingHouse = Pick<House, "clock" | "log" | "config" | "ledger" | "outbox">;

export interface ApprovalPostParts {
  readonly channels: Channels;
  readonly gate: Pick<Gate, "hasOwner" | "hasApprover" | "pairing">;
  readonly routes: Routes;
  readonly replies: Pick<Replies, "compose">;
}

/** What a question is about, as far as it decides who sees it. */
interface AskedOf {
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly runId?: string | undefined;
}

export interface ApprovalPosts {
  /** Whether somebody who may answer would see such a question in a chat now. */
  canAsk(of: AskedOf): Promise<boolean>;
  hear(event: ApprovalEvent): void;
  /** Whether anybody still waits for the answer. */
  isOpen(id: string): boolean;
}

interface Question {
  readonly approval: PendingApproval;
  /** The message in each chat that says what became of it; whether it also holds the question itself. */
  readonly posted: Promise<ReadonlyArray<{ readonly row: NewDelivery; readonly isWhole: boolean }>>;
  outcome?: string;
}

export function openQuestions(house: AskingHouse, parts: ApprovalPostParts): ApprovalPosts {
  const { config, ledger, log } = house;
  const { channels, gate } = parts;
  const questions = new Map<string, Question>();
  /** Rows of answered questions that are still in the queue, and what they have to say then. */
  const late = new Map<string, () => Promise<void>>();
  house.outbox.queue.onSettled((row) => {
    const say = late.get(row);
    late.delete(row);
    if (say) void say();
  });

  async function placesFor(of: AskedOf): Promise<readonly DeliveryRoute[]> {
    const rules = config.current().approvals?.exec;
    if (rules?.enabled === false) return [];
    const own = await placeOfRun(of);
    if (!rules?.enabled) return own?.canApprove ? here([own.route]) : [];
    if (!concerns(rules.agentFilter, of.agentId) || !concerns(rules.sessionFilter, of.sessionKey)) return [];
    const mode = rules.mode ?? "session";
    const session = own?.route ?? (of.sessionKey ? await parts.routes.last(of.sessionKey) : undefined);
    const targets = (rules.targets ?? []).flatMap(({ channel, to, accountId, threadId }) => {
      if (channel === undefined || to === undefined) return [];
      const account = accountId ?? channels.defaultAccount(channel);
      return [{ channel, account, to, ...(threadId === undefined ? {} : { threadId: String(threadId) }) }];
    });
    const wanted = [...(mode === "targets" || !session ? [] : [session]), ...(mode === "session" ? [] : targets)];
    const answerable = await Promise.all(wanted.map(async (place) => ((await hasApprover(place)) ? [place] : [])));
    return here(answerable.flat());
  }

  /** Where the message came from that is being answered, and whether whoever wrote it may answer. */
  async function placeOfRun({ runId }: AskedOf): Promise<{ route: DeliveryRoute; canApprove: boolean } | undefined> {
    const message = runId === undefined ? undefined : (await ledger.run(runId))?.message;
    const body = message && MessageBody().safeParse(message.body).data;
    if (!message || !body?.origin) return undefined;
    const { channel, account } = message;
    const { to, threadId } = body.origin.target;
    const route = { channel, account, to, ...defined({ threadId }) };
    return { route, canApprove: body.sender?.canApprove === true };
  }

  /** An empty list of owners names nobody, and neither does "*". */
  async function hasApprover({ channel, account }: DeliveryRoute): Promise<boolean> {
    if (gate.hasApprover(channel, account)) return true;
    const named = config.current().commands?.ownerAllowFrom;
    if (named) return named.some((entry) => entry !== "*");
    if (!channels.ids.includes(channel)) return false;
    return gate.pairing.owners(channel, account).size > 0 || gate.hasOwner(channel, account);
  }

  /** A question nobody gets to see in time is none. */
  function here(places: readonly DeliveryRoute[]): readonly DeliveryRoute[] {
    const unique = new Map(places.map((place) => [JSON.stringify(place), place]));
    return [...unique.values()].filter(({ channel, account }) => channels.connection({ channel, account }));
  }

  function ask(approval: PendingApproval): void {
    const posted = post(approval).catch((error: unknown) => {
      log.error("a question about a command could not be asked in a chat", { id: approval.id, error: String(error) });
      return [];
    });
    questions.set(approval.id, { approval, posted });
  }

  async function post(approval: PendingApproval): ReturnType<typeof questionFor> {
    const places = await placesFor(askedOf(approval));
    return (await Promise.all(places.map((place, index) => questionFor(approval, place, index)))).flat();
  }

  async function questionFor(approval: PendingApproval, place: DeliveryRoute, index: number) {
    const { id, request } = approval;
    const at = house.clock.now();
    const address = { ...place, runId: `approval:${id}:${index}`, agentId: request.agentId ?? "", at };
    const [question, how] = [describeQuestion(approval), instructions(approval)];
    const whole = await parts.replies.compose(address, { texts: [`${question}\n\n${how}`] });
    const isWhole = whole.length === 1;
    // Of a long one the last message is about the answer only, so that what was asked stays to be read.
    const rows = isWhole ? whole : await parts.replies.compose(address, { texts: [question, how] });
    const asked = rows.map((row, position) => asQuestion(row, approval, position === rows.length - 1));
    await ledger.commit(asked.map((item): Change => ({ kind: "outbox-add", item })));
    for (const item of asked) await house.outbox.send({ ...item, attempts: 0, state: "pending" });
    return asked.slice(-1).map((row) => ({ row, isWhole }));
  }

  async function tellOutcome(question: Question, outcome: string): Promise<void> {
    for (const { row, isWhole } of await question.posted) {
      const text = isWhole ? `${describeQuestion(question.approval)}\n\n${outcome}` : outcome;
      late.set(row.id, async () => void (await editPosted(row, text)));
      if (await editPosted(row, text)) late.delete(row.id);
    }
    questions.delete(question.approval.id);
  }

  /** False while the post has not sent it. What cannot be edited stays as it is. */
  async function editPosted({ id, channel, account, to, payload }: NewDelivery, text: string): Promise<boolean> {
    const delivery = await ledger.delivery(id);
    if (delivery?.state === "pending") return false;
    const messageId = delivery?.receipt?.messageId;
    const threadId = payload["threadId"];
    const target = { to, ...(typeof threadId === "string" ? { threadId } : {}) };
    if (messageId !== undefined) await channels.connection({ channel, account })?.edit?.(target, messageId, text);
    return true;
  }

  return {
    canAsk: async (of) => (await placesFor(of)).length > 0,
    isOpen: (id) => questions.get(id)?.outcome === undefined && questions.has(id),
    hear(event) {
      if (event.kind === "requested") return ask(event.approval);
      const question = questions.get(event.id);
      if (!question) return;
      question.outcome = describeOutcome(event);
      void tellOutcome(question, question.outcome);
    },
  };
}

function askedOf({ request: { agentId, sessionKey, runId } }: PendingApproval): AskedOf {
  return { agentId, sessionKey, ...(typeof runId === "string" ? { runId } : {}) };
}

/** Without a filter it concerns everybody. */
function concerns(filter: readonly string[] | undefined, name: string | undefined): boolean {
  return filter === undefined || filter.length === 0 || filter.some((part) => name?.includes(part));
}

function asQuestion(row: NewDelivery, approval: PendingApproval, isLast: boolean): NewDelivery {
  const payload = ChannelPayload().parse(row.payload);
  const { content } = payload;
  const buttons =
    isLast && content.kind === "text" ? { content: { ...content, buttons: questionButtons(approval) } } : {};
  return { ...row, payload: { ...payload, ...buttons, asks: approval.id } };
}
