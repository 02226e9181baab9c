// `chela channels status | login | logout | capabilities | resolve`: what a running gateway knows of its channels.
import { askGateway, tellResult } from "../ask-gateway.ts";
import { accountParams, requireChannel } from "../channel-account.ts";
import { probeWords, stateWord, type AccountFlags } from "../channel-words.ts";
import { CommandFailure } from "../command-failure.ts";
import type { CommandCall } from "../command-spec.ts";
import { connectGateway, timeoutOf } from "../gateway-client.ts";
import { cleanForTerminal, count, formatAge, formatTable } from "../layout.ts";

interface Account extends AccountFlags {
  readonly accountId: string;
  readonly reconnectAttempts: number;
  readonly lastInboundAt?: number;
  readonly lastOutboundAt?: number;
  readonly unresolved: readonly string[];
  readonly deliveries: { readonly pending: number; readonly undeliverable: number };
}
interface Status {
  readonly ts: number;
  readonly channelOrder: readonly string[];
  readonly channelAccounts: Readonly<Record<string, readonly Account[]>>;
}

export function status(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return askGateway(call, async (ask) => {
    const probe = flags.has("probe");
    const found = (await ask("channels.status", {
      probe,
      ...(probe ? { timeoutMs: Math.ceil(timeoutOf(call) / 2) } : {}),
    })) as Status;
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

type Step = { readonly kind: "qr"; readonly text: string } | { readonly kind: "code"; readonly code: string };
interface LinkAnswer {
  readonly state: "linked" | "waiting" | "ended";
  readonly message: string;
  readonly step?: Step;
}

const LOGIN_WAIT_MS = 60_000;
const ANSWER_MS = 30_000;

/** Shows each picture as it comes, until somebody has scanned one. */
export async function login(call: CommandCall): Promise<number> {
  const { connection } = await connectGateway(call);
  const account = accountParams(call);
  const ask = async (method: string, params: object): Promise<LinkAnswer> =>
    (await connection.request(
      method,
      { ...account, ...params },
      { timeoutMs: LOGIN_WAIT_MS + ANSWER_MS },
    )) as LinkAnswer;
  try {
    let answer = await ask("web.login.start", call.flags.has("force") ? { force: true } : {});
    let seen = "";
    while (answer.state === "waiting") {
      if (answer.step && wordOf(answer.step) !== seen) await showStep(answer, call);
      seen = answer.step ? wordOf(answer.step) : seen;
      answer = await ask("web.login.wait", { timeoutMs: LOGIN_WAIT_MS, seen });
    }
    if (answer.state === "ended") throw new CommandFailure("other", answer.message);
    tellResult(call, answer, answer.message);
    return 0;
  } finally {
    connection.close();
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
  return askGateway(call, async (ask) => {
    const result = (await ask("channels.logout", requireChannel(call))) as { message: string };
    tellResult(call, result, result.message);
  });
}

interface Ability {
  readonly id: string;
  readonly label: string;
  readonly configured: boolean;
  readonly package?: string;
  readonly problem?: string;
  readonly chats?: readonly string[];
  readonly textLimit?: number;
  readonly accounts?: ReadonlyArray<{
    readonly accountId: string;
    readonly connected: boolean;
    readonly abilities: readonly string[];
  }>;
}

export function capabilities(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return askGateway(call, async (ask) => {
    const result = (await ask("channels.capabilities", accountParams(call))) as { channels: readonly Ability[] };
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

interface Resolved {
  readonly results: ReadonlyArray<{
    readonly input: string;
    readonly resolved: boolean;
    readonly id?: string;
    readonly kind?: string;
    readonly note?: string;
  }>;
}

export function resolve(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  return askGateway(call, async (ask) => {
    const account = requireChannel(call);
    const kind = flags.text("kind");
    const found = (await ask("channels.resolve", { ...account, entries: args, ...(kind ? { kind } : {}) })) as Resolved;
    if (flags.has("json")) return terminal.printJson(found.results);
    const rows = found.results.map(({ input, resolved, id = "", note = "" }) => [input, resolved ? id : "-", note]);
    for (const line of formatTable(rows)) terminal.print(line);
  });
}
