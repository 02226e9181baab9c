// The pages of the reference, each made from one table of the program.
import { HOOK_EVENTS } from "../packages/sdk/src/contribution/hook-event.ts";
import { ERRORS } from "../packages/sdk/src/errors.ts";
import { CONTRIBUTIONS } from "../packages/gateway/src/house/contributions.ts";
import { configReferenceRows } from "../packages/gateway/src/rooms/config/reference.ts";
import { commandReference } from "../packages/gateway/src/cli/table/command-table.ts";
import { protocolPages } from "./protocol-pages.ts";
import { VIEWS } from "../packages/gateway/src/rooms/ledger/views/definitions.ts";

const MADE_BY = "<!-- Made by `npm run docs`. Edit the source, not this page. -->";

export async function referencePages(): Promise<Record<string, string>> {
  return {
    "errors.md": errorsPage(),
    ...protocolPages(MADE_BY),
    "config.md": configPage(),
    "cli.md": commandPage(),
    "hook-events.md": hookEventsPage(),
    "sql.md": sqlPage(),
  };
}

function page(title: string, about: string, body: string): string {
  return `${MADE_BY}\n\n# ${title}\n\n${about}\n\n${body.trimEnd()}\n`;
}

function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, row]) => [`\`${code}\``, row.says, row.fix, row.blame, row.retry]);
  const about =
    "Every failure the gateway can name: what it says, how to fix it, whose doing it is, and whether trying again helps.";
  return page("Errors", about, table(["code", "says", "fix", "blame", "retry"], rows));
}

function hookEventsPage(): string {
  const rows = Object.entries(HOOK_EVENTS).map(([name, row]) => {
    const part = CONTRIBUTIONS.find(({ hookEvents = [] }) => (hookEvents as readonly string[]).includes(name));
    return [`\`${name}\``, row.says, "decides" in row ? "yes" : "", part?.id ?? ""];
  });
  const about =
    "What [hooks](../guides/hooks.md) of the owner can hear, and which part of the gateway tells it. Where it says so, the gateway waits for what a handler decides.";
  return page("Events for hooks", about, table(["event", "when", "decides", "told by"], rows));
}

function sqlPage(): string {
  const about =
    'Views over the ledger for `chela sql "select …"`. Their names and columns stay; new ones may be added. Nothing else can be read, and nothing changed. ' +
    "A time is read with `datetime(at / 1000, 'unixepoch')`.";
  const parts = VIEWS.map(({ name, says, columns }) => {
    const rows = columns.map((column) => [`\`${column.name}\``, column.type, column.says]);
    return `## ${name}\n\n${says}\n\n${table(["column", "type", "says"], rows)}\n`;
  });
  return page("SQL views", about, parts.join("\n"));
}

function configPage(): string {
  const about =
    "Every key of `openclaw.json`. Secrets are never shown by any command. Keys of OpenClaw that have no effect in this version stand in a table of their own.";
  const [used, unused] = [true, false].map((isUsed) =>
    configReferenceRows().filter(({ implemented }) => implemented === isUsed),
  );
  const rows = (used ?? []).map(({ path, type, default: value, secret, description = "" }) => [
    `\`${path}\``,
    type,
    value === undefined ? "" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``,
    secret ? `secret · ${description}` : description,
  ]);
  const others = (unused ?? []).map(({ path, type, secret }) => [`\`${path}\``, type, secret ? "secret" : ""]);
  const without =
    "## Keys without effect\n\nThey are read, checked and kept, and nothing acts on them: `chela config validate` names those that a file has.";
  const body = [table(["key", "type", "default", "notes"], rows), without, table(["key", "type", "notes"], others)];
  return page("Configuration", about, body.join("\n\n"));
}

function commandPage(): string {
  const parts = commandReference().map(({ command, summary, flags }) => {
    const rows = flags.map(({ flag, help, preset }) => [
      `\`${flag}\``,
      preset === undefined ? help : `${help} (default ${preset})`,
    ]);
    return `## ${command}\n\n${summary}.\n${rows.length > 0 ? `\n${table(["flag", "meaning"], rows)}\n` : ""}`;
  });
  return page("Command line", "Every command of `chela`. `--help` shows the same in the terminal.", parts.join("\n"));
}
