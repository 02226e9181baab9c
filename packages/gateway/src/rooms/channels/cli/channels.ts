// `chela channels status | login | logout | capabilities | resolve`: what a running gateway knows of its channels.
import { type CommandCall, CommandFailure, timeoutOf } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { accountParams, requireChannel } from "./channel-account.ts";
import { probeWords, stateWord } from "./channel-words.ts";
import { cleanForTerminal, count, formatAge, formatTable } from "../../../base/terminal/layout.ts";

type Account = Status["channelAccounts"][string][number];
type Status = MethodAnswer<"channels.status">;

export function status(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const probe = flags.has("probe");
    const found = await ask("channels.status", {
      probe,
      ...(probe ? { timeoutMs: Math.ceil(timeoutOf(call) / 2) } : {}),
    });
    if (flags.has("json")) return terminal.printJson(found);
    for (const line of describeStatus(found, call)) terminal.print(line);
  });
}

function describeStatus({ channelOrder, channelAccounts, ts }: Status, { terminal: { style } }: CommandCall): string[] {
  if (channelOrder.length === 0) return ["No channel is configured. Add one: chela channels add <channel>"];
  const head = ["CHANNEL", "ACCOUNT", "STATE", "LAST IN", "LAST OUT"].map((word) => style.dim(word));
  const accounts = channelOrder.flatMap((id) => (channelAccounts[id] ?? []).map((account) => ({ id, account })));
  const rows = accounts.map(({ id, account }) => [
    id,
    account.accountId,
    stateWord(account, style),
    formatAge(account.lastInboundAt === undefined ? undefined : ts - account.lastInboundAt),
    formatAge(account.lastOutboundAt === undefined ? undefined : ts - account.lastOutboundAt),
  ]);
  const [first = "", ...lines] = formatTable([head, ...rows]);
  return [
    first,
    ...lines.flatMap((line, index) => [line, ...notesOf(accounts[index]?.account, ts).map((note) => `  ${note}`)]),
  ];
}

function notesOf(account: Account | undefined, now: number): string[] {
  if (!account) return [];
  const { lastError, reconnectAttempts, unresolved, deliveries } = account;
  return [
    ...(lastError ? [cleanForTerminal(lastError)] : []),
    ...(reconnectAttempts > 0 ? [`${count(reconnectAttempts, "attempt")} to connect since it was connected`] : []),
    ...probeWords(account, now),
    ...(unresolved.length > 0 ? [`entries of allow-lists that mean nobody: ${unresolved.join(", ")}`] : []),
    ...(deliveries.pending > 0 ? [`${count(deliveries.pending, "message")} on the way`] : []),
    ...(deliveries.undeliverable > 0
      ? [`${count(deliveries.undeliverable, "message")} could not be delivered: chela deliveries`]
      : []),
  ];
}

type Step = NonNullable<LinkAnswer["step"]>;
type LinkAnswer = MethodAnswer<"web.login.start">;

const LOGIN_WAIT_MS = 60_000;
const ANSWER_MS = 30_000;

/** Shows each picture as it comes, until somebody has scanned one. */
export async function login(call: CommandCall): Promise<number> {
  const link = await call.gateway.connect({ timeoutMs: LOGIN_WAIT_MS + ANSWER_MS });
  const account = accountParams(call);
  const { ask } = link;
  try {
    let answer: LinkAnswer = await ask("web.login.start", {
      ...account,
      ...(call.flags.has("force") ? { force: true } : {}),
    });
    let seen = "";
    while (answer.state === "waiting") {
      if (answer.step && wordOf(answer.step) !== seen) await showStep(answer, call);
      seen = answer.step ? wordOf(answer.step) : seen;
      answer = await ask("web.login.wait", { ...account, timeoutMs: LOGIN_WAIT_MS, seen });
    }
    if (answer.state === "ended") throw new CommandFailure("other", answer.message);
    tellResult(call, answer, answer.message);
    return 0;
  } finally {
    link.close();
  }
}

async function showStep(answer: LinkAnswer, { flags, terminal }: CommandCall): Promise<void> {
  if (flags.has("json")) return terminal.printJson(answer);
  if (answer.step?.kind === "qr") {
    const { renderUnicodeCompact } = await import("uqr");
    terminal.print(renderUnicodeCompact(answer.step.text));
  }
  terminal.print(answer.message);
}

/** What tells one step from another. */
function wordOf(step: Step): string {
  return step.kind === "qr" ? step.text : step.code;
}

export function logout(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const result = await ask("channels.logout", requireChannel(call));
    tellResult(call, result, result.message);
  });
}

type Ability = MethodAnswer<"channels.capabilities">["channels"][number];

export function capabilities(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const result = await ask("channels.capabilities", accountParams(call));
    if (flags.has("json")) return terminal.printJson(result);
    for (const line of result.channels.flatMap(describeAbility)) terminal.print(line);
  });
}

function describeAbility({
  id,
  label,
  configured,
  chats,
  textLimit,
  accounts = [],
  problem,
  ...more
}: Ability): string[] {
  if (problem) return [`${id}: ${problem}`];
  if (!chats) return [`${id}: ${label}, not configured${more.package ? ` (in the package ${more.package})` : ""}`];
  return [
    `${id}: ${label}${configured ? "" : ", not configured"}; ${chats.join(", ")}; up to ${textLimit} characters`,
    ...accounts.map(({ accountId, connected, abilities }) =>
      connected ? `  ${accountId}: ${abilities.join(", ")}` : `  ${accountId}: not connected, so it cannot be known`,
    ),
  ];
}

export function resolve(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  return call.gateway.ask(async (ask) => {
    const account = requireChannel(call);
    const kind = flags.text("kind");
    const found = await ask("channels.resolve", { ...account, entries: args, ...(kind ? { kind } : {}) });
    if (flags.has("json")) return terminal.printJson(found.results);
    const rows = found.results.map(({ input, resolved, id = "", note = "" }) => [input, resolved ? id : "-", note]);
    for (const line of formatTable(rows)) terminal.print(line);
  });
}
