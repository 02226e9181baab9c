// Messages that agents send with the tool `message`: what a call asks for, and in whose name.
import { createHash } from "node:crypto";
import type { ToolContext } from "@chela/sdk";
import { readPoll, type Actor, type MessageRequest, type MessageSender } from "./request.ts";
import type { MessageArguments, MessageToolResult } from "../../rooms/tools/room.ts";

export async function actForAgent(
  sender: Pick<MessageSender, "perform">,
  args: MessageArguments,
  context: ToolContext,
): Promise<MessageToolResult> {
  const result = await sender.perform(requestOf(args), actorOf(args, context));
  if (result.kind === "sent") return { kind: "sent", deliveries: result.deliveries.map((one) => ({ ...one })) };
  return { kind: "done", from: [result.channel, result.to].filter(Boolean).join(" "), found: result.found };
}

/** Some providers use the name of a call twice in a turn: only the same call with the same words is the same message. */
function actorOf(args: MessageArguments, context: ToolContext): Actor {
  const { agentId, sessionKey, runId, toolCallId, requester, workspace, sandbox, closedNotes, signal } = context;
  const words = createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 8);
  const key = `${runId}:tool:${toolCallId}:${words}`;
  return {
    kind: "agent",
    key,
    agentId,
    sessionKey,
    runId,
    requester,
    workspace,
    signal,
    ...(sandbox ? { sandbox } : {}),
    ...(closedNotes ? { closedNotes } : {}),
  };
}

function requestOf(args: MessageArguments): MessageRequest {
  const { media, buffer, filename, contentType, buttons } = args;
  return {
    ...args,
    media: media ? [media] : undefined,
    file: buffer ? { base64: buffer, name: filename, mimeType: contentType } : undefined,
    buttons: buttons?.map((row) => row.map(({ text, callback_data: data }) => ({ text, data }))),
    poll: readPoll(args),
  };
}
