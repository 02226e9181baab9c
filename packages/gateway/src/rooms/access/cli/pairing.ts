// `chela pairing …`: lets people in who wrote to the bot. A running gateway is asked; without one, its files are.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";
import { cleanForTerminal, formatAge, formatTable } from "../../../base/terminal/layout.ts";

type Request = MethodAnswer<"pairing.list">["requests"][number];

function asking(call: CommandCall, work: (ask: Ask) => Promise<void>): Promise<number> {
  return call.gateway.askOrOffline(work);
}

export function list(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const channel = args[0] ?? flags.text("channel");
  return asking(call, async (ask) => {
    const params = { ...(channel ? { channel } : {}), ...accountOf(call) };
    const found = await ask("pairing.list", params);
    if (flags.has("json")) return terminal.printJson(found);
    for (const line of describe(found.requests, call)) terminal.print(line);
  });
}

function describe(requests: readonly Request[], { terminal: { style } }: CommandCall): string[] {
  if (requests.length === 0) return ["Nobody waits to be let in."];
  const head = ["CODE", "CHANNEL", "ACCOUNT", "ID", "NAME", "ASKED"].map((word) => style.dim(word));
  const rows = requests.map(({ code, channel, accountId, id, meta, createdAt }) => [
    code,
    channel,
    accountId,
    cleanForTerminal(id),
    cleanForTerminal(meta["name"] ?? fullName(meta) ?? meta["username"] ?? "-"),
    formatAge(Date.now() - Date.parse(createdAt)),
  ]);
  return [...formatTable([head, ...rows]), "Let one in: chela pairing approve <channel> <code>"];
}

export function approve(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const params = { ...codeOf(call), ...(call.flags.has("notify") ? { notify: true } : {}) };
    const result = await ask("pairing.approve", params);
    const role = result.isOwner ? " This is the first person, and so the owner of the bot." : "";
    const told = result.notified ? " They are told." : "";
    tellResult(call, result, `${cleanForTerminal(result.id)} may write to ${result.channel} now.${role}${told}`);
    if (result.note) call.terminal.note(result.note);
  });
}

export function reject(call: CommandCall): Promise<number> {
  return asking(call, async (ask) => {
    const result = await ask("pairing.reject", codeOf(call));
    tellResult(call, result, `${cleanForTerminal(result.id)} was not let in, and may ask again.`);
  });
}

/** `<channel> <code>`, or `<code> --channel <channel>`. */
function codeOf(call: CommandCall) {
  const { args, flags, path } = call;
  const [first = "", second] = args;
  const [channel, code] = second === undefined ? [flags.text("channel"), first] : [first, second];
  if (!channel) throw usageFailure(`Say which channel: chela ${path.join(" ")} <channel> <code>.`);
  return { channel, code, ...accountOf(call) };
}

function accountOf({ flags }: CommandCall): { accountId?: string } {
  const accountId = flags.text("account");
  return accountId ? { accountId } : {};
}

/** Requests another program wrote down have the parts of a name. */
function fullName({ firstName, lastName }: Readonly<Record<string, string>>): string | undefined {
  return [firstName, lastName].filter(Boolean).join(" ") || undefined;
}
