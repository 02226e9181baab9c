// Strangers ask, a person approves: codes, limits, and files that other programs change, too.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ERRORS } from "@chela/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PairingStore, type PairingRequested } from "../room.ts";
import { openWorld, type StoreWorld } from "./store.test-support.ts";

const HOUR = 60 * 60_000;
let world: StoreWorld;
let store: PairingStore;
beforeEach(() => {
  world = openWorld();
  store = new PairingStore(world.parts);
});
afterEach(() => world[Symbol.dispose]());

const path = (name: string): string => join(world.directory, name);
const readJson = (name: string): unknown => JSON.parse(readFileSync(path(name), "utf8"));
function writeText(name: string, text: string): void {
  mkdirSync(world.directory, { recursive: true });
  writeFileSync(path(name), text);
}
const writeJson = (name: string, value: unknown): void => writeText(name, JSON.stringify(value));

function codeOf(requested: PairingRequested): string {
  return requested.code;
}
const ask = async (id: string, account = "default", channel = "pigeon"): Promise<string> =>
  codeOf(await store.request(channel, account, id));

describe("what another program wrote", () => {
  it("lets people in under either name of the default account's file, at once", async () => {
    writeJson("pigeon-allowFrom.json", { version: 1, allowFrom: ["1"] });
    expect([...store.approved("pigeon", "default").ids]).toEqual(["1"]);
    writeJson("pigeon-default-allowFrom.json", { version: 1, allowFrom: ["777"] });
    expect([...store.approved("pigeon", "default").ids].sort()).toEqual(["1", "777"]);
    expect([...store.approved("pigeon", "work").ids]).toEqual([]);
    writeJson("pigeon-work-allowFrom.json", { version: 1, allowFrom: ["8"] });
    expect([...store.approved("pigeon", "work").ids]).toEqual(["8"]);
  });

  it("is taken away from both files", async () => {
    for (const name of ["pigeon-allowFrom.json", "pigeon-default-allowFrom.json"])
      writeJson(name, { version: 1, allowFrom: ["7", "9"] });
    await store.remove("pigeon", "default", "7");
    expect([...store.approved("pigeon", "default").ids]).toEqual(["9"]);
    expect(readJson("pigeon-default-allowFrom.json")).toEqual({ version: 1, allowFrom: ["9"] });
  });
});

describe("a request", () => {
  it("gets a code of eight clear signs and is written as OpenClaw writes it", async () => {
    const requested = await store.request("pigeon", "default", "7", { name: "Ada", username: undefined });
    expect(requested).toEqual({ kind: "new", code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{8}$/) });
    const now = new Date(world.clock.now()).toISOString();
    expect(readJson("pigeon-pairing.json")).toEqual({
      version: 1,
      requests: [
        {
          id: "7",
          code: codeOf(requested),
          createdAt: now,
          lastSeenAt: now,
          meta: { name: "Ada", accountId: "default" },
        },
      ],
    });
    expect(statSync(path("pigeon-pairing.json")).mode & 0o777).toBe(0o600);
  });

  it("uses all signs, each about as often", async () => {
    const signs = new Set<string>();
    for (let round = 0; round < 60; round += 1)
      for (const sign of await ask(`${round}`, `account${round}`)) signs.add(sign);
    expect([...signs].sort().join("")).toBe("23456789ABCDEFGHJKLMNPQRSTUVWXYZ");
  });

  it("keeps its code when the same person writes again, and notes when that was", async () => {
    const code = await ask("7");
    const written = statSync(path("pigeon-pairing.json"), { bigint: true }).mtimeNs;
    expect(await store.request("pigeon", "default", "7")).toEqual({ kind: "known", code });
    expect(statSync(path("pigeon-pairing.json"), { bigint: true }).mtimeNs).toBe(written);
    await world.clock.advance(60_000);
    expect(await store.request("pigeon", "default", "7")).toEqual({ kind: "known", code });
    const [pending] = store.list("pigeon");
    expect(Date.parse(pending!.lastSeenAt) - Date.parse(pending!.createdAt)).toBe(60_000);
  });

  it("ends after an hour from the first message, however often the person writes", async () => {
    const code = await ask("7");
    await world.clock.advance(HOUR - 1);
    expect(await ask("7")).toBe(code);
    await world.clock.advance(1);
    expect(store.list()).toEqual([]);
    expect(await store.approve("pigeon", code)).toEqual({ kind: "expired" });
    const again = await store.request("pigeon", "default", "7");
    expect(again.kind).toBe("new");
    expect(codeOf(again)).not.toBe(code);
    expect(await store.approve("pigeon", code)).toEqual({ kind: "unknown" });
  });

  it("is one of twenty at most for each account of each channel; whoever is quiet for longest goes (S-37)", async () => {
    expect((await store.request("owl", "default", "0")).kind).toBe("new");
    const codes = new Map<string, string>();
    for (let id = 1; id <= 20; id++) {
      codes.set(String(id), await ask(String(id)));
      await world.clock.advance(20_000);
    }
    // One of those who came first writes again, and stays.
    expect((await store.request("pigeon", "default", "1")).kind).toBe("known");
    const friend = await store.request("pigeon", "default", "friend");
    expect(friend.kind).toBe("new");
    const waiting = store.list("pigeon").map(({ id }) => id);
    expect([waiting.length, waiting.includes("1"), waiting.includes("2")]).toEqual([20, true, false]);
    expect(await store.approve("pigeon", codes.get("2") ?? "")).toEqual({ kind: "unknown" });
    expect(await store.approve("pigeon", codeOf(friend))).toMatchObject({ kind: "approved", id: "friend" });
    expect((await store.request("pigeon", "work", "4")).kind).toBe("new");
    expect((await store.request("owl", "default", "4")).kind).toBe("new");
    expect(store.list().map(({ channel, account, id }) => [channel, account, id])).toEqual(
      expect.arrayContaining([
        ["pigeon", "default", "1"],
        ["pigeon", "work", "4"],
        ["owl", "default", "4"],
        ["owl", "default", "0"],
      ]),
    );
    expect(store.list("pigeon")).toHaveLength(20);
  });

  it("stays one of twenty when all come at once", async () => {
    const ids = [...Array.from({ length: 30 }, (_, at) => String(at)), "29"];
    const all = await Promise.all(ids.map((id) => store.request("pigeon", "default", id)));
    expect(all.map(({ kind }) => kind).filter((kind) => kind === "known")).toHaveLength(1);
    expect(store.list("pigeon")).toHaveLength(20);
  });

  it("shows what strangers say about themselves without what could harm a terminal, and cut", async () => {
    await store.request("pigeon", "default", "7", {
      name: "\u001b[31mred\u202e\n",
      bio: "x".repeat(9_999),
      accountId: "work",
    });
    const [pending] = store.list();
    expect(pending).toMatchObject({ account: "default", meta: { name: " [31mred  ", bio: "x".repeat(200) } });
  });

  it.each(["", "  ", "*"])("of somebody whose id is %j is an error", async (id) => {
    await expect(store.request("pigeon", "default", id)).rejects.toMatchObject({ code: "ACCESS_STORE" });
    expect(ERRORS.ACCESS_STORE.fix).toMatch(/credentials/);
  });
});

describe("an approval", () => {
  it("lets the person in for the account they wrote to, and for no other", async () => {
    const code = await ask("7", "work");
    expect(await store.approve("pigeon", ` ${code.toLowerCase()} `)).toEqual({
      kind: "approved",
      id: "7",
      account: "work",
      isOwner: false,
    });
    expect([...store.approved("pigeon", "work").ids]).toEqual(["7"]);
    expect([...store.approved("pigeon", "default").ids, ...store.approved("owl", "work").ids]).toEqual([]);
    expect([...store.approved("pigeon-work", "default").ids]).toEqual([]);
    expect(readJson("pigeon-work-allowFrom.json")).toEqual({ version: 1, allowFrom: ["7"] });
    expect(statSync(path("pigeon-work-allowFrom.json")).mode & 0o777).toBe(0o600);
    expect(store.list()).toEqual([]);
    expect(await store.approve("pigeon", code)).toEqual({ kind: "unknown" });
  });

  it("needs the right code, channel and account", async () => {
    const code = await ask("7", "work");
    for (const wrong of ["", "AAAAAAAA", code.slice(0, 7), `${code}A`])
      expect(await store.approve("pigeon", wrong)).toEqual({ kind: "unknown" });
    expect(await store.approve("owl", code)).toEqual({ kind: "unknown" });
    expect(await store.approve("pigeon", code, { account: "default" })).toEqual({ kind: "unknown" });
    expect((await store.approve("pigeon", code, { account: "Work" })).kind).toBe("approved");
  });

  it("is not to be guessed: ten wrong codes a minute, also when all come at once", async () => {
    const code = await ask("7");
    const guesses = await Promise.all(Array.from({ length: 50 }, () => store.approve("pigeon", "AAAAAAAA")));
    expect(guesses.filter(({ kind }) => kind === "unknown")).toHaveLength(10);
    expect(await store.approve("pigeon", code)).toEqual({ kind: "too-many", retryAfterMs: 60_000 });
    expect(await store.reject("pigeon", code)).toMatchObject({ kind: "too-many" });
    await world.clock.advance(60_000);
    expect((await store.approve("pigeon", code)).kind).toBe("approved");
  });

  it("does not count right codes as guesses", async () => {
    for (let round = 0; round < 12; round += 1)
      expect((await store.approve("pigeon", await ask(`${round}`))).kind).toBe("approved");
  });

  it("makes the first person of an install owner where that is asked for, and nobody after them", async () => {
    const first = await store.approve("pigeon", await ask("7"), { owner: "if-first" });
    expect(first).toMatchObject({ isOwner: true });
    for (const [channel, account] of [
      ["pigeon", "default"],
      ["pigeon", "work"],
      ["owl", "default"],
    ] as const) {
      const next = await store.approve(channel, await ask("8", account, channel), { owner: "if-first" });
      expect(next).toMatchObject({ kind: "approved", isOwner: false });
    }
    expect([...store.owners("pigeon", "default")]).toEqual(["7"]);
    expect([...store.owners("owl", "default")]).toEqual([]);
    expect(readJson("pigeon-allowFrom.json")).toEqual({ version: 1, allowFrom: ["7", "8"], owners: ["7"] });
  });

  it("makes somebody owner when that is said, and not for being the first alone", async () => {
    expect(await store.approve("pigeon", await ask("7"))).toMatchObject({ isOwner: false });
    expect(await store.approve("pigeon", await ask("8"), { owner: "yes" })).toMatchObject({ isOwner: true });
    expect([...store.owners("pigeon", "default")]).toEqual(["8"]);
  });

  it("makes nobody owner while a file that may have approvals cannot be understood", async () => {
    writeText("owl-allowFrom.json", "{");
    expect(await store.approve("pigeon", await ask("7"), { owner: "if-first" })).toMatchObject({ isOwner: false });
  });

  it("can be taken back, with what came with it", async () => {
    await store.approve("pigeon", await ask("7"), { owner: "yes" });
    expect(await store.remove("pigeon", "default", "8")).toBe(false);
    expect(await store.remove("pigeon", "default", "7")).toBe(true);
    expect([...store.approved("pigeon", "default").ids, ...store.owners("pigeon", "default")]).toEqual([]);
    expect(await store.approve("pigeon", await ask("7"), { owner: "if-first" })).toMatchObject({ isOwner: true });
  });

  it("a rejection forgets the request, and the person may ask again", async () => {
    const code = await ask("7");
    expect(await store.reject("pigeon", code)).toEqual({ kind: "rejected", id: "7", account: "default" });
    expect([...store.approved("pigeon", "default").ids]).toEqual([]);
    expect(await ask("7")).not.toBe(code);
  });
});

describe("the files", () => {
  it("are read again when another program changed them, and the same set is given until then", async () => {
    const before = store.approved("pigeon", "default").ids;
    expect([...before]).toEqual([]);
    writeJson("pigeon-allowFrom.json", { version: 1, allowFrom: ["7", 8, 2 ** 60, "*", "", null], owners: ["7", "9"] });
    const after = store.approved("pigeon", "default").ids;
    expect([...after]).toEqual(["7", "8"]);
    expect([...store.owners("pigeon", "default")]).toEqual(["7"]);
    expect(store.approved("pigeon", "default").ids).toBe(after);
    rmSync(path("pigeon-allowFrom.json"));
    expect([...store.approved("pigeon", "default").ids]).toEqual([]);
  });

  it("keep what other programs wrote into them", async () => {
    writeJson("pigeon-allowFrom.json", { version: 1, allowFrom: ["1", { odd: true }], theirs: { a: 1 } });
    await store.approve("pigeon", await ask("7"));
    expect(readJson("pigeon-allowFrom.json")).toEqual({
      version: 1,
      allowFrom: ["1", { odd: true }, "7"],
      theirs: { a: 1 },
    });
  });

  it("approve what another program requested, and pass over what cannot be understood", async () => {
    const now = new Date(world.clock.now()).toISOString();
    const request = { id: "7", code: "ABCDEFGH", createdAt: now, lastSeenAt: now };
    const odd = [null, { id: "", code: "X" }, { ...request, id: 5 }, { ...request, id: "9", createdAt: "never" }];
    writeJson("pigeon-pairing.json", { version: 1, requests: [...odd, request] });
    expect(store.list().map(({ id, account }) => [id, account])).toEqual([["7", "default"]]);
    expect(await store.approve("pigeon", "ABCDEFGH", { account: "default" })).toMatchObject({ id: "7" });
  });

  it("lose nothing between two processes that change them at once", async () => {
    const other = new PairingStore(world.parts);
    const ids = Array.from({ length: 8 }, (_, index) => `${index}`);
    const approveWith = async (of: PairingStore, id: string) =>
      of.approve("pigeon", codeOf(await of.request("pigeon", `account${id}`, id)), { account: `account${id}` });
    const all = await Promise.all(ids.map((id, index) => approveWith(index % 2 ? store : other, id)));
    expect(all.map(({ kind }) => kind)).toEqual(ids.map(() => "approved"));
    expect(ids.map((id) => [...store.approved("pigeon", `account${id}`).ids])).toEqual(ids.map((id) => [id]));
    expect(world.waits.count).toBeGreaterThan(0);
    expect(store.list()).toEqual([]);
  });

  it.each(["{", "[]", '"x"', '{"allowFrom":"7"}'])("let nobody in when they say %s, and are kept", async (text) => {
    writeText("pigeon-allowFrom.json", text);
    expect([...store.approved("pigeon", "default").ids, ...store.approved("pigeon", "default").ids]).toEqual([]);
    expect(world.lines.filter((line) => line.includes("lets nobody in"))).toHaveLength(1);
    expect(readFileSync(path("pigeon-allowFrom.json"), "utf8")).toBe(text);
    await store.approve("pigeon", await ask("7"));
    expect([...store.approved("pigeon", "default").ids]).toEqual(["7"]);
    const aside = readdirSync(world.directory).find((name) => name.includes(".damaged."));
    expect(readFileSync(path(aside ?? ""), "utf8")).toBe(text);
  });

  it("survive a crash between letting in and forgetting the request: approving again does no harm", async () => {
    const code = await ask("7");
    const before = readFileSync(path("pigeon-pairing.json"));
    await store.approve("pigeon", code, { owner: "if-first" });
    writeFileSync(path("pigeon-pairing.json"), before);
    const next = new PairingStore(world.parts);
    expect(await next.approve("pigeon", code, { owner: "if-first" })).toMatchObject({
      kind: "approved",
      isOwner: true,
    });
    expect(readJson("pigeon-allowFrom.json")).toEqual({ version: 1, allowFrom: ["7"], owners: ["7"] });
    expect(next.list()).toEqual([]);
  });

  it("approve nobody when they cannot be written, and the code stays good", async () => {
    const code = await ask("7");
    // In the way, and cannot be set aside either.
    mkdirSync(path("pigeon-allowFrom.json"));
    mkdirSync(path(`pigeon-allowFrom.json.damaged.${world.clock.now()}/full`), { recursive: true });
    await expect(store.approve("pigeon", code)).rejects.toMatchObject({ code: "ACCESS_STORE" });
    for (const name of readdirSync(world.directory).filter((file) => file.includes("allowFrom")))
      rmSync(path(name), { recursive: true });
    expect((await store.approve("pigeon", code)).kind).toBe("approved");
  });

  it("are left alone when the lock cannot be had", async () => {
    const stuck = new PairingStore({ ...world.parts, lock: async () => undefined });
    await expect(stuck.request("pigeon", "default", "7")).rejects.toMatchObject({ code: "ACCESS_STORE" });
    expect(existsSync(path("pigeon-pairing.json"))).toBe(false);
  });

  it.each([
    ["../../etc", "default"],
    ["pigeon", "../x"],
    ["pigeon", "a/b"],
    ["pigeon", "a_b"],
    ["pigeon", "a b"],
    ["pigeon", "ä"],
    ["pigeon", "x".repeat(300)],
    ["", "default"],
  ])("of channel %j and account %j stay in their directory and are nobody else's", async (channel, account) => {
    await store.approve(channel, await ask("7", account, channel));
    expect([...store.approved(channel, account).ids]).toEqual(["7"]);
    expect(readdirSync(join(world.directory, ".."))).toEqual(["credentials"]);
    for (const name of readdirSync(world.directory))
      expect(name).toMatch(/^[a-z0-9_~-]{1,140}-(pairing|allowFrom)\.json$/);
    const others = ["a/b", "a_b", "a b", "ä", "ö", "default"].filter((other) => other !== account);
    expect(others.flatMap((other) => [...store.approved(channel, other).ids])).toEqual([]);
  });
});
