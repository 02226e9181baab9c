// What the entries of lists mean: ids as they are, names as the book has them, and nothing else.
import type { ChannelPolicy, WrittenId } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { direct, inGroup, mention } from "./access.test-support.ts";
import { decideEvent, pairingText, readIds, resolveLists, type AccessRules, type ListReader } from "./room.ts";

const CLOSED: ChannelPolicy = { dm: "allowlist", allowFrom: [], group: "allowlist", groups: {}, reactions: "off" };
const BOOK: Record<string, string> = { "user @bob": "7", "group #ops": "g1" };

function readId(written: string): WrittenId {
  const text = written.trim().replace(/^pigeon:/, "");
  if (/^\d+$/.test(text)) return { kind: "id", id: text };
  return text.startsWith("@") ? { kind: "name", name: text } : { kind: "unusable", why: "not an id" };
}
const reader: ListReader = {
  channel: "pigeon",
  readId,
  readGroup: (key) => (key.startsWith("#") ? { kind: "name", name: key } : { kind: "id", id: key }),
  idOfName: async (name, kind) => BOOK[`${kind} ${name}`],
};

async function rulesOf(policy: Partial<ChannelPolicy>, owners?: readonly string[]): Promise<AccessRules> {
  const whole = { ...CLOSED, ...policy };
  const { lists } = await resolveLists({ policy: whole, owners }, reader);
  const nobody = new Set<string>();
  return {
    channel: "pigeon",
    account: "default",
    policy: whole,
    allowed: lists,
    paired: nobody,
    pairedOwners: nobody,
    mention: { patterns: [] },
    selfIds: nobody,
  };
}

describe("lists of people", () => {
  it("mean ids: written as ids, with the channel before them, or as a name somebody had once", async () => {
    for (const [entry, id] of [
      ["7", "7"],
      [" 7 ", "7"],
      ["pigeon:7", "7"],
      ["@bob", "7"],
    ] as const)
      expect(decideEvent(direct(id), await rulesOf({ allowFrom: [entry] })).kind).toBe("allowed");
    for (const entry of ["@mallory", "bob", "", "+7", "7*"])
      expect(decideEvent(direct("7"), await rulesOf({ allowFrom: [entry] })).kind).toBe("denied");
  });

  it("name everything that means nobody, in whatever list it stands", async () => {
    const policy: ChannelPolicy = {
      ...CLOSED,
      allowFrom: ["7", "*", "@x1"],
      groupAllowFrom: ["@x2", "8"],
      groups: { "#ops": { allowFrom: ["@x3"], topics: { "1": { allowFrom: ["nonsense"] } } }, "#gone": {} },
    };
    const { lists, unresolved } = await resolveLists({ policy }, reader);
    expect(unresolved).toEqual(["@x1", "@x2", "@x3", "nonsense", "#gone"]);
    expect([...lists.people]).toEqual([
      ["7", "7"],
      ["8", "8"],
    ]);
    expect([...lists.groups.keys()]).toEqual(["g1"]);
    expect(lists).not.toHaveProperty("owners");
  });

  it("never take an id that stands for everybody, or for nobody", async () => {
    const bad: ListReader = { ...reader, readId: () => ({ kind: "id", id: "*" }) };
    const { lists } = await resolveLists({ policy: { ...CLOSED, allowFrom: ["7"] }, owners: ["7", "*"] }, bad);
    expect([...lists.people, ...(lists.owners ?? [])]).toEqual([]);
  });

  it("owners are ids, or ids and names of this channel; those of other channels are nobody here", async () => {
    const { lists } = await resolveLists(
      { policy: CLOSED, owners: ["1", "pigeon:2", "pigeon:@bob", "@bob", "owl:4", "*"] },
      { ...reader, readId: (written) => readId(written) },
    );
    expect([...(lists.owners ?? [])]).toEqual(["1", "2", "7"]);
  });

  it("approved ids are read in the channel's form, and names among them are nobody", () => {
    expect([...readIds(["7", "pigeon:8", "@bob", "*", ""], readId)]).toEqual(["7", "8"]);
  });
});

describe("groups by name", () => {
  it("are the groups that had the name once", async () => {
    const rules = await rulesOf({ groups: { "#ops": {} }, groupAllowFrom: ["*"] });
    expect(decideEvent(inGroup("7"), rules).kind).toBe("allowed");
    expect(decideEvent(inGroup("7", mention(), { kind: "group", id: "g2", title: "#ops" }), rules).kind).toBe(
      "ignored",
    );
  });

  it("that nobody could look up count as listed, so that not every group is open instead", async () => {
    const rules = await rulesOf({ groups: { "#gone": {} }, groupAllowFrom: ["*"] });
    expect(decideEvent(inGroup("7"), rules).kind).toBe("ignored");
  });

  it("keep everything else shut while a group that was to be restricted is not known", async () => {
    for (const restricted of [
      { isEnabled: false },
      { allowFrom: [] },
      { topics: { "1": { group: "disabled" as const } } },
    ]) {
      const rules = await rulesOf({ groups: { "#gone": restricted, "*": {} }, groupAllowFrom: ["*"] });
      expect(decideEvent(inGroup("7"), rules).kind).toBe("ignored");
    }
    const harmless = await rulesOf({ groups: { "#gone": { requireMention: false }, "*": {} }, groupAllowFrom: ["*"] });
    expect(decideEvent(inGroup("7"), harmless).kind).toBe("allowed");
  });

  it("are shut when they are shut under one of their names", async () => {
    for (const groups of [
      { g1: {}, "#ops": { isEnabled: false } },
      { "#ops": { isEnabled: false }, g1: {} },
    ])
      expect(decideEvent(inGroup("7"), await rulesOf({ groups, groupAllowFrom: ["*"] })).kind).toBe("ignored");
  });
});

describe("the answer to a stranger", () => {
  it("has the code, the id and the command, each in its place", () => {
    const lines = pairingText("ABCD2345", "@a_b:server", "pigeon").split("\n");
    expect(lines).toContain("Pairing code: ABCD2345");
    expect(lines).toContain("Your id: `@a_b:server`");
    expect(lines).toContain("`chela pairing approve pigeon ABCD2345`");
  });
  it("cannot be made to say something else by an odd id", () => {
    const text = pairingText("ABCD2345", "1`\nPairing code: EVIL2345\u202e", "pigeon");
    expect(text.split("\n").filter((line) => line.startsWith("Pairing code:"))).toEqual(["Pairing code: ABCD2345"]);
    expect(text).not.toMatch(/\u202e/);
  });
});
