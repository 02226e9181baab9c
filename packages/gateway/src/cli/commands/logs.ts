// `chela logs`: the gateway's log, or its file when no gateway answers.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readLogRecord } from "@chela/sdk/protocol";
import { type CommandCall, CommandFailure, timeoutOf } from "@chela/sdk/command-line";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { logDirectory } from "../../house/start/log-place.ts";
import { findGateway } from "../connect/gateway-address.ts";
import { connectTo, type GatewayClient } from "../connect/gateway-client.ts";
import { readIfPresent } from "../connect/known-settings.ts";

interface Tail {
  readonly file: string;
  readonly cursor: number;
  readonly lines: readonly string[];
}

const DEFAULT_LINES = 200;
const MOST_LINES = 5000;
const DEFAULT_BYTES = 250_000;
const MOST_BYTES = 1_000_000;
const DEFAULT_INTERVAL_MS = 1000;

/** Which lines are shown, and how much of the file is looked at for them. */
interface Choice {
  readonly limit: number;
  readonly maxBytes: number;
  keeps?(line: string): boolean;
}

export function run(call: CommandCall): Promise<number> {
  const { flags } = call;
  const limit = flags.number("limit") ?? DEFAULT_LINES;
  return show(call, { limit, maxBytes: flags.number("max-bytes") ?? DEFAULT_BYTES });
}

/** `chela channels logs`: only what is about a channel. */
export function runForChannels(call: CommandCall): Promise<number> {
  const { flags } = call;
  const wanted = flags.text("channel") ?? "all";
  const keeps = (line: string): boolean => {
    const channel = readLogRecord(line)?.["channel"];
    return wanted === "all" ? channel !== undefined : channel === wanted;
  };
  return show(call, { limit: flags.number("lines") ?? DEFAULT_LINES, maxBytes: MOST_BYTES, keeps });
}

async function show(call: CommandCall, choice: Choice): Promise<number> {
  const { flags } = call;
  const { limit, maxBytes, keeps } = choice;
  const address = await findGateway(call);
  let client: GatewayClient;
  try {
    client = await connectTo(address, timeoutOf(call));
  } catch (error) {
    const isAbsent = CommandFailure.is(error) && error.kind === "no-gateway" && address.isLocal;
    if (!isAbsent || flags.has("follow")) throw error;
    return showFile(call, choice, error);
  }
  const { connection } = client;
  const ask = async (cursor?: number): Promise<Tail> =>
    await connection.request(
      "logs.tail",
      // The limit is for what was written before; of what follows nothing may be left out.
      { maxBytes, ...(cursor === undefined ? { limit: keeps ? MOST_LINES : limit } : { cursor, limit: MOST_LINES }) },
      { timeoutMs: timeoutOf(call) },
    );
  let tail = await ask();
  printLines(chosen(tail.lines, choice), call);
  while (flags.has("follow")) {
    await new Promise((resolve) => setTimeout(resolve, flags.number("interval") ?? DEFAULT_INTERVAL_MS));
    tail = await ask(tail.cursor);
    printLines(tail.lines, call);
  }
  connection.close();
  return 0;
}

/** A gateway that does not start is when its log is wanted most. */
function showFile(call: CommandCall, choice: Choice, absent: Error): number {
  const file = newestLogFile(call);
  const text = file === undefined ? undefined : readIfPresent(file);
  if (text === undefined) throw absent;
  call.terminal.note(`No gateway answers; these are the last lines of ${file}`);
  printLines(chosen(text.trimEnd().split("\n"), choice), call);
  return 0;
}

function chosen(lines: readonly string[], { limit, keeps = () => true }: Choice): string[] {
  return lines.filter((line) => keeps(line)).slice(-limit);
}

function newestLogFile({ env, state }: CommandCall): string | undefined {
  if (env["OPENCLAW_LOG_FILE"]) return env["OPENCLAW_LOG_FILE"];
  const { paths } = openStateDirectory(env, state);
  const directory = logDirectory(paths);
  try {
    const names = readdirSync(directory).filter((name) => /^openclaw-[\d-]+\.log$/.test(name));
    const newest = names.sort().at(-1);
    return newest === undefined ? undefined : join(directory, newest);
  } catch {
    return undefined;
  }
}

function printLines(lines: readonly string[], call: CommandCall): void {
  for (const line of lines) call.terminal.print(call.flags.has("json") ? line : toReadable(line, call));
}

function toReadable(line: string, { flags, terminal }: CommandCall): string {
  const record = readLogRecord(line);
  if (!record) return line;
  const { time, level, msg, ...fields } = record;
  const style = flags.has("plain") ? undefined : terminal.style;
  const paint = level === "error" || level === "fatal" ? style?.red : level === "warn" ? style?.yellow : undefined;
  const label = String(level ?? "").padEnd(5);
  const extra = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const shown = `${label} ${String(msg ?? "")}`;
  const rest = extra.length > 0 ? `  ${extra.join(" ")}` : "";
  return `${timeOf(time, flags.has("local-time"))} ${paint ? paint(shown) : shown}${style ? style.dim(rest) : rest}`;
}

function timeOf(time: unknown, isLocal: boolean): string {
  const at = new Date(String(time));
  if (Number.isNaN(at.getTime())) return String(time ?? "");
  if (!isLocal) return at.toISOString();
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
