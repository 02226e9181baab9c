// A client keeps its key and its tokens, and never loses a file it cannot read.
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@chela/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../base/log.ts";
import { createDeviceAuthStore, loadOwnIdentity, verifyDeviceProof, type IdentityPlace } from "./room.ts";

let place: IdentityPlace;
let lines: string[];

beforeEach(() => {
  const clock = createFakeClock();
  lines = [];
  const log = createLog({ clock, level: "silent", consoleLevel: "warn", console: (line) => lines.push(line) });
  place = { stateDir: mkdtempSync(join(tmpdir(), "chela-identity-")), clock, log };
});
afterEach(() => rmSync(place.stateDir, { recursive: true, force: true }));

function foreignKey(): string {
  return generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
}

const connect = {
  clientId: "cli",
  clientMode: "cli",
  role: "operator",
  scopes: [],
  token: "t",
  nonce: "n",
  platform: "linux",
};

describe("the own identity", () => {
  it("is made once, kept private, and signs proofs the server accepts", () => {
    const first = loadOwnIdentity(place);
    const again = loadOwnIdentity(place);
    expect(again.deviceId).toBe(first.deviceId);
    const path = join(place.stateDir, "identity", "device.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      version: 1,
      deviceId: first.deviceId,
      publicKeyPem: expect.stringContaining("BEGIN PUBLIC KEY"),
      privateKeyPem: expect.stringContaining("BEGIN PRIVATE KEY"),
      createdAtMs: place.clock.now(),
    });
    const device = again.prove(connect, place.clock.now());
    expect(verifyDeviceProof({ ...connect, device, now: place.clock.now() })).toMatchObject({
      kind: "ok",
      version: "v3",
    });
    expect(readdirSync(join(place.stateDir, "identity"))).toEqual(["device.json"]);
  });

  it.each([
    ["is not JSON", () => "{"],
    ["lacks a key", () => '{"version":1}'],
    [
      "holds keys that do not belong together",
      (other: string) => JSON.stringify({ ...JSON.parse(other), publicKeyPem: foreignKey() }),
    ],
  ])("is set aside and replaced when the file %s", (_name, damage) => {
    const before = loadOwnIdentity(place);
    const path = join(place.stateDir, "identity", "device.json");
    const damaged = damage(readFileSync(path, "utf8"));
    writeFileSync(path, damaged);
    const after = loadOwnIdentity(place);
    expect(after.deviceId).not.toBe(before.deviceId);
    expect(readFileSync(`${path}.damaged.${place.clock.now()}`, "utf8")).toBe(damaged);
    expect(lines.join()).toContain("set aside");
  });
});

describe("the token store", () => {
  it("keeps one token per role with sorted scopes", () => {
    const store = createDeviceAuthStore(place);
    expect(store.read("d1", "operator")).toBeUndefined();
    store.write("d1", { role: "operator", token: "one", scopes: ["operator.write", "operator.read"] });
    store.write("d1", { role: "node", token: "two", scopes: [] });
    expect(createDeviceAuthStore(place).read("d1", "operator")).toMatchObject({
      token: "one",
      scopes: ["operator.read", "operator.write"],
    });
    store.remove("d1", "operator");
    expect(store.read("d1", "operator")).toBeUndefined();
    expect(store.read("d1", "node")?.token).toBe("two");
  });

  it("gives no token of another device, nor of a role that is a name of JavaScript", () => {
    const store = createDeviceAuthStore(place);
    store.write("d1", { role: "operator", token: "one", scopes: [] });
    expect(store.read("d2", "operator")).toBeUndefined();
    expect(store.read("d1", "constructor")).toBeUndefined();
    expect(store.read("d1", "__proto__")).toBeUndefined();
  });

  it("sets a damaged file aside", () => {
    const path = join(place.stateDir, "identity", "device-auth.json");
    mkdirSync(join(place.stateDir, "identity"));
    writeFileSync(path, "oops");
    const store = createDeviceAuthStore(place);
    store.write("d1", { role: "operator", token: "one", scopes: [] });
    expect(readFileSync(`${path}.damaged.${place.clock.now()}`, "utf8")).toBe("oops");
    expect(store.read("d1", "operator")?.token).toBe("one");
  });
});
