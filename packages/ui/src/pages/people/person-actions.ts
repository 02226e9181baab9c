// Actions on a person. What gives somebody power is asked about, and says what it means.
import type { World } from "../../app/world.ts";
import { givesPower, writeId, type Draft, type Person, type PersonId, type Suggestion } from "./person-facts.ts";

/** False when somebody thought better of it. What gives no power needs no question. */
export async function isSure(
  world: World,
  before: Person | undefined,
  after: Pick<Draft, "name" | "role" | "ids">,
): Promise<boolean> {
  if (!givesPower(before, after)) return true;
  const words = world.words.of("people");
  const { name, role, ids } = after;
  const who = ids.length > 0 ? words.whoeverWrites(ids.map(writeId).join(", ")) : words.whoeverLater;
  const isOwner = role === "owner";
  return world.notices.ask({
    title: isOwner ? words.ownerTitle(name) : words.approverTitle(name),
    text: `${isOwner ? words.ownerMeans : words.approverMeans} ${who}`,
    yes: isOwner ? words.ownerYes : words.approverYes,
    isDangerous: true,
  });
}

export async function unlinkId(world: World, person: Person, id: PersonId): Promise<void> {
  const words = world.words.of("people");
  const question = {
    title: words.unlinkTitle(writeId(id), person.name),
    text: person.role === "guest" || person.quota ? words.unlinkFrees : words.unlinkText,
    yes: words.unlink,
    isDangerous: true,
  };
  if (!(await world.notices.ask(question))) return;
  await attempt(world, async () => {
    await world.wire.call("people.link", { id: person.id, remove: [id] });
    world.notices.say(words.unlinked(writeId(id), person.name));
  });
}

/** "Guest" and limits take something away: without them the configuration alone decides again. */
export async function forget(world: World, person: Person): Promise<void> {
  const words = world.words.of("people");
  const { id, name } = person;
  const text = person.role === "guest" || person.quota ? words.removeFrees : words.removeText;
  const question = { title: words.removeTitle(name), text, yes: words.remove, isDangerous: true };
  if (!(await world.notices.ask(question))) return;
  await attempt(world, async () => {
    await world.wire.call("people.delete", { id });
    world.notices.say(words.removed(name));
  });
}

/** Takes up what the configuration says already. A new person is a guest until somebody says more. */
export async function takeUp(
  world: World,
  { id, name, isNew, ids }: Suggestion,
  known: Person | undefined,
): Promise<void> {
  const words = world.words.of("people");
  if (known && !(await isSure(world, known, { ...known, ids: [...known.ids, ...ids] }))) return;
  await attempt(world, async () => {
    if (isNew) await world.wire.call("people.put", { person: { id, name, role: "guest", ids }, ifUpdatedAt: null });
    else await world.wire.call("people.link", { id, add: ids });
    world.notices.say(isNew ? words.addedGuest(name) : words.linked(ids.map(writeId).join(", "), name));
  });
}

async function attempt({ notices }: World, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    notices.complain(error);
  }
}
