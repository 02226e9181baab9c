// Turns a row of a session index of any known shape into the one we write. What does not fit is kept beside, not dropped.
import { SessionEntry } from "@chela/sdk";
import { isSessionId } from "../mirror/paths.ts";

type Fields = Record<string, unknown>;

export interface SessionDefaults {
  /** For rows that do not say when they were last used. */
  readonly updatedAt: number;
  readonly newSessionId: () => string;
}

/** Older builds named direct chats `dm`. */
export const normaliseKey = (key: string): string => key.replace(/^(agent:[^:]+:(?:[^:]+:){0,2}?)dm:/, "$1direct:");

export function normaliseSession(row: Fields, defaults: SessionDefaults): SessionEntry {
  const fields = fromVersion2(row);
  const set = (name: string, value: unknown): void => {
    setAside(fields, name);
    fields[name] = value;
  };
  if (!isSessionId(fields["sessionId"])) set("sessionId", defaults.newSessionId());
  if (typeof fields["updatedAt"] !== "number") set("updatedAt", toTime(fields["updatedAt"]) ?? defaults.updatedAt);
  const parsed = SessionEntry().safeParse(fields);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) setAside(fields, String(issue.path[0]));
  return SessionEntry().parse(fields);
}

function fromVersion2(row: Fields): Fields {
  const { activeSessionId, tokenCounts, model, ...rest } = row;
  if (activeSessionId === undefined) return { ...row };
  const counts = isFields(tokenCounts) ? tokenCounts : {};
  const route = isFields(row["deliveryContext"]) ? row["deliveryContext"] : {};
  return {
    sessionId: activeSessionId,
    ...counts,
    ...(isFields(model) ? { modelProvider: model["provider"], model: model["model"] } : model ? { model } : {}),
    ...(typeof route["channel"] === "string" ? { lastChannel: route["channel"] } : {}),
    ...(typeof route["to"] === "string" ? { lastTo: route["to"] } : {}),
    ...rest,
  };
}

/** A value our schema refuses stays readable under `importedFields`. */
function setAside(fields: Fields, name: string): void {
  if (fields[name] === undefined) return;
  const aside = isFields(fields["importedFields"]) ? fields["importedFields"] : {};
  fields["importedFields"] = { ...aside, [name]: fields[name] };
  delete fields[name];
}

function toTime(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
