// Credentials on the disk: they survive damage, and are nobody else's business.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as baileys from "baileys";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Logger } from "@chela/sdk";
import { AuthFiles } from "./auth-files.ts";

const said: string[] = [];
const log: Logger = {
  log() {},
  trace() {},
  debug() {},
  info() {},
  warn: (text) => void said.push(text),
  error() {},
  child: () => log,
};
let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "chela-auth-"))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = () => AuthFiles.open(directory, baileys, log);
const link = async (): Promise<AuthFiles> => {
  const auth = await open();
  Object.assign(auth.creds, { me: { id: "15550000000:1@s.whatsapp.net", name: "bot" }, registered: true });
  await auth.flush();
  return auth;
};

describe("credentials", () => {
  it("are there again after a restart, private to this user", async () => {
    const before = await link();
    const after = await open();
    expect(after.isLinked).toBe(true);
    expect(Buffer.from(after.creds.noiseKey.private)).toEqual(Buffer.from(before.creds.noiseKey.private));
    expect(statSync(join(directory, "creds.json")).mode & 0o777).toBe(0o600);
  });

  it("without a person who agreed to them are not linked", async () => {
    expect((await open()).isLinked).toBe(false);
  });

  it.each(["", "{", "{}", '{"noiseKey":1}'])("that were damaged (%j) come back from their backup", async (broken) => {
    const auth = await link();
    await auth.flush();
    writeFileSync(join(directory, "creds.json"), broken);
    const again = await open();
    expect(again.isLinked).toBe(true);
    expect(said.at(-1)).toContain("backup");
    expect(readFileSync(join(directory, "creds.json"), "utf8")).toContain("noiseKey");
  });

  it("that were damaged never replace a good backup", async () => {
    const auth = await link();
    await auth.flush();
    writeFileSync(join(directory, "creds.json"), "{");
    await auth.flush();
    expect(JSON.parse(readFileSync(join(directory, "creds.json.bak"), "utf8"))).toHaveProperty("noiseKey");
  });

  it("that are damaged beyond repair are left as they are, and said to be", async () => {
    writeFileSync(join(directory, "creds.json"), "{");
    await expect(open()).rejects.toMatchObject({ code: "CHANNEL_AUTH" });
    expect(readFileSync(join(directory, "creds.json"), "utf8")).toBe("{");
  });

  it("saved many times at once end as the last of them", async () => {
    const auth = await link();
    for (let count = 1; count <= 50; count++) {
      auth.creds.nextPreKeyId = count;
      auth.planSave();
    }
    await auth.flush();
    expect((await open()).creds.nextPreKeyId).toBe(50);
    expect(readdirSync(directory).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("are gone when they are forgotten, and other files are not", async () => {
    const auth = await link();
    await auth.keys.set({ session: { "15551234567.0": Buffer.from("s") } });
    writeFileSync(join(directory, "inbox.jsonl"), "");
    await auth.forget();
    expect(readdirSync(directory)).toEqual(["inbox.jsonl"]);
    expect(auth.isLinked).toBe(false);
  });
});

describe("keys", () => {
  it("written at the same time are all there, the last of each", async () => {
    const auth = await open();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        auth.keys.set({ session: { [`p${index % 4}:1`]: Buffer.from(`v${index}`) } }),
      ),
    );
    const found = await (await open()).keys.get("session", ["p0:1", "p1:1", "p2:1", "p3:1", "p4:1"]);
    expect(Object.entries(found).map(([id, value]) => [id, Buffer.from(value).toString()])).toEqual([
      ["p0:1", "v36"],
      ["p1:1", "v37"],
      ["p2:1", "v38"],
      ["p3:1", "v39"],
    ]);
  });

  it("set to nothing are gone, and names do not lead out of the directory", async () => {
    const auth = await open();
    await auth.keys.set({ "sender-key": { "../../etc/x::1": Buffer.from("v") } });
    expect(readdirSync(directory)).toEqual(["sender-key-..__..__etc__x--1.json"]);
    await auth.keys.set({ "sender-key": { "../../etc/x::1": null } });
    expect(readdirSync(directory)).toEqual([]);
  });
});
