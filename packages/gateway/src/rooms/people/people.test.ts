// Who is who: ids, roles and limits through the room's front door.
import { describe, expect, it } from "vitest";
import { PERSON_ROLES, type Person, type PersonId, type PersonRole, type WrittenId } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { findPerson, loadPeopleChanges, MessageQuotas, People, type PersonDraft } from "./room.ts";

const HOUR_MS = 3_600_000;
const NOON = new Date(2026, 2, 3, 12).getTime();

/** A pigeon's id is a number, also written "pigeon:7"; whatever else is a name. */
async function readId(channel: string, written: string): Promise<WrittenId | undefined> {
  if (channel !== "pigeon") return undefined;
  const [, id] = /^(?:pigeon:)?(\d+)$/.exec(written) ?? [];
  return id === undefined ? { kind: "name", name: written } : { kind: "id", id };
}

async function openRoom(ledger = createMemoryLedger()) {
  const clock = createFakeClock(NOON);
  const people = new People(ledger);
  await people.load();
  const { PeopleChanges, suggestPeople } = await loadPeopleChanges();
  const desk = new PeopleChanges({ ledger, clock, people, readId });
  const spent = { usd: 0 };
  const quotas = new MessageQuotas({ ledger, clock, people, spentToday: async () => spent.usd });
  return { ledger, clock, people, desk, quotas, spent, suggest: suggestPeople };
}

const pigeon = (id: string, account?: string): PersonId => ({ channel: "pigeon", ...(account ? { account } : {}), id });
const draft = (id: string, ids: PersonId[] = [], more: Partial<PersonDraft> = {}): PersonDraft => ({
  id,
  name: id.toUpperCase(),
  role: "member",
  ids,
  ...more,
});
const person = (id: string, ids: PersonId[], role: PersonRole = "member"): Person => ({
  ...draft(id, ids, { role }),
  createdAt: 1,
  updatedAt: 1,
});

describe("finding a person", () => {
  const people = [
    person("ann", [pigeon("7"), { channel: "owl", id: "ann@x" }]),
    person("bob", [pigeon("8", "work")]),
    person("star", [{ channel: "crow", id: "*" }]),
  ];
  it.each([
    [{ channel: "pigeon", account: "default", id: "7" }, "ann"],
    [{ channel: "pigeon", account: "work", id: "7" }, "ann"],
    [{ channel: "owl", account: "default", id: "ann@x" }, "ann"],
    [{ channel: "pigeon", account: "work", id: "8" }, "bob"],
    [{ channel: "pigeon", account: "default", id: "8" }, undefined],
    [{ channel: "owl", account: "default", id: "7" }, undefined],
    [{ channel: "pigeon", account: "default", id: "ann" }, undefined],
    [{ channel: "pigeon", account: "default", id: "ANN" }, undefined],
    [{ channel: "owl", account: "default", id: "Ann@x" }, undefined],
    [{ channel: "pigeon", account: "default", id: " 7" }, undefined],
    [{ channel: "pigeon", account: "default", id: "" }, undefined],
    [{ channel: "crow", account: "default", id: "*" }, undefined],
  ])("%j is %s", (seen, found) => {
    expect(findPerson(people, seen)?.id).toBe(found);
  });

  it("means the one who may do less when the ids of a sender are two people's", async () => {
    const ledger = createMemoryLedger();
    const everybody = PERSON_ROLES.map((role, at) => person(role, [pigeon(String(at))], role));
    await ledger.commit(everybody.map((one) => ({ kind: "person-put", person: one })));
    const { people: directory } = await openRoom(ledger);
    expect(directory.of("pigeon", "default", ["0", "2"])?.id).toBe("member");
    expect(directory.of("pigeon", "default", ["3", "0"])?.id).toBe("guest");
    expect(directory.of("pigeon", "default", ["9"])).toBeUndefined();
  });
});

describe("writing people down", () => {
  it("is seen at once, without another look into the ledger, and by the next process", async () => {
    const { desk, people, ledger } = await openRoom();
    expect(await desk.put(draft("ann", [pigeon("pigeon:7")]), "cli")).toMatchObject({ kind: "done", isNew: true });
    expect(people.of("pigeon", "default", ["7"])).toMatchObject({ id: "ann", createdAt: NOON });
    const later = await openRoom(ledger);
    expect(later.people.of("pigeon", "default", ["7"])?.id).toBe("ann");
    await desk.remove("ann", "cli");
    expect(people.of("pigeon", "default", ["7"])).toBeUndefined();
    expect(later.people.all).toEqual([]);
  });

  it.each([
    ["another's id", [pigeon("7")], /pigeon:7 belongs to ANN \(ann\)\. Unlink it there first\./],
    ["another's id on one account", [pigeon("7", "work")], /belongs to ANN/],
    ["another's id, written differently", [pigeon(" pigeon:7 ")], /belongs to ANN/],
    ["a name", [pigeon("@ann")], /"@ann" is a name on pigeon, and names change hands/],
    ["everybody", [pigeon("*")], /nobody's id/],
    ["everybody on an unknown channel", [{ channel: "crow", id: " * " }], /nobody's id/],
    ["nobody", [pigeon("  ")], /nobody's id/],
    ["a device", [{ channel: "device", id: "ab12" }], /device:ab12 cannot be anybody's\. A device that was paired/],
    ["no channel", [{ channel: " ", id: "7" }], /on which channel/],
  ])("refuses %s, and changes nothing", async (_what, ids, why) => {
    const { desk, people } = await openRoom();
    await desk.put(draft("ann", [pigeon("7")]), "cli");
    expect(await desk.put(draft("bob", ids), "cli")).toEqual({ kind: "refused", why: expect.stringMatching(why) });
    await desk.put(draft("bob"), "cli");
    expect(await desk.link("bob", { add: ids }, "cli")).toEqual({ kind: "refused", why: expect.stringMatching(why) });
    expect(people.all.map(({ id, ids: known }) => [id, known.length])).toEqual([
      ["ann", 1],
      ["bob", 0],
    ]);
  });

  it("takes ids of channels it does not know, and each id once", async () => {
    const { desk } = await openRoom();
    const ids = [{ channel: "Crow", id: " x1 " }, pigeon("7"), pigeon("pigeon:7")];
    expect(await desk.put(draft("ann", ids), "cli")).toMatchObject({
      person: { ids: [{ channel: "crow", id: "x1" }, pigeon("7")] },
    });
  });

  it("gives the same id to two people on two accounts", async () => {
    const { desk, people } = await openRoom();
    await desk.put(draft("ann", [pigeon("7", "home")]), "cli");
    expect(await desk.put(draft("bob", [pigeon("7", "work")]), "cli")).toMatchObject({ kind: "done" });
    expect(people.of("pigeon", "work", ["7"])?.id).toBe("bob");
    expect(people.of("pigeon", "other", ["7"])).toBeUndefined();
  });

  it("does not let two changes at once give one id to two people", async () => {
    const { desk, people } = await openRoom();
    const both = await Promise.all(["ann", "bob"].map((id) => desk.put(draft(id, [pigeon("7")]), "cli")));
    expect(both.map(({ kind }) => kind)).toEqual(["done", "refused"]);
    expect(people.all).toHaveLength(1);
  });

  it("does not undo what somebody else changed meanwhile", async () => {
    const { desk, people } = await openRoom();
    await desk.put(draft("ann"), "cli", null);
    expect(await desk.put(draft("ann"), "cli", null)).toMatchObject({ why: /already somebody with the id "ann"/ });
    const seen = people.get("ann")?.updatedAt ?? 0;
    await desk.put(draft("ann", [], { role: "guest" }), "cli", seen);
    expect(await desk.put(draft("ann"), "cli", seen)).toMatchObject({ why: /changed meanwhile/ });
    expect(await desk.put(draft("eve"), "cli", seen)).toMatchObject({ why: /Nobody has the id "eve"/ });
    expect(people.get("ann")?.role).toBe("guest");
  });

  it("stands in the audit trail by the same commit, with who did it and what it changed", async () => {
    const { desk, ledger } = await openRoom();
    await desk.put(draft("ann", [pigeon("7")]), "device:d1");
    await desk.put(draft("ann", [pigeon("8")], { role: "owner", quota: { messagesPerDay: 2 } }), "device:d1");
    await desk.link("ann", { add: [pigeon("9", "work")], remove: [pigeon("8")] }, "cli");
    await desk.remove("ann", "cli");
    const events = await ledger.audit({ limit: 10, order: "oldest", actions: ["people"] });
    expect(events.map(({ actor, target, detail }) => ({ actor, target, ...detail }))).toEqual([
      { actor: "device:d1", target: "ann", step: "added", role: "member", linked: ["pigeon:7"] },
      {
        actor: "device:d1",
        target: "ann",
        step: "changed",
        role: "owner",
        roleBefore: "member",
        linked: ["pigeon:8"],
        unlinked: ["pigeon:7"],
        quota: { messagesPerDay: 2 },
      },
      {
        actor: "cli",
        target: "ann",
        step: "changed",
        role: "owner",
        linked: ["pigeon:9 (account work)"],
        unlinked: ["pigeon:8"],
        quota: { messagesPerDay: 2 },
      },
      { actor: "cli", target: "ann", step: "removed", role: "owner", ids: ["pigeon:9 (account work)"] },
    ]);
  });

  it("says whose an id is, and that an id is nobody's", async () => {
    const { desk } = await openRoom();
    await desk.put(draft("ann", [pigeon("7", "work")]), "cli");
    const names = async (id: PersonId) => (await desk.whoHas(id)).map((one) => one.id);
    expect(await names(pigeon("pigeon:7"))).toEqual(["ann"]);
    expect(await names(pigeon("7", "home"))).toEqual([]);
    expect(await names(pigeon("ann"))).toEqual([]);
    expect(await desk.link("ann", { remove: [pigeon("8")] }, "cli")).toMatchObject({ why: /no id of ann/ });
    expect(await desk.remove("eve", "cli")).toMatchObject({ kind: "refused" });
  });
});

describe("suggestions", () => {
  it("take what the configuration links, without what is known already", async () => {
    const people = [person("ann", [pigeon("7")])];
    const { suggest } = await openRoom();
    const links = {
      Ann: ["pigeon:7", "crow:a"],
      "Bob B.": ["pigeon:8", "pigeon:8", "+491"],
      bob_b: ["crow:b", "pigeon:@bob"],
      "": ["crow:c"],
      known: ["pigeon:7"],
    };
    expect(await suggest(links, people, readId)).toEqual([
      { id: "ann", name: "ANN", isNew: false, ids: [{ channel: "crow", id: "a" }], notes: [] },
      {
        id: "bob-b",
        name: "Bob B.",
        isNew: true,
        ids: [pigeon("8")],
        notes: [expect.stringMatching(/\+491.*no channel/)],
      },
      {
        id: "bob_b",
        name: "bob_b",
        isNew: true,
        ids: [{ channel: "crow", id: "b" }],
        notes: [expect.stringMatching(/"@bob" is a name/)],
      },
    ]);
  });
});

describe("limits on messages", () => {
  async function openLimited(quota: NonNullable<PersonDraft["quota"]>) {
    const room = await openRoom();
    await room.desk.put(draft("ann", [pigeon("7")], { quota }), "cli");
    let runs = 0;
    const take = () => room.quotas.take("ann", `run-${(runs += 1)}`);
    return { ...room, take };
  }

  it("let through as many as are allowed, then say when it goes on, under one name for each window", async () => {
    const { take, clock } = await openLimited({ messagesPerHour: 2 });
    expect([await take(), await take()]).toEqual([undefined, undefined]);
    clock.advance(10 * 60_000);
    const over = await take();
    expect(over?.text).toBe("That was your limit of 2 messages for this hour. Please write again in 50 minutes.");
    expect((await take())?.once).toBe(over?.once);
    clock.advance(50 * 60_000);
    expect([await take(), await take()]).toEqual([undefined, undefined]);
    expect((await take())?.once).not.toBe(over?.once);
  });

  it("hold for the day as well, and say so first", async () => {
    const { take, clock } = await openLimited({ messagesPerHour: 1, messagesPerDay: 2 });
    await take();
    clock.advance(HOUR_MS);
    await take();
    expect((await take())?.text).toMatch(/2 messages for this day\. Please write again in about 11 hours/);
    clock.advance(12 * HOUR_MS);
    expect(await take()).toBeUndefined();
  });

  it("count the same after a restart, and a message that comes again once", async () => {
    const { take, ledger, quotas } = await openLimited({ messagesPerDay: 3 });
    await take();
    await quotas.take("ann", "again");
    await quotas.take("ann", "again");
    const next = await openRoom(ledger);
    expect(await next.quotas.take("ann", "again")).toBeUndefined();
    expect(await next.quotas.take("ann", "third")).toBeUndefined();
    expect(await next.quotas.take("ann", "fourth")).toMatchObject({ why: "ann has sent all 3 messages of this day" });
  });

  it("can be asked how much of them is used, in this window and after a restart", async () => {
    const { take, clock, ledger, quotas, people, desk } = await openLimited({ messagesPerHour: 2, messagesPerDay: 5 });
    await desk.put(draft("eve"), "cli");
    expect(await quotas.used(people.all)).toEqual({ ann: { thisHour: 0, today: 0 } });
    for (const _ of [1, 2, 3]) await take();
    expect(await quotas.used(people.all)).toEqual({ ann: { thisHour: 2, today: 2 } });
    const next = await openRoom(ledger);
    expect(await next.quotas.used(next.people.all)).toEqual({ ann: { thisHour: 2, today: 2 } });
    clock.advance(HOUR_MS);
    await take();
    expect(await quotas.used(people.all)).toEqual({ ann: { thisHour: 1, today: 3 } });
    clock.advance(24 * HOUR_MS);
    expect(await quotas.used(people.all)).toEqual({ ann: { thisHour: 0, today: 0 } });
  });

  it("let through no more than that when many come at once", async () => {
    const { take } = await openLimited({ messagesPerHour: 3 });
    const all = await Promise.all(Array.from({ length: 20 }, () => take()));
    expect(all.filter((over) => over === undefined)).toHaveLength(3);
  });

  it("are none for those who have none, and close the door at 0", async () => {
    const { take, quotas, desk } = await openLimited({ messagesPerDay: 0 });
    expect((await take())?.text).toMatch(/not taken at the moment/);
    expect(await quotas.take("nobody", "r")).toBeUndefined();
    await desk.put(draft("ann"), "cli");
    expect(await take()).toBeUndefined();
  });

  it("hold for money, too", async () => {
    const { take, spent, people } = await openLimited({ costPerDay: 1.5 });
    expect(people.budgets()).toEqual([{ scope: "person", name: "person:ann", period: "day", usd: 1.5 }]);
    expect(await take()).toBeUndefined();
    spent.usd = 1.5;
    expect(await take()).toMatchObject({ why: "ann has spent all $1.50 of this day", text: /about 12 hours/ });
  });

  it("count nothing that could not be written", async () => {
    const { ledger, people, clock, quotas } = await openLimited({ messagesPerDay: 1 });
    const broken = new MessageQuotas({
      ledger: { value: (key) => ledger.value(key), commit: () => Promise.reject(new Error("disk full")) },
      clock,
      people,
      spentToday: async () => 0,
    });
    await expect(broken.take("ann", "r1")).rejects.toThrow("disk full");
    expect(await quotas.take("ann", "r1")).toBeUndefined();
  });
});
