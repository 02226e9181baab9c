// Answers of the session tools. What other sessions said goes out as values of a JSON object: data, never words of ours.
import type { ToolOutput } from "@chela/sdk";

/** The same for a session that is hidden and for one that does not exist, so that nobody can find out which. */
export const NOT_VISIBLE =
  "No such session can be seen from this one. sessions_list shows those that can; " +
  "tools.sessions.visibility and tools.agentToAgent in the configuration decide it.";

export function asJson(result: Readonly<Record<string, unknown>>): ToolOutput {
  const isError = result["status"] === "error" || result["status"] === "forbidden";
  return {
    content: [{ type: "text", text: JSON.stringify(result, undefined, 2) }],
    details: result,
    ...(isError ? { isError } : {}),
  };
}

export function forbidden(): ToolOutput {
  return asJson({ status: "forbidden", error: NOT_VISIBLE });
}

export function failed(error: string): ToolOutput {
  return asJson({ status: "error", error });
}
