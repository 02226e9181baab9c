// Saves and deletes a note. What somebody else wrote meanwhile is offered beside what was typed here; neither is lost.
import type { World } from "../../app/world.ts";
import type { Draft } from "../../settings/drafts.ts";
import { WireFailure } from "../../wire/failure.ts";

export async function saveNote(world: World, agentId: string, path: string, draft: Draft<string>): Promise<void> {
  const text = draft.now.value;
  try {
    const { hash } = await world.wire.call("memory.notes.set", { agentId, path, text, baseHash: draft.hash });
    // What was typed while it was being saved goes on from what was saved.
    draft.offer(text, hash);
    draft.rebase(draft.now.value);
    world.notices.say(world.words.of("memory").saved(path));
  } catch (error) {
    await offerNewest(world, agentId, path, draft);
    // The note itself says that there is another text now.
    if (draft.newer.value === undefined) world.notices.complain(error);
  }
}

/** True when it is gone. */
export async function removeNote(world: World, agentId: string, path: string, draft: Draft<string>): Promise<boolean> {
  const words = world.words.of("memory");
  const question = { title: words.removeTitle(path), text: words.removeText, yes: words.remove, isDangerous: true };
  if (!(await world.notices.ask(question))) return false;
  try {
    await world.wire.call("memory.notes.delete", { agentId, path, baseHash: draft.hash });
    draft.discard();
    world.notices.say(words.removed(path));
    return true;
  } catch (error) {
    world.notices.complain(error);
    return false;
  }
}

/** A note that is gone is offered as an empty one: keeping one's own text writes it again. */
async function offerNewest(world: World, agentId: string, path: string, draft: Draft<string>): Promise<void> {
  try {
    const { text, hash } = await world.wire.call("memory.notes.get", { agentId, path });
    draft.offer(text, hash);
  } catch (error) {
    if (error instanceof WireFailure && error.code !== "OFFLINE") draft.offer("", "");
  }
}
