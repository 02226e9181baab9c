// S-09, S-10, S-11: on every channel, whatever kind of event it is, whoever it is from and wherever it happens: nothing
// comes of it but what the rules of that channel let this very person do in this very place.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHANNEL_CONTENT_KINDS, type Quoted } from "@chela/sdk";
import { castOf, CASTS, CHANNEL_IDS, type Cast, type World } from "../support/models/chat-cast.ts";
import {
  directWith,
  effectOf,
  eventOf,
  knownOf,
  oddPlacesOf,
  placesAsPeople,
  roomsOf,
  strangersTo,
  WORLDS,
  type Effect,
  type Place,
  type Somebody,
} from "../support/models/chat-model.ts";
import { contentsWith } from "../support/stages/channel-stage.ts";
import { openEveryChannel, ourIdOn, type EveryChannelStage } from "../support/stages/every-channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

const FORGED = "words-of-somebody-else";
const CONTENTS = contentsWith(FORGED);

/** A conversation of their own for each pair of people, so that none grows long. */
const APART = { session: { dmScope: "per-account-channel-peer" } };

let stage: EveryChannelStage;
let cases = 0;
beforeAll(async () => void (stage = await openEveryChannel({ worlds: WORLDS, config: APART })));
afterAll(async () => {
  countCases("S-09", cases);
  await stage[Symbol.asyncDispose]();
});

test("everybody is cast, and nobody for a channel that is not there", () => {
  expect(Object.keys(CASTS).toSorted()).toEqual(CHANNEL_IDS.toSorted());
});

/** Everybody who is not the known person everywhere that matters, and the known person wherever that is odd. */
function* casesOf(cast: Cast, channel: string): Generator<readonly [Somebody, Place]> {
  const rooms = roomsOf(cast);
  const known = knownOf(cast);
  const [stranger, ...others] = strangersTo(cast, ourIdOn(channel)) as [Somebody, ...Somebody[]];
  for (const who of [known, stranger]) {
    for (const place of [directWith(who), ...rooms, ...oddPlacesOf(who, cast)]) yield [who, place];
  }
  for (const who of others) for (const place of [directWith(who), ...rooms.slice(0, 1)]) yield [who, place];
  const inside = rooms.filter(({ is }) => is === "room");
  for (const who of placesAsPeople(cast)) for (const place of inside) yield [who, place];
}

/** What came of an event, as far as its channel is told. */
async function effectIn(channel: string, { name }: World, event: unknown): Promise<Effect> {
  const received = await stage.receive(channel, name, event);
  if (received.kind === "accepted") return "turn";
  if (received.why === "kept for the next turn") return "heard";
  return received.why === "the sender has to be approved first" ? "code" : "nothing";
}

const isLetIn = (effect: Effect): boolean => effect === "turn" || effect === "heard";
/** Whether the newest word in one of these requests has it. */
const isTold = (words: string, since = 0): boolean =>
  stage.model.requests.slice(since).some(({ messages }) => JSON.stringify(messages.at(-1)).includes(words));

describe.each(CHANNEL_IDS)("S-09, S-10, S-11: %s", (channel) => {
  const cast = castOf(channel);

  test.each(WORLDS)("$name: what is not allowed has no effect, of whatever kind it is", async (world) => {
    const wrong: unknown[] = [];
    for (const [who, place] of casesOf(cast, channel)) {
      for (const kind of CHANNEL_CONTENT_KINDS) {
        const expected = effectOf(channel, world, who, place, kind);
        // What is allowed is tried below: here everything is refused, or asks to be let in.
        if (isLetIn(expected)) continue;
        cases += 1;
        const found = await effectIn(channel, world, eventOf(who, place, CONTENTS[kind]));
        if (found !== expected) wrong.push({ who: who.what, place: place.what, kind, expected, found });
      }
    }
    expect(wrong).toEqual([]);
  });

  test("nothing of it was answered, shown, kept or noticed, and strangers were told how to ask, once each", async () => {
    const told = stage.sent.filter((one) => one.channel === channel);
    expect(told.filter(({ account, text }) => account !== "pairing" || !text.includes("Pairing code"))).toEqual([]);
    expect(new Set(told.map(({ text }) => text)).size).toBe(told.length);
    const { requests } = await stage.client.call("pairing.list");
    const waiting = (requests as { channel: string; accountId: string }[]).filter((one) => one.channel === channel);
    expect(new Set(waiting.map(({ accountId }) => accountId))).toEqual(new Set(["pairing"]));
    expect(waiting.length).toBeLessThanOrEqual(20);
    expect(stage.shown).toEqual([]);
    expect(stage.model.requests).toEqual([]);
    expect((await stage.client.call("sessions.list", {})).sessions).toEqual([]);
  });
});

describe("S-09, S-10, S-11: what is allowed", () => {
  test.each(CHANNEL_IDS)("takes effect on %s, of whatever kind it is", async (channel) => {
    const cast = castOf(channel);
    const known = knownOf(cast);
    const [stranger] = strangersTo(cast, ourIdOn(channel)) as [Somebody];
    const before = stage.model.requests.length;
    const wrong: unknown[] = [];
    for (const world of WORLDS) {
      const all = [known, stranger].flatMap((who) =>
        [directWith(who), ...roomsOf(cast)].map((place) => ({ who, place })),
      );
      const allowed = all.find(({ who, place }) => isLetIn(effectOf(channel, world, who, place, "message")));
      if (!allowed) continue;
      for (const kind of CHANNEL_CONTENT_KINDS) {
        // Only who is known may give commands.
        if (kind === "command" && allowed.who !== known) continue;
        cases += 1;
        const expected = effectOf(channel, world, allowed.who, allowed.place, kind);
        const event = eventOf(allowed.who, allowed.place, contentsWith(`fair-${channel}-${world.name}`)[kind]);
        const found = await effectIn(channel, world, event);
        if (found !== expected) wrong.push({ world: world.name, place: allowed.place.what, kind, expected, found });
      }
    }
    expect(wrong).toEqual([]);
    await eventually("it is told to a model", () => isTold(`fair-${channel}-known`, before) || undefined);
  });

  test("is told without a word of what was not", () => {
    expect(JSON.stringify(stage.model.requests)).not.toContain(FORGED);
    expect(stage.sent.map(({ text }) => text).join()).not.toContain(FORGED);
  });
});

describe("S-11: what is quoted", () => {
  const QUOTES: ReadonlyArray<readonly [string, boolean, (cast: Cast) => Partial<Quoted>]> = [
    ["of somebody who may speak is shown", true, ({ known }) => ({ sender: { id: known } })],
    ["of a stranger is not", false, ({ stranger }) => ({ sender: { id: stranger } })],
    ["of a stranger with a name is not", false, ({ stranger, known }) => ({ sender: { id: stranger, name: known } })],
    ["of a bot is not", false, ({ known }) => ({ sender: { id: known, isBot: true } })],
    ["of nobody is not", false, () => ({ sender: { id: "" } })],
    ["of whom nothing is known is not", false, () => ({})],
  ];
  test.each(QUOTES)("%s, on every channel", async (_what, isShown, quotedBy) => {
    for (const channel of CHANNEL_IDS) {
      const cast = castOf(channel);
      const [room] = roomsOf(cast) as [Place];
      for (const place of [directWith(knownOf(cast)), room]) {
        cases += 1;
        const mark = `asks-${cases}`;
        const words = `quoted-${cases}`;
        const replyTo: Quoted = { id: "m0", isOurs: false, text: words, ...quotedBy(cast) };
        const content = { kind: "message", text: mark, mentionsUs: true, replyTo } as const;
        const before = stage.model.requests.length;
        const world = castOf(channel).groups === "none" && place === room ? "no-rooms" : "known";
        expect((await stage.receive(channel, world, eventOf(knownOf(cast), place, content))).kind).toBe("accepted");
        await eventually(`${mark} is told`, () => isTold(mark, before) || undefined);
        expect([channel, place.what, isTold(words, before)]).toEqual([channel, place.what, isShown]);
      }
    }
  });
});
