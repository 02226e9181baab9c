// Leading a conversation elsewhere: to another of its branches, or on from an earlier point with other words.
import type { ShownMessage } from "@chela/sdk/protocol";
import type { World } from "../../app/world.ts";
import type { Conversation } from "./conversation.ts";

/** Goes on from this entry; what came after it stays as a branch. */
export async function moveTo({ wire }: World, { key }: Conversation, entryId: string): Promise<void> {
  await wire.call("sessions.switch", { key, to: entryId });
}

/** Goes to the newest point of the branch this entry is on. */
export async function takeBranch({ wire }: World, { key }: Conversation, entryId: string): Promise<void> {
  await wire.call("sessions.switch", { key, to: entryId, end: true });
}

/** Says this in place of an earlier message of a person, whose branch stays. */
export async function sayAgain(
  { wire }: World,
  conversation: Conversation,
  message: ShownMessage,
  text: string,
): Promise<void> {
  const { key } = conversation;
  if (conversation.state.value.runs.length > 0) await wire.call("chat.abort", { sessionKey: key });
  await wire.call("sessions.rewind", { key, to: message.id, before: true });
  conversation.unsent.say(text);
}
