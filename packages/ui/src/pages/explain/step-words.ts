// Names of a turn's steps, how they ended, and what is known of them.
import type { InOtherWords, Sections, Words } from "../../words/index.ts";
import { waitsForApproval, type Run, type Step } from "./steps.ts";

export interface Telling {
  readonly format: Words;
  readonly words: InOtherWords<Sections["explain"]>;
  channel(id: string): string;
  agent(id: string): string;
}

export type Fact = readonly [name: string, value: string];
type StepOf<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>;

export function titleOf(step: Step, { words, channel }: Telling): string {
  if (step.kind === "attempt") return `${step.attempt.provider}/${step.attempt.model}`;
  if (step.kind === "tool") return step.tool.name;
  if (step.kind === "delivery") return words.step_delivery(channel(step.delivery.channel));
  return words[`step_${step.kind}`];
}

/** In a word or two; "" where there is nothing to tell. */
export function outcomeOf(step: Step, run: Run, { words, agent }: Telling): string {
  switch (step.kind) {
    case "access":
      return words.out_allowed;
    case "route":
      return agent(run.route.agentId);
    case "attempt":
      return step.attempt.failure ? reasonOf(step.attempt.failure.reason, words) : words[`out_${step.attempt.status}`];
    case "tool":
      if (waitsForApproval(step.tool) && step.isOpen) return words.out_waiting;
      if (step.isOpen) return words.out_running;
      return step.tool.isError ? words.out_failed : words.out_ok;
    case "delivery":
      return words[`out_${step.delivery.state}`];
    case "working":
      return words.out_running;
    case "received":
    case "queue":
    case "prompt":
      return "";
  }
}

export function factsOf(step: Step, run: Run, telling: Telling): Fact[] {
  switch (step.kind) {
    case "received":
      return receivedFacts(run, telling);
    case "access":
      return accessFacts(run, telling);
    case "route":
      return routeFacts(run, telling);
    case "prompt":
      return promptFacts(run, telling);
    case "attempt":
      return attemptFacts(step, telling);
    case "tool":
      return toolFacts(step, telling);
    case "delivery":
      return deliveryFacts(step, telling);
    case "queue":
    case "working":
      return [[telling.words.fact_at, exactTime(step.from, telling.format)]];
  }
}

function receivedFacts(run: Run, { words, format, channel }: Telling): Fact[] {
  return [
    ...(run.sentAt === undefined ? [] : [[words.fact_sentAt, exactTime(run.sentAt, format)] as const]),
    [words.fact_receivedAt, exactTime(run.receivedAt ?? run.admittedAt, format)],
    [words.channel, channel(run.channel)],
    [words.fact_account, run.account],
    [words.messageId, run.messageId],
  ];
}

function accessFacts({ access }: Run, { words }: Telling): Fact[] {
  if (!access) return [];
  const yesNo = (is: boolean): string => (is ? words.yes : words.no);
  return [
    [words.fact_from, access.name ? `${access.name} (${access.id})` : access.id],
    [words.fact_kind, words[`kind_${access.kind}`]],
    [words.fact_owner, yesNo(access.isOwner)],
    [words.fact_commands, yesNo(access.isAuthorised)],
    ...(access.wasMentioned === undefined ? [] : [[words.fact_mentioned, yesNo(access.wasMentioned)] as const]),
  ];
}

function routeFacts({ route }: Run, { words, agent }: Telling): Fact[] {
  const reasons: Readonly<Record<string, string>> = {
    default: words.by_default,
    "session-key": words.by_sessionKey,
    "agent-id": words.by_agentId,
    "binding.peer": words.by_peer,
    "binding.peer.parent": words.by_parent,
    "binding.guild+roles": words.by_roles,
    "binding.guild": words.by_guild,
    "binding.team": words.by_team,
    "binding.account": words.by_account,
    "binding.channel": words.by_channel,
  };
  const { matchedBy } = route;
  return [
    [words.agent, agent(route.agentId)],
    [words.session, route.sessionKey],
    ...(matchedBy === undefined ? [] : [[words.fact_why, reasons[matchedBy] ?? matchedBy] as const]),
  ];
}

function promptFacts({ prompt, compactions }: Run, { words, format }: Telling): Fact[] {
  const { messages } = prompt ?? {};
  return [
    ...(messages === undefined ? [] : [[words.fact_messages, format.number(messages)] as const]),
    ...(compactions ? [[words.fact_compactions, words.times(compactions)] as const] : []),
  ];
}

function attemptFacts({ attempt }: StepOf<"attempt">, { words, format }: Telling): Fact[] {
  const { usage, failure, next, startedAt, firstTokenAt } = attempt;
  const tokens = (name: string, count: number | undefined): Fact[] =>
    count ? [[name, words.tokensOf(format.number(count))]] : [];
  return [
    [words.fact_at, exactTime(startedAt, format)],
    ...(firstTokenAt === undefined
      ? []
      : [[words.fact_firstToken, format.duration(Math.max(0, firstTokenAt - startedAt))] as const]),
    ...(attempt.profileId ? [[words.fact_profile, attempt.profileId] as const] : []),
    ...tokens(words.fact_read, usage?.input),
    ...tokens(words.fact_cached, usage?.cacheRead),
    ...tokens(words.fact_cacheWritten, usage?.cacheWrite),
    ...tokens(words.fact_written, usage?.output),
    ...(attempt.cost === undefined ? [] : [[words.cost, format.money(attempt.cost)] as const]),
    ...(failure ? [[words.fact_failure, `${reasonOf(failure.reason, words)} (${failure.message})`] as const] : []),
    ...(failure?.status === undefined ? [] : [[words.fact_status, String(failure.status)] as const]),
    ...(next ? [[words.fact_next, nextOf(next, words)] as const] : []),
  ];
}

function toolFacts({ tool }: StepOf<"tool">, { words, format }: Telling): Fact[] {
  const waited = tool.approval?.waitedMs;
  return [
    [words.fact_at, exactTime(tool.startedAt, format)],
    ...(waited === undefined ? [] : [[words.fact_waited, format.duration(waited)] as const]),
  ];
}

function deliveryFacts({ delivery }: StepOf<"delivery">, { words, format }: Telling): Fact[] {
  return [
    [words.fact_to, delivery.to],
    [words.fact_account, delivery.account],
    [words.fact_attempts, format.number(delivery.attempts)],
    ...(delivery.messageId ? [[words.fact_platformId, delivery.messageId] as const] : []),
    ...(delivery.updatedAt === undefined ? [] : [[words.fact_at, exactTime(delivery.updatedAt, format)] as const]),
    ...(delivery.error ? [[words.fact_error, delivery.error] as const] : []),
  ];
}

function reasonOf(reason: string, words: Telling["words"]): string {
  const reasons: Readonly<Record<string, string>> = {
    auth: words.reason_auth,
    billing: words.reason_billing,
    "rate-limit": words.reason_rateLimit,
    overloaded: words.reason_overloaded,
    "server-error": words.reason_serverError,
    endless: words.reason_endless,
    "context-overflow": words.reason_overflow,
    refused: words.reason_refused,
    "bad-request": words.reason_badRequest,
    "not-found": words.reason_notFound,
    network: words.reason_network,
    timeout: words.reason_timeout,
    malformed: words.reason_malformed,
    budget: words.reason_budget,
    unknown: words.reason_unknown,
  };
  return reasons[reason] ?? reason;
}

function nextOf(next: NonNullable<StepOf<"attempt">["attempt"]["next"]>, words: Telling["words"]): string {
  return {
    retry: words.next_retry,
    "next-profile": words.next_profile,
    "next-model": words.next_model,
    wait: words.next_wait,
    compact: words.next_compact,
    "give-up": words.next_giveUp,
  }[next];
}

function exactTime(ms: number, format: Words): string {
  return format.date(ms, { dateStyle: "medium", timeStyle: "medium" });
}
