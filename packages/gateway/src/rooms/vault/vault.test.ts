import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "@chela/sdk";
import { KeyStore } from "./key-store.ts";
import { createBench, createKeyring, read, value, type VaultBench } from "./vault.test-support.ts";

let bench: VaultBench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench[Symbol.dispose]());

const document = () => JSON.parse(readFileSync(bench.file, "utf8"));
const rewrite = (change: (vault: ReturnType<typeof document>) => void): void => {
  const whole = document();
  change(whole);
  writeFileSync(bench.file, JSON.stringify(whole));
};

describe("what is kept", () => {
  test("a value comes back in another process, and stands nowhere in the files", async () => {
    await bench.open().put([value("openai", "sk-canary-1234")]);
    expect(read(bench.open(), "openai")).toBe("sk-canary-1234");
    for (const path of [bench.file, bench.keyFile]) expect(readFileSync(path, "utf8")).not.toContain("canary");
    expect(bench.told).toContain("sk-canary-1234");
  });

  test("the file says everything but values, in the form that is written down here", async () => {
    const about = { service: "openai", account: "work", capabilities: ["chat"], origin: "api.openai.com" };
    await bench.open().put([value("openai", "sk-canary-1234", about)]);
    await bench.open().put([{ id: "bot", service: "telegram", content: { kind: "env", name: "BOT" } }]);
    const at = bench.clock.now();
    const sealed = { nonce: expect.any(String), data: expect.any(String), tag: expect.any(String) };
    expect(document()).toEqual({
      version: 1,
      key: { kind: "file", id: expect.stringMatching(/^[0-9a-f]{16}$/), salt: expect.any(String), wrapped: sealed },
      entries: {
        openai: {
          service: "openai",
          account: "work",
          kind: "value",
          sealed,
          capabilities: ["chat"],
          origin: "https://api.openai.com",
          status: "unverified",
          createdAt: at,
          updatedAt: at,
        },
        bot: {
          service: "telegram",
          kind: "env",
          pointer: { kind: "env", name: "BOT" },
          status: "unverified",
          createdAt: at,
          updatedAt: at,
        },
      },
    });
    expect(Buffer.from(document().entries.openai.sealed.nonce, "base64")).toHaveLength(12);
  });

  test("only its owner can read the files, also after somebody opened them", async () => {
    await bench.open().put([value("a", "secret-value")]);
    for (const path of [bench.file, bench.keyFile]) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      chmodSync(path, 0o644);
    }
    expect(read(bench.open(), "a")).toBe("secret-value");
    for (const path of [bench.file, bench.keyFile]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("each write of the same value has a nonce of its own", async () => {
    const vault = bench.open();
    const nonces = new Set<string>();
    for (let round = 0; round < 20; round++) {
      await vault.put([value("a", "the same")]);
      nonces.add(document().entries.a.sealed.nonce);
    }
    expect(nonces.size).toBe(20);
  });

  test.each(["__proto__", "constructor", "prototype", "", ".hidden", "a b", "a\n", "x".repeat(201), "ä"])(
    "%j cannot be an id",
    async (id) => {
      await expect(bench.open().put([value(id, "v")])).rejects.toMatchObject({ code: "CREDENTIAL_REFUSED" });
      expect(existsSync(bench.file)).toBe(false);
    },
  );

  test("the list names everything and holds no value", async () => {
    const vault = bench.open();
    await vault.put([value("b", "sk-canary-1234"), value("a", "sk-canary-5678")]);
    expect(vault.list().map(({ id }) => id)).toEqual(["a", "b"]);
    expect(JSON.stringify(vault.list())).not.toContain("canary");
    expect(JSON.stringify(vault.find("a"))).not.toContain("canary");
  });

  test("what was found out and when it was used is written down; a new value is unverified again", async () => {
    const vault = bench.open();
    await vault.put([value("a", "one")]);
    await vault.note("a", { status: "failed", why: "401" });
    expect(vault.list()[0]).toMatchObject({ status: "failed", lastError: "401", verifiedAt: bench.clock.now() });
    await vault.note("a", { status: "verified" });
    expect(vault.list()[0]).not.toHaveProperty("lastError");
    vault.noteUse("a", "a call");
    await vault.close();
    expect(bench.open().list()[0]).toMatchObject({ lastUsedAt: bench.clock.now() });
    await vault.put([value("a", "two")]);
    expect(vault.list()[0]).toMatchObject({ status: "unverified" });
  });

  test("each use is told, with what it was for", async () => {
    const uses: string[] = [];
    const vault = bench.open({ used: (id, forWhat) => uses.push(`${id} ${forWhat}`) });
    await vault.put([value("a", "one")]);
    vault.noteUse("a", "model x/y");
    vault.noteUse("a", "model x/y");
    expect(uses).toEqual(["a model x/y", "a model x/y"]);
  });

  test("removing an entry that is not there says so and removes none of the others", async () => {
    const vault = bench.open();
    await vault.put([value("a", "one")]);
    await expect(vault.remove(["a", "b"])).rejects.toMatchObject({ code: "CREDENTIAL_UNKNOWN", detail: "b" });
    expect(read(vault, "a")).toBe("one");
    await vault.remove(["a"]);
    expect(read(vault, "a")).toBe("unknown");
  });
});

interface Row {
  service: string;
  origin?: string;
  sealed: { nonce: string; data: string; tag: string };
}

describe("tampering", () => {
  const flip = (text: string): string => {
    const bytes = Buffer.from(text, "base64");
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return bytes.toString("base64");
  };

  test.each([
    ["a bit of the value", (entry: Row) => (entry.sealed.data = flip(entry.sealed.data))],
    ["a bit of the tag", (entry: Row) => (entry.sealed.tag = flip(entry.sealed.tag))],
    ["a shorter tag", (entry: Row) => (entry.sealed.tag = entry.sealed.tag.slice(0, 8))],
    ["a bit of the nonce", (entry: Row) => (entry.sealed.nonce = flip(entry.sealed.nonce))],
    ["a longer nonce", (entry: Row) => (entry.sealed.nonce = `AAAA${entry.sealed.nonce}`)],
    ["another service", (entry: Row) => (entry.service = "evil")],
    ["another address", (entry: Row) => (entry.origin = "https://evil.example")],
    ["no address any more", (entry: Row) => delete entry.origin],
  ])("%s keeps the entry closed, and only that one", async (_what, change) => {
    await bench.open().put([value("a", "one", { origin: "https://good.example" }), value("b", "two")]);
    rewrite(({ entries }) => change(entries.a));
    const vault = bench.open();
    expect(read(vault, "a")).toMatch(/^unreadable: the entry "a" of the vault was changed/);
    expect(read(vault, "b")).toBe("two");
    await vault.put([value("c", "three")]);
    expect(document().entries).toHaveProperty("a");
  });

  test("an entry under the id of another does not open", async () => {
    await bench.open().put([value("a", "one", { service: "s" }), value("b", "two", { service: "s" })]);
    rewrite((whole) => {
      [whole.entries.a, whole.entries.b] = [whole.entries.b, whole.entries.a];
    });
    expect(read(bench.open(), "a")).toMatch(/^unreadable/);
    expect(read(bench.open(), "b")).toMatch(/^unreadable/);
  });

  test.each([
    ["kind", "passphrase"],
    ["id", "0123456789abcdef"],
    ["salt", "AAAAAAAAAAAAAAAAAAAAAA=="],
    ["wrapped", { nonce: "AAAAAAAAAAAAAAAA", data: "AAAA", tag: "AAAAAAAAAAAAAAAAAAAAAA==" }],
  ])("a key row with another %s opens nothing and loses nothing", async (field, other) => {
    await bench.open().put([value("a", "one")]);
    const before = readFileSync(bench.file, "utf8");
    rewrite((whole) => (whole.key[field] = other));
    const vault = bench.open();
    expect(read(vault, "a")).toMatch(/^unreadable/);
    await expect(vault.put([value("b", "two")])).rejects.toMatchObject({ code: "CREDENTIAL_UNREADABLE" });
    writeFileSync(bench.file, before);
    expect(read(bench.open(), "a")).toBe("one");
  });

  test("the key of another vault does not open this one", async () => {
    using other = createBench();
    await other.open().put([value("a", "other")]);
    await bench.open().put([value("a", "one")]);
    copyFileSync(other.keyFile, bench.keyFile);
    expect(read(bench.open(), "a")).toContain("does not hold the key of this vault");
  });

  test("a row of an unknown form is named, kept, and hides no other", async () => {
    await bench.open().put([value("a", "one")]);
    rewrite(({ entries }) => (entries.odd = { something: "else" }));
    const vault = bench.open();
    expect(read(vault, "odd")).toContain('the entry "odd" of the vault is damaged');
    await vault.put([value("b", "two")]);
    expect(document().entries.odd).toEqual({ something: "else" });
    expect(read(vault, "a")).toBe("one");
  });

  test.each(["", "{", "[]", '{"version":2,"entries":{}}', '{"version":1}'])(
    "a file that says %j is refused as a whole and not written over",
    async (text) => {
      const vault = bench.open();
      await vault.put([value("a", "one")]);
      writeFileSync(bench.file, text);
      expect(read(vault, "a")).toMatch(/^unreadable: .*vault\.json is not used/);
      await expect(vault.put([value("b", "two")])).rejects.toMatchObject({ code: "CREDENTIAL_STORE" });
      expect(readFileSync(bench.file, "utf8")).toBe(text);
    },
  );
});

describe("who keeps the key", () => {
  test("the keyring, where there is one, and then no file", async () => {
    const keyring = createKeyring();
    await bench.open({ keyring }).put([value("a", "one")]);
    expect(existsSync(bench.keyFile)).toBe(false);
    expect(bench.open({ keyring }).keyKind()).toBe("keyring");
    expect(read(bench.open({ keyring }), "a")).toBe("one");
    expect(read(bench.open(), "a")).toContain("the keyring cannot be reached here");
  });

  test("a file, when the keyring does not work", async () => {
    const keyring = { ...createKeyring(), store: async () => {} };
    await bench.open({ keyring }).put([value("a", "one")]);
    expect(bench.open().keyKind()).toBe("file");
  });

  test("a passphrase, when one is set; a wrong one and none are told apart", async () => {
    const env = () => ({ OPENCLAW_VAULT_PASSPHRASE: "correct horse" });
    await bench.open({ env }).put([value("a", "one")]);
    expect(document().key.scrypt).toEqual({ N: 65536, r: 8, p: 1 });
    expect(existsSync(bench.keyFile)).toBe(false);
    expect(read(bench.open({ env }), "a")).toBe("one");
    expect(read(bench.open({ passphrase: () => "wrong" }), "a")).toContain("the passphrase is not the one");
    expect(read(bench.open(), "a")).toContain("set OPENCLAW_VAULT_PASSPHRASE");
  });
});

describe("rotation", () => {
  test("closes every value anew with a new key, and the old key is gone", async () => {
    const vault = bench.open();
    await vault.put([value("a", "one"), value("b", "two")]);
    const before = { vault: readFileSync(bench.file, "utf8"), key: readFileSync(bench.keyFile, "utf8") };
    expect(await vault.rotate()).toEqual({ values: 2, key: "file" });
    expect([read(vault, "a"), read(bench.open(), "b")]).toEqual(["one", "two"]);
    expect(document().key.id).not.toBe(JSON.parse(before.vault).key.id);
    expect(Object.keys(JSON.parse(readFileSync(bench.keyFile, "utf8")).keys)).toEqual([document().key.id]);
    writeFileSync(bench.file, before.vault);
    expect(read(bench.open(), "a")).toMatch(/^unreadable/);
    writeFileSync(bench.keyFile, before.key);
    expect(read(bench.open(), "a")).toBe("one");
  });

  test("after a crash between the new key and the new vault, the old vault opens", async () => {
    await bench.open().put([value("a", "one")]);
    const options = { directory: join(bench.stateDir, "credentials"), keyring: undefined, passphrase: () => undefined };
    await new KeyStore(options).make("file");
    expect(Object.keys(JSON.parse(readFileSync(bench.keyFile, "utf8")).keys)).toHaveLength(2);
    expect(read(bench.open(), "a")).toBe("one");
    await bench.open().rotate();
    expect(Object.keys(JSON.parse(readFileSync(bench.keyFile, "utf8")).keys)).toHaveLength(1);
    expect(read(bench.open(), "a")).toBe("one");
  });

  test("after a crash between the new vault and the end of the old key, the new vault opens", async () => {
    const keyring = createKeyring();
    await bench.open({ keyring }).put([value("a", "one")]);
    const forget = () => Promise.reject(new Error("killed"));
    await expect(bench.open({ keyring: { ...keyring, forget } }).rotate()).rejects.toThrow("killed");
    expect(keyring.items.size).toBe(2);
    expect(read(bench.open({ keyring }), "a")).toBe("one");
  });

  test("from one place of the key to another and back", async () => {
    const keyring = createKeyring();
    const vault = bench.open({ keyring });
    await vault.put([value("a", "one")]);
    expect(await vault.rotate("file")).toMatchObject({ key: "file" });
    expect(keyring.items.size).toBe(0);
    expect(read(bench.open(), "a")).toBe("one");
    await bench.open().rotate("passphrase", new Secret("swordfish"));
    expect(JSON.parse(readFileSync(bench.keyFile, "utf8")).keys).toEqual({});
    expect(read(bench.open({ passphrase: () => "swordfish" }), "a")).toBe("one");
    await bench.open({ passphrase: () => "swordfish", keyring }).rotate("keyring");
    expect(read(bench.open({ keyring }), "a")).toBe("one");
  });

  test("is refused while an entry cannot be taken along, and changes nothing", async () => {
    await bench.open().put([value("a", "one"), value("b", "two")]);
    rewrite(({ entries }) => (entries.a.service = "evil"));
    const before = readFileSync(bench.file, "utf8");
    await expect(bench.open().rotate()).rejects.toMatchObject({
      code: "CREDENTIAL_UNREADABLE",
      detail: expect.stringContaining('"a"'),
    });
    expect(readFileSync(bench.file, "utf8")).toBe(before);
    expect(read(bench.open(), "b")).toBe("two");
  });

  test("another process that has the vault open goes on after it", async () => {
    const other = bench.open();
    await bench.open().put([value("a", "one")]);
    expect(read(other, "a")).toBe("one");
    await bench.open().rotate();
    expect(read(other, "a")).toBe("one");
  });
});

test("two processes that add at the same time lose nothing", async () => {
  const room = fileURLToPath(new URL("room.ts", import.meta.url));
  const script = `
    const { createVault } = await import(${JSON.stringify(room)});
    const { systemClock } = await import("@chela/sdk/base");
    const { Secret } = await import("@chela/sdk");
    const [stateDir, name] = process.argv.slice(1);
    const log = { warn() {} };
    // Waiting for a lock does not keep a process alive by itself.
    const alive = setInterval(() => {}, 1000);
    const vault = createVault({ stateDir, clock: systemClock, log, env: () => ({}), workspaces: () => [], keyring: null });
    for (let n = 0; n < 8; n++) {
      await vault.put([{ id: name + n, service: "s", content: { kind: "value", value: new Secret(name + n) } }]);
    }
    clearInterval(alive);
  `;
  const run = async (name: string): Promise<number> => {
    const args = ["--input-type=module", "-e", script, bench.stateDir, name];
    const child = spawn(process.execPath, args, {
      cwd: fileURLToPath(new URL("../../../", import.meta.url)),
      stdio: "ignore",
    });
    const [code] = await once(child, "exit");
    return Number(code);
  };
  expect(await Promise.all([run("left"), run("right")])).toEqual([0, 0]);
  const vault = bench.open();
  const ids = ["left", "right"].flatMap((name) => [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `${name}${n}`));
  expect(ids.map((id) => read(vault, id))).toEqual(ids);
});
