// `chela webhooks …`: which there are, and what one would do with a request.
import { readFileSync } from "node:fs";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodResult } from "@chela/sdk/protocol";
import { errnoOf } from "@chela/sdk/files";
import { alignRows, cleanForTerminal, formatAge, formatTable } from "../../../base/terminal/layout.ts";

type List = MethodResult<"webhooks.list">;
type WebhookRow = List["webhooks"][number];
type Trial = MethodResult<"webhooks.test">;

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.ask(async (ask) => {
    const found = await ask("webhooks.list");
    if (flags.has("json")) return terminal.printJson(found);
    for (const line of describe(found, call)) terminal.print(line);
  });
}

function describe({ path, webhooks, problems }: List, { terminal: { style } }: CommandCall): string[] {
  const head = ["WEBHOOK", "POST TO", "OPENED BY", "DOES", "LAST"].map((word) => style.dim(word));
  const rows = webhooks.map((row) => [
    row.id,
    row.path === undefined ? `${path}/*` : `${path}/${row.path}`,
    row.absent ? style.yellow("nobody") : row.signature ? `${row.signature} signature` : "token",
    row.action ?? "-",
    row.last ? `${row.last.status ?? row.last.state}, ${formatAge(Date.now() - row.last.at)}` : "-",
  ]);
  const [first = "", ...lines] = formatTable([head, ...rows]);
  const remark = (row: WebhookRow | undefined): string[] =>
    row?.absent && !problems.includes(row.absent) ? [`  ${cleanForTerminal(row.absent)}`] : [];
  return [...problems, first, ...lines.flatMap((line, index) => [line, ...remark(webhooks[index])])];
}

export function test(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  const file = flags.text("file");
  const headers = Object.fromEntries(flags.list("header").map(readHeader));
  const params = {
    hook: args[0] ?? "",
    ...(file === undefined ? {} : { body: readBody(file) }),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(flags.has("send") ? { send: true } : {}),
  };
  let isGood = false;
  return call.gateway
    .ask(async (ask) => {
      const result = await ask("webhooks.test", params);
      isGood = result.answer
        ? result.answer.status < 300
        : ["agent", "wake", "greeting", "dropped"].includes(result.outcome);
      if (flags.has("json")) return terminal.printJson(result);
      for (const line of explain(result, call)) terminal.print(line);
    })
    .then((code) => (isGood ? code : 1));
}

function readHeader(written: string): [string, string] {
  const [, name, value] = /^([^:]+):(.*)$/s.exec(written) ?? [];
  if (!name?.trim() || value === undefined) throw usageFailure(`Write a header as name:value, not "${written}".`);
  return [name.trim(), value.trim()];
}

function readBody(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw usageFailure(`${file} cannot be read (${errnoOf(error) ?? "for an unknown reason"}).`);
  }
}

const OUTCOMES: Readonly<Record<Trial["outcome"], string>> = {
  agent: "an agent is asked",
  wake: "an agent is told",
  greeting: "the sender is greeted",
  dropped: "it is dropped",
  refused: "it is refused",
  failed: "it fails",
  "not-found": "nobody takes it",
};

function explain(result: Trial, { terminal: { columns, style } }: CommandCall): string[] {
  const { proof, delivery, answer, why, text } = result;
  const place = delivery && [delivery.channel ?? delivery.mode, delivery.to ?? delivery.why].filter(Boolean).join(" ");
  const rows: Array<readonly [string, string | undefined]> = [
    ["Path", result.path],
    ["Mapping", result.mapping ?? "-"],
    ["Proof", proofLine(proof)],
    ["What happens", why ? `${OUTCOMES[result.outcome]}: ${why}` : OUTCOMES[result.outcome]],
    ["Name", result.name],
    ["Agent", result.agentId],
    ["Conversation", result.sessionKey],
    ["Model", result.model],
    ["Answer goes to", result.outcome === "agent" ? (place ?? "nowhere") : undefined],
    ["Run", result.runId],
    ["The gateway said", answer && `${answer.status} ${answer.body}`],
  ];
  const known = rows.flatMap(([name, value]) => (value ? [[name, cleanForTerminal(value)] as const] : []));
  const words = text ? ["", style.dim("What the agent is told:"), cleanForTerminal(text)] : [];
  const hint = answer ? [] : ["", style.dim("Nothing was sent. --send lets it in.")];
  return [...alignRows(known, columns), ...words, ...hint];
}

function proofLine({ kind, type, verdict, why }: Trial["proof"]): string {
  if (kind === "token") return "the token, in a header";
  const verdicts = {
    needed: "is needed; none was given",
    valid: "is right",
    invalid: `is not right: ${why ?? "it does not fit the body"}`,
    computed: "was made with the secret",
  };
  return `the ${type ?? ""} signature ${verdicts[verdict]}`;
}
