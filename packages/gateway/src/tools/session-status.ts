// The tool `session_status`: lets an agent see which conversation, model and time it is in.
import * as z from "zod";
import { once, type SessionEntry, type Tool } from "@chela/sdk";

export interface SessionStatusParts {
  session(key: string): Promise<SessionEntry | undefined>;
  modelOf(entry: SessionEntry | undefined): Promise<string>;
  now(): number;
}

const Parameters = once(() =>
  z.strictObject({}).describe("No arguments: the status is always that of the present conversation."),
);

export function sessionStatusTool(parts: SessionStatusParts): Tool {
  return {
    name: "session_status",
    label: "Session status",
    description: "Shows the time, the model in use and the tokens of this conversation.",
    family: "sessions",
    effects: ["read"],
    parameters: Parameters,
    async run(_args, context) {
      const entry = await parts.session(context.sessionKey);
      const lines = [
        `Time: ${new Date(parts.now()).toISOString()}`,
        `Session: ${context.sessionKey}`,
        `Agent: ${context.agentId}`,
        `Model: ${await parts.modelOf(entry)}`,
        `Tokens: ${entry?.inputTokens ?? 0} in, ${entry?.outputTokens ?? 0} out`,
        `Context: ${entry?.totalTokens ?? 0} of ${entry?.contextTokens ?? "?"} tokens`,
        `Compactions: ${entry?.compactionCount ?? 0}`,
      ];
      return { content: [{ type: "text", text: lines.join("\n") }], details: { sessionKey: context.sessionKey } };
    },
  };
}
