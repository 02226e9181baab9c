// Sets the stage of a turn: which models may answer, with which tools, prompt and limits. Fixed for the whole turn.
import { defined } from "@chela/sdk/base";
import {
  type AgentMessage,
  type InboxMessage,
  type ModelInfo,
  type ModelRequest,
  type Requester,
  type SessionEntry,
  type ThinkingLevel,
} from "@chela/sdk";
import { spenderOf, type Spender } from "../../rooms/budgets/room.ts";
import type { ModelCall } from "../../rooms/models/room.ts";
import type { TurnTools } from "../../rooms/tools/room.ts";
import { isOwnWork, type MessageBody } from "../message-body.ts";
import type { AskedModel, TurnAudit } from "./audit.ts";
import { candidatesFor, subjectOf, turnSettings, type PreparedPrompt, type TurnKit, type TurnSettings } from "./kit.ts";
import type { ContextFitter } from "./context-fitter.ts";
import type { House } from "../../house/house.ts";
import { findRequester } from "./initiator.ts";
import type { TurnTrace } from "./trace.ts";

export interface Stage {
  readonly candidates: readonly ModelInfo[];
  readonly model: ModelInfo;
  readonly requester: Requester;
  readonly spender: Spender;
  readonly tools: TurnTools;
  readonly prompt: PreparedPrompt;
  readonly settings: TurnSettings;
  readonly sessionId: string;
  /** Whether a person waits for the answer. */
  readonly isAsked: boolean;
  /** The most that whoever asks wants to read of one answer. */
  readonly maxTokens?: number;
  /** The credential the session is pinned to. */
  readonly profile?: string;
  thinking(model: ModelInfo): ThinkingLevel;
}

/** Estimates are never this far off; what is set aside must cover what the provider counts. */
const CAUTION = 1.25;
const CAUTION_TOKENS = 200;

/** Without one of these a list of skills would be of no use. */
const SKILL_TOOLS: ReadonlySet<string> = new Set(["activate_skill", "read"]);

export async function setStage(
  message: InboxMessage,
  body: MessageBody,
  entry: SessionEntry,
  kit: TurnKit,
): Promise<Stage> {
  const { agentId, sessionKey } = message;
  const candidates = await candidatesFor(kit.house, agentId, entry, body.model ? { model: body.model } : body.errand);
  const model = candidates[0];
  if (!model) throw new TypeError("a turn needs a model");
  const settings = turnSettings(kit, agentId);
  const requester = await findRequester(message, body, kit.house.ledger);
  const thinking = (of: ModelInfo) => thinkingFor(of, body, entry, settings);
  const extra = body.chore?.kind === "memory-flush" ? body.chore.systemPrompt : placePrompt(message, body);
  const spender = spenderOf(message, requester);
  await kit.house.budgets.prepare(spender);
  const tools = kit.tools.for({
    ...(await subjectOf(kit.house, message, entry, requester)),
    model,
    requester,
    ...(body.errand?.tools ? { limits: body.errand.tools } : {}),
  });
  const chatSkills = body.origin?.group?.skills;
  return {
    candidates,
    model,
    requester,
    spender,
    settings,
    thinking,
    sessionId: entry.sessionId,
    isAsked: !isOwnWork(message.channel),
    tools,
    prompt: await kit.prompts.prepare({
      agentId,
      sessionKey,
      sessionId: entry.sessionId,
      model,
      thinking: thinking(model),
      requester,
      isOwnWork: isOwnWork(message.channel),
      isChore: body.chore !== undefined,
      hasSkillTools: tools.described.some(({ name }) => SKILL_TOOLS.has(name)),
      ...(chatSkills ? { chatSkills } : {}),
      ...(extra ? { extra } : {}),
      ...(body.errand?.context ? { context: body.errand.context } : {}),
    }),
    ...(body.maxTokens ? { maxTokens: body.maxTokens } : {}),
    ...(entry.authProfileOverride ? { profile: entry.authProfileOverride } : {}),
  };
}

const GROUP_MANNERS = [
  "You take part in a group chat. Several people write here, and not everything is meant for you.",
  "Answer when you are addressed or can really help; otherwise reply with NO_REPLY alone.",
].join(" ");

/** What the operator says about the place; the same for every message there, so that prompts stay the same. */
function placePrompt({ channel }: InboxMessage, { origin, extraSystemPrompt }: MessageBody): string | undefined {
  const isGroup = origin !== undefined && origin.chat.kind !== "direct";
  const kit = [
    ...(extraSystemPrompt ? [extraSystemPrompt] : []),
    ...(isGroup ? [`## Group Chat Context\n${GROUP_MANNERS} Channel: ${channel}.`] : []),
    ...(origin?.group?.systemPrompt ? [origin.group.systemPrompt] : []),
  ];
  return kit.length > 0 ? kit.join("\n\n") : undefined;
}

export interface Question {
  readonly agentId: string;
  /** By the steady clock. */
  readonly deadlineAt: number;
  readonly lastTouch?: number;
  readonly hasSummary: boolean;
  readonly trace: TurnTrace;
  readonly audit: TurnAudit;
  /** For the person: most of a limit is spent. */
  onWarning(sentence: string): void;
}

/** One question to a model: the conversation as far as each candidate can read it, paid for before it is asked. */
export function callFor(stage: Stage, messages: readonly AgentMessage[], kit: TurnKit, question: Question): ModelCall {
  const { sessionId, settings, tools, prompt } = stage;
  const { trace, audit, hasSummary, lastTouch } = question;
  let sent: AskedModel | undefined;
  const reserve = reserveFor(stage.spender, kit, (sentence) => question.onWarning(sentence));
  const request = (model: ModelInfo): ModelRequest => ({
    model,
    system: prompt.system,
    messages: kit.fitter.fit(messages, {
      sessionId,
      model,
      settings: settings.context,
      now: kit.house.clock.now(),
      hasSummary,
      ...defined({ lastTouch }),
    }),
    tools: tools.described,
    thinking: stage.thinking(model),
    sessionId,
    ...(stage.maxTokens === undefined ? {} : { maxTokens: Math.min(stage.maxTokens, model.maxTokens) }),
  });
  return {
    agentId: question.agentId,
    sessionId,
    candidates: stage.candidates,
    deadlineAt: question.deadlineAt,
    isAsked: stage.isAsked,
    compactions: trace.compactions,
    ...(stage.profile ? { profile: stage.profile } : {}),
    request,
    reserve(model, asked) {
      sent = asked;
      trace.promptParts(() => kit.fitter.counter.sizes(asked));
      trace.promptSent({
        systemChars: asked.system.length,
        ...(prompt.fileChars === undefined ? {} : { fileChars: prompt.fileChars }),
        toolChars: sizeOfTools(tools),
        messages: asked.messages.length,
      });
      return reserve(model, asked);
    },
    onAttempt(attempt) {
      trace.attempted(attempt, isPriced(stage, attempt));
      if (sent) audit.attempted(attempt, sent, isPriced(stage, attempt));
    },
  };
}

export function isPriced({ candidates, model }: Stage, asked: { provider: string; model: string }): boolean {
  const found = candidates.find(({ provider, id }) => provider === asked.provider && id === asked.model);
  return (found ?? model).price !== undefined;
}

interface Paying {
  readonly house: Pick<House, "budgets">;
  readonly fitter: ContextFitter;
}

/** Sets aside what a call may cost, and learns from what the provider counted. */
export function reserveFor(
  spender: Spender,
  { house: { budgets }, fitter }: Paying,
  onWarning: (sentence: string) => void,
): NonNullable<ModelCall["reserve"]> {
  return (model, request) => {
    const counted = { model, system: request.system, messages: request.messages, tools: request.tools };
    const price = model.price;
    const reservation = budgets.reserve(spender, {
      inputTokens: Math.ceil(fitter.counter.request(counted) * CAUTION) + CAUTION_TOKENS,
      inputPrice: Math.max(price?.input ?? 0, price?.cacheWrite ?? 0) / 1e6,
      outputPrice: (price?.output ?? 0) / 1e6,
      maxTokens: request.maxTokens ?? model.maxTokens,
    });
    if (reservation.kind === "denied") return reservation;
    for (const warning of reservation.warnings) onWarning(warning);
    return {
      kind: "granted",
      maxTokens: reservation.maxTokens,
      settle(usage) {
        if (usage) fitter.counter.calibrate(counted, usage);
        reservation.settle(usage && { usd: usage.cost.total, tokens: usage.totalTokens });
      },
    };
  };
}

const sizes = new WeakMap<readonly unknown[], number>();

function sizeOfTools({ described }: TurnTools): number {
  const known = sizes.get(described);
  if (known !== undefined) return known;
  const size = JSON.stringify(described).length;
  sizes.set(described, size);
  return size;
}

function thinkingFor(model: ModelInfo, body: MessageBody, entry: SessionEntry, settings: TurnSettings): ThinkingLevel {
  if (!model.reasoning) return "off";
  return (body.thinking ?? entry.thinkingLevel ?? settings.thinking) as ThinkingLevel;
}
