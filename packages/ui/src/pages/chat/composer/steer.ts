// Leading a conversation elsewhere: to another of its branches, or on from an earlier point with other words.
import type { ShownMessage } from "@chela/sdk/protocol";
import type { World } from "../../../app/world.ts";
import type { Conversation } from "../conversation.ts";
import type { SentFile } from "./unsent-messages.ts";

/** Goes on from this entry; what came after it stays as a branch. */
export async function moveTo({ wire }: World, { key }: Conversation, entryId: string): Promise<void> {
  await wire.call("sessions.switch", { key, to: entryId });
}

/** Goes to the newest point of the branch this entry is on. */
export async function takeBranch({ wire }: World, { key }: Conversation, entryId: string): Promise<void> {
  await wire.call("sessions.switch", { key, to: entryId, end: true });
}

/** Says this in place of an earlier message of a person, with the files that came with it; its branch stays. */
export async function sayAgain(
  world: World,
  conversation: Conversation,
  message: ShownMessage,
  text: string,
): Promise<void> {
  const { key } = conversation;
  // Before anything is moved: a file may be gone.
  const files = await filesOf(world, key, message);
  await stop(world, conversation);
  await world.wire.call("sessions.rewind", { key, to: message.id, before: true });
  conversation.unsent.say(text, files);
}

/** What a person said that the entry at this place came of, as far as that is known here. */
export function questionBefore({ entries }: Conversation, index: number): ShownMessage | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    const entry = entries.at(at);
    if (!entry) return undefined;
    if (entry.role === "user" && entry.kind === undefined) return entry;
    // Where another turn ended this one began, with something that no person said.
    if (entry.role === "assistant" && !entry.content?.some(({ type }) => type === "toolCall")) return undefined;
  }
  return undefined;
}

/** Says the same once more, all of it. */
export async function askAgain(world: World, conversation: Conversation, message: ShownMessage): Promise<void> {
  await sayAgain(world, conversation, message, await wholeTextOf(world, conversation, message));
}

/** Everything that was said, however little of it came at once. */
export async function wholeTextOf({ wire }: World, { key }: Conversation, message: ShownMessage): Promise<string> {
  return textOf(message.cut ? await wire.call("chat.entry", { sessionKey: key, id: message.id }) : message);
}

export function textOf({ content = [] }: ShownMessage): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

/** Resolves when nothing is being answered any more: the gateway moves no conversation that is busy. */
async function stop({ wire }: World, { key, state }: Conversation): Promise<void> {
  if (state.value.runs.length === 0) return;
  await wire.call("chat.abort", { sessionKey: key });
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (state.value.runs.length > 0) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = state.subscribe(check);
    check();
  });
}

async function filesOf({ wire }: World, sessionKey: string, { id, content = [] }: ShownMessage): Promise<SentFile[]> {
  if (!content.some(({ type }) => type === "image" || type === "media")) return [];
  const whole = await wire.call("chat.entry", { sessionKey, id });
  const files = (whole.content ?? []).map(async (block): Promise<SentFile[]> => {
    if (block.type === "media") {
      const { fileName = block.id, mimeType, bytes, data } = await wire.call("media.get", { id: block.id });
      return [{ fileName, mimeType, bytes, content: data }];
    }
    // A picture that is kept as a file, too, is taken from there.
    if (block.type !== "image" || block.mediaId !== undefined || block.data === undefined) return [];
    const { mimeType, bytes, data } = block;
    return [{ fileName: `picture.${mimeType.split("/")[1] ?? "png"}`, mimeType, bytes, content: data }];
  });
  return (await Promise.all(files)).flat();
}
