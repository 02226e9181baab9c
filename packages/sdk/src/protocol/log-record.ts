// One line of the log, read: its own fields, without the second form that stands in it for OpenClaw's clients.
import { isObject, parseJson } from "../base/json.ts";

/**
 * Undefined when it is no line of a log. One that OpenClaw wrote has the second form only, and is given its time,
 * level and text from that.
 */
export function readLogRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  const record = parseJson(line);
  if (!isObject(record)) return undefined;
  const own = Object.fromEntries(Object.entries(record).filter(([key]) => key !== "_meta" && !/^\d+$/.test(key)));
  return "msg" in own || "message" in own ? own : { ...fromSecondForm(record), ...own };
}

function fromSecondForm(record: Record<string, unknown>): Record<string, unknown> {
  const meta = isObject(record["_meta"]) ? record["_meta"] : {};
  const parts = Object.keys(record).filter((key) => /^\d+$/.test(key));
  const texts = parts.map((key) => record[key]).map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
  return {
    ...(typeof meta["date"] === "string" ? { time: meta["date"] } : {}),
    ...(typeof meta["logLevelName"] === "string" ? { level: meta["logLevelName"].toLowerCase() } : {}),
    ...(texts.length > 0 ? { msg: texts.join(" ") } : {}),
  };
}
