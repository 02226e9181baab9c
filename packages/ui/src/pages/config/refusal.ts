// Reasons why the gateway refused a change, as far as they can be shown at the keys they are about.
import { WireFailure } from "../../wire/failure.ts";
import { isObject } from "../../settings/json-place.ts";

export interface Refusal {
  /** Somebody else wrote the file since it was read. */
  readonly isConflict: boolean;
  readonly message: string;
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>;
}

export function refusalOf(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof WireFailure && isObject(error.details) ? error.details : {};
  const issues = Array.isArray(details["issues"]) ? details["issues"].flatMap(readIssue) : [];
  return { isConflict: message.startsWith("config changed since last load"), message, issues };
}

function readIssue(issue: unknown): Array<{ path: string; message: string }> {
  if (!isObject(issue) || typeof issue["message"] !== "string") return [];
  return [{ path: typeof issue["path"] === "string" ? issue["path"] : "", message: issue["message"] }];
}
