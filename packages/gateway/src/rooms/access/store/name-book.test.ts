// A name is looked up once; what it stood for then is what it stands for.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NameBook, type LookUp } from "../room.ts";
import { openWorld, type StoreWorld } from "./store.test-support.ts";

const HERE = { channel: "pigeon", account: "default" };
let world: StoreWorld;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world[Symbol.dispose]());

const answering =
  (id: string | undefined): LookUp =>
  async () =>
    id;

describe("the book of names", () => {
  it("keeps the id a name had first, whoever takes the name later, also after a restart (S-09)", async () => {
    const book = new NameBook(world.parts);
    expect(await book.idOf(HERE, "@bob", "user", answering("7"))).toBe("7");
    expect(await book.idOf(HERE, "@bob", "user", answering("666"))).toBe("7");
    expect(await new NameBook(world.parts).idOf(HERE, "@bob", "user", answering("666"))).toBe("7");
    expect(await new NameBook(world.parts).idOf(HERE, "@bob", "user")).toBe("7");
    expect(JSON.parse(readFileSync(join(world.directory, "pigeon-names.json"), "utf8"))).toEqual({
      version: 1,
      names: { "@bob": { id: "7", at: new Date(world.clock.now()).toISOString() } },
    });
  });

  it("has pages of their own for accounts, for channels, and for groups", async () => {
    const book = new NameBook(world.parts);
    await book.idOf(HERE, "bob", "user", answering("7"));
    expect(await book.idOf(HERE, "bob", "group", answering("g7"))).toBe("g7");
    expect(await book.idOf({ ...HERE, account: "work" }, "bob", "user", answering("8"))).toBe("8");
    expect(await book.idOf({ ...HERE, channel: "owl" }, "bob", "user")).toBeUndefined();
    expect(await book.idOf(HERE, "bob", "user")).toBe("7");
  });

  it.each([undefined, "", " ", "*", 7 as unknown as string])("does not take %j for an id", async (id) => {
    const book = new NameBook(world.parts);
    expect(await book.idOf(HERE, "@bob", "user", answering(id))).toBeUndefined();
    expect(await book.idOf(HERE, "@bob", "user", answering("7"))).toBe("7");
  });

  it.each(["constructor", "__proto__", "toString"])("knows nothing about %s before it was looked up", async (name) => {
    const book = new NameBook(world.parts);
    expect(await book.idOf(HERE, name, "user")).toBeUndefined();
    await book.idOf(HERE, "@bob", "user", answering("7"));
    expect(await book.idOf(HERE, name, "user")).toBeUndefined();
  });

  it("gives no id when the platform cannot be asked, and asks again next time", async () => {
    const book = new NameBook(world.parts);
    const offline: LookUp = async () => Promise.reject(new Error("no connection"));
    expect(await book.idOf(HERE, "@bob", "user", offline)).toBeUndefined();
    expect(world.lines.join()).toMatch(/could not be looked up/);
    expect(await book.idOf(HERE, "@bob", "user", answering("7"))).toBe("7");
  });

  it("gives no id when it cannot be written down, or when the book cannot be read", async () => {
    const stuck = new NameBook({ ...world.parts, lock: async () => undefined });
    expect(await stuck.idOf(HERE, "@bob", "user", answering("7"))).toBeUndefined();
    mkdirSync(world.directory, { recursive: true });
    writeFileSync(join(world.directory, "pigeon-names.json"), "{ damaged");
    expect(await new NameBook(world.parts).idOf(HERE, "@bob", "user", answering("666"))).toBeUndefined();
    expect(readFileSync(join(world.directory, "pigeon-names.json"), "utf8")).toBe("{ damaged");
  });

  it("agrees with another process that was faster", async () => {
    const [one, other] = [new NameBook(world.parts), new NameBook(world.parts)];
    const found = await Promise.all([
      one.idOf(HERE, "@bob", "user", answering("7")),
      other.idOf(HERE, "@bob", "user", answering("8")),
    ]);
    expect(new Set(found).size).toBe(1);
  });
});
