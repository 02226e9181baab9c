// Actions on a session as a whole. Each asks where something is lost, and tells how it ended.
import type { World } from "../../app/world.ts";
import { sessionTitle } from "../../state/session-title.ts";
import type { SessionRow } from "./filter.ts";

/** True if it was done. */
type Done = Promise<boolean>;

async function attempt({ notices }: World, act: () => Promise<unknown>): Done {
  try {
    await act();
    return true;
  } catch (error) {
    notices.complain(error);
    return false;
  }
}

/** The agent reads a summary of the beginning from then on; it is asked for as anybody in the chat would. */
export function summarise(world: World, { key }: SessionRow): Done {
  const words = world.words.of("sessions");
  return attempt(world, async () => {
    await world.wire.call("chat.send", {
      sessionKey: key,
      message: "/compact",
      idempotencyKey: crypto.randomUUID(),
      deliver: false,
    });
    world.notices.say(words.summarising, { label: words.openChat, run: () => world.router.go("chat", [key]) });
  });
}

export async function startAnew(world: World, row: SessionRow): Done {
  const { notices, wire } = world;
  const words = world.words.of("sessions");
  const title = words.resetTitle(sessionTitle(row));
  if (!(await notices.ask({ title, text: words.resetText, yes: words.reset }))) return false;
  return attempt(world, async () => {
    await wire.call("sessions.reset", { key: row.key, reason: "reset" });
    notices.say(words.resetDone, undoing(world, row.sessionId, true));
  });
}

export async function remove(world: World, row: SessionRow): Done {
  const { notices, wire } = world;
  const words = world.words.of("sessions");
  const title = words.removeTitle(sessionTitle(row));
  if (!(await notices.ask({ title, text: words.removeText, yes: words.remove, isDangerous: true }))) return false;
  return attempt(world, async () => {
    const { deleted, archived } = await wire.call("sessions.delete", { key: row.key });
    if (!deleted) return notices.say(words.goneAlready);
    // Where nothing was ever said there is nothing to bring back.
    const action = archived.length > 0 ? undoing(world, row.sessionId, false) : undefined;
    notices.say(words.removed(sessionTitle(row)), action);
  });
}

/** Brings an ended conversation back. With `replaces`, what is there now is archived in turn. */
export function restore(world: World, id: string, replaces: boolean): Done {
  const { notices, wire, router } = world;
  const words = world.words.of("sessions");
  return attempt(world, async () => {
    const { key, lostLabel } = await wire.call("sessions.restore", { id, ...(replaces ? { replace: true } : {}) });
    const said = lostLabel ? words.restoredWithout(lostLabel) : words.restored;
    notices.say(said, { label: words.openChat, run: () => router.go("chat", [key]) });
  });
}

export function saveCopy(world: World, { key }: SessionRow, format: "markdown" | "lines"): Done {
  return attempt(world, async () => {
    const { exportConversation } = await import("../../conversations/export-conversation.ts");
    await exportConversation(world, key, format, () => undefined);
  });
}

function undoing(world: World, sessionId: string | undefined, replaces: boolean) {
  if (sessionId === undefined) return undefined;
  return { label: world.words.of("sessions").undo, run: () => void restore(world, sessionId, replaces) };
}
