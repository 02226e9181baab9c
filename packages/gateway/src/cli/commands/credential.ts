// `chela credential list | add | remove | verify | rotate`: the vault, through a running gateway or without one.
import { defined } from "@chela/sdk/base";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodResult } from "@chela/sdk/protocol";
import { PASSPHRASE_NAME } from "../../rooms/vault/room.ts";
import { tellResult } from "../../base/terminal/tell-result.ts";
import type { Ask } from "@chela/sdk/protocol";
import { withCredentials } from "../offline/credentials.ts";
import { cleanForTerminal, count, formatAge, formatTable } from "../../base/terminal/layout.ts";
import { readSecret, type TypedInput } from "../../base/terminal/secret-input.ts";

type List = MethodResult<"credentials.list">;
type CredentialRow = List["credentials"][number];

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const found = await ask("credentials.list");
    if (flags.has("json")) return terminal.printJson(found);
    for (const line of describe(found, call)) terminal.print(line);
  });
}

function describe({ credentials, plain, key, missing }: List, { terminal: { style } }: CommandCall): string[] {
  const head = ["ID", "SERVICE", "ACCOUNT", "KIND", "STATUS", "CHECKED", "ENABLES", "USED BY"].map((word) =>
    style.dim(word),
  );
  const rows = credentials.map((row) => [
    row.id,
    row.service,
    row.account ?? "-",
    row.points ? `${row.kind} ${row.points}` : row.kind,
    statusOf(row, style),
    row.verifiedAt === undefined ? "never" : formatAge(Date.now() - row.verifiedAt),
    row.enables.map(enabledText).join(", ") || "-",
    row.usedBy.join(", ") || "-",
  ]);
  const table = rows.map((row) => row.map(cleanForTerminal));
  const outside = plain.map(({ where }) => `  ${cleanForTerminal(where)}`);
  return [
    ...(rows.length === 0 ? ["The vault is empty."] : formatTable([head, ...table])),
    ...(key ? [`Values are closed with a key that is kept in ${KEY_PLACES[key]}.`] : []),
    ...(outside.length === 0
      ? []
      : [`${count(outside.length, "secret")} in plain text; \`chela credential import\` moves them here:`, ...outside]),
    ...(missing.length === 0 ? [] : ["Waiting for a credential:"]),
    ...missing.map((need) => cleanForTerminal(`  ${needText(need)}: ${need.why}. To fix: ${need.fix}`)),
  ];
}

function enabledText({ kind, name = "", detail }: CredentialRow["enables"][number]): string {
  if (kind === "models") return detail ? `models of ${name} for ${detail}` : `models of ${name}`;
  if (kind === "channel") return detail ? `channel ${name} (${detail})` : `channel ${name}`;
  if (kind === "tool") return `tool ${name}`;
  return kind === "other" ? name : ENABLED[kind];
}

const ENABLED = {
  media: "understanding of pictures and speech",
  door: "the gateway's own door",
  remote: "another gateway",
  webhooks: "webhooks",
  memory: "memory",
  sandbox: "commands in sandboxes",
} as const;

function needText({ kind, name, detail }: List["missing"][number]): string {
  return detail ? `${kind} ${name} (${detail})` : `${kind} ${name}`;
}

const KEY_PLACES = {
  file: "the file credentials/vault.key",
  keyring: "the keyring of the system",
  passphrase: "the head of whoever knows the passphrase",
};

function statusOf({ status, lastError }: CredentialRow, style: CommandCall["terminal"]["style"]): string {
  if (status === "failed") return style.red(lastError ? `failed: ${lastError}` : "failed");
  return status === "verified" ? style.green(status) : status;
}

export function add(call: CommandCall, { input }: { input: TypedInput } = { input: process.stdin }): Promise<number> {
  const { args, flags, terminal } = call;
  const [id = ""] = args;
  const pointer = readPointer(call);
  return call.gateway.askOrOffline(async (ask) => {
    const content = pointer ?? { value: (await readSecret(`value of ${id}`, { terminal, input })).reveal() };
    const [account, origin] = [flags.text("account"), flags.text("origin")];
    const result = await ask("credentials.add", {
      id,
      service: flags.text("service") ?? id.split("/", 1)[0] ?? id,
      ...defined({ account, origin }),
      ...(flags.has("capability") ? { capabilities: flags.list("capability") } : {}),
      ...(flags.has("replace") ? { replace: true } : {}),
      ...content,
    });
    tellResult(call, result, `Kept as ${id}. Write "vault:${id}" where the configuration needs it.`);
  });
}

/** The three programs are known by where their packages put them. */
function readPointer({ flags }: CommandCall): object | undefined {
  const program = flags.text("exec");
  const keyring = flags.text("keyring");
  const [service = "", account = ""] = keyring?.split("/", 2) ?? [];
  const given = [
    flags.has("env") ? { env: flags.text("env") } : undefined,
    flags.has("file") ? { file: flags.text("file") } : undefined,
    program === undefined ? undefined : { exec: [program, ...flags.list("arg")] },
    flags.has("op") ? { exec: ["/usr/bin/op", "read", "--no-newline", flags.text("op")] } : undefined,
    flags.has("pass") ? { exec: ["/usr/bin/pass", "show", "--", flags.text("pass")] } : undefined,
    flags.has("gopass") ? { exec: ["/usr/bin/gopass", "show", "-o", "--", flags.text("gopass")] } : undefined,
    keyring === undefined ? undefined : { keyring: { service, account } },
  ].filter((one) => one !== undefined);
  if (given.length > 1) throw usageFailure("A credential lies in one place.", "Give one of --env, --file, --exec, …");
  return given[0];
}

export function remove(call: CommandCall): Promise<number> {
  const [id = ""] = call.args;
  return call.gateway.askOrOffline(async (ask) => {
    const result = await ask("credentials.remove", { id, ...(call.flags.has("force") ? { force: true } : {}) });
    tellResult(call, result, `Removed ${id}.`);
  });
}

/** Ends with 1 when a service does not take one. */
export function verify(call: CommandCall): Promise<number> {
  const { args, flags, terminal } = call;
  let isGood = true;
  return call.gateway
    .askOrOffline(async (ask) => {
      const ids = args[0] === undefined ? await idsOf(ask) : [args[0]];
      const results: MethodResult<"credentials.verify">[] = [];
      for (const id of ids) {
        const result = await ask("credentials.verify", { id });
        isGood &&= result.status !== "failed";
        results.push(result);
        if (!flags.has("json")) terminal.print(`${id}: ${describeCheck(result, call)}`);
      }
      if (flags.has("json")) terminal.printJson({ results });
      else if (ids.length === 0) terminal.print("The vault is empty.");
    })
    .then((code) => (isGood ? code : 1));
}

async function idsOf(ask: Ask): Promise<string[]> {
  return (await ask("credentials.list")).credentials.map(({ id }) => id);
}

function describeCheck({ status, why }: MethodResult<"credentials.verify">, { terminal: { style } }: CommandCall) {
  if (status === "verified") return style.green("verified");
  const reason = cleanForTerminal(why ?? "");
  return status === "failed" ? style.red(`failed: ${reason}`) : `cannot be checked automatically: ${reason}`;
}

/** A passphrase is asked for here and stays in this process; a running gateway then has to be told it anew. */
export async function rotate(
  call: CommandCall,
  { input }: { input: TypedInput } = { input: process.stdin },
): Promise<number> {
  const key = call.flags.text("key");
  const params = key === undefined ? {} : { key };
  const tell = (result: unknown) => {
    const { values, key: kind } = result as MethodResult<"credentials.rotate">;
    tellResult(call, result, `${count(values, "value")} closed with a new key, kept in ${KEY_PLACES[kind]}.`);
  };
  if (key !== "passphrase") {
    return call.gateway.askOrOffline(async (ask) => tell(await ask("credentials.rotate", params)));
  }
  const passphrase = await readSecret("new passphrase", { terminal: call.terminal, input });
  const facts = { step: "key rotated" as const, target: "vault" };
  tell(await withCredentials(call, facts, (stored) => stored.rotate("passphrase", passphrase)));
  call.terminal.note(`Set ${PASSPHRASE_NAME} for the gateway, and start it anew.`);
  return 0;
}
