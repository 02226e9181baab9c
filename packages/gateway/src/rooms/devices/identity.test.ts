// A device proves its key, its description and the server's nonce in one signed line.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  buildPayload,
  deviceIdOf,
  encodePublicKey,
  parsePublicKey,
  verifyDeviceProof,
  type DeviceProof,
  type ProofToVerify,
} from "./room.ts";

// The published test vector: seed 00 01 02 … 1f.
const ID = "56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c";
const PUBLIC_KEY = "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg";
const SIGNED_AT = 1_772_000_000_000;
const NONCE = "11111111-2222-4333-8444-555555555555";
const V2_SIGNATURE = "vE2b673gigeh0MapTGSMrxBLh2zz9FTZ0NYu-puboIeD_2xtjwszsyeGPnZLtVk1sTVGzLc0C9s6ZTjZ-eZNDA";
const V3_SIGNATURE = "QOQfgcMzMPI3midqtvXoQ7B99Wpe-25ysMEq_J44tc8nGjkwWkKZOQz7xG50TZCon0ZGL04X_4s2sJiEj2K8DQ";

const connect = {
  clientId: "cli",
  clientMode: "cli",
  role: "operator",
  scopes: ["operator.read", "operator.write"],
  token: "secret-token",
  nonce: NONCE,
  platform: "linux",
};

function proof(device: Partial<DeviceProof> = {}, more: Partial<ProofToVerify> = {}): ProofToVerify {
  return {
    ...connect,
    device: { id: ID, publicKey: PUBLIC_KEY, signature: V3_SIGNATURE, signedAt: SIGNED_AT, nonce: NONCE, ...device },
    now: SIGNED_AT,
    ...more,
  };
}

const pem = createPublicKey({
  key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(PUBLIC_KEY, "base64url")]),
  format: "der",
  type: "spki",
})
  .export({ type: "spki", format: "pem" })
  .toString();

const privatePem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

describe("device identity", () => {
  it("names a device after its raw public key", () => {
    const raw = parsePublicKey(PUBLIC_KEY);
    expect(raw?.toString("hex")).toBe("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8");
    expect(raw && deviceIdOf(raw)).toBe(ID);
  });

  it("builds the two payload lines of the test vector", () => {
    const tail = `${ID}|cli|cli|operator|operator.read,operator.write|1772000000000|secret-token|${NONCE}`;
    expect(buildPayload("v2", ID, SIGNED_AT, connect)).toBe(`v2|${tail}`);
    expect(buildPayload("v3", ID, SIGNED_AT, connect)).toBe(`v3|${tail}|linux|`);
    expect(buildPayload("v3", ID, SIGNED_AT, { ...connect, platform: "  LiNUX ", deviceFamily: "iPhone É" })).toBe(
      `v3|${tail}|linux|iphone É`,
    );
  });

  it.each([
    ["a v3 signature", {}, "v3"],
    ["a v2 signature", { signature: V2_SIGNATURE }, "v2"],
    ["a key in standard base64", { publicKey: `${PUBLIC_KEY.replace("_", "/")}=` }, "v3"],
    ["a key in PEM", { publicKey: pem }, "v3"],
    ["a signature in standard base64", { signature: Buffer.from(V3_SIGNATURE, "base64url").toString("base64") }, "v3"],
    ["a nonce with spaces around it", { nonce: ` ${NONCE} ` }, "v3"],
  ])("accepts %s", (_name, device, version) => {
    expect(verifyDeviceProof(proof(device))).toEqual({ kind: "ok", version, publicKey: PUBLIC_KEY });
  });

  it.each([
    ["another id", { id: "0".repeat(64) }, {}, "device-id-mismatch", "DEVICE_AUTH_DEVICE_ID_MISMATCH"],
    ["an old signature", {}, { now: SIGNED_AT + 120_001 }, "device-signature-stale", "DEVICE_AUTH_SIGNATURE_EXPIRED"],
    [
      "a signature of the future",
      {},
      { now: SIGNED_AT - 120_001 },
      "device-signature-stale",
      "DEVICE_AUTH_SIGNATURE_EXPIRED",
    ],
    [
      "a time that is no number",
      { signedAt: Number.NaN },
      {},
      "device-signature-stale",
      "DEVICE_AUTH_SIGNATURE_EXPIRED",
    ],
    ["no nonce", { nonce: "  " }, {}, "device-nonce-missing", "DEVICE_AUTH_NONCE_REQUIRED"],
    ["the nonce of another connection", {}, { nonce: "other" }, "device-nonce-mismatch", "DEVICE_AUTH_NONCE_MISMATCH"],
    [
      "a signature cut short",
      { signature: V3_SIGNATURE.slice(0, 40) },
      {},
      "device-signature",
      "DEVICE_AUTH_SIGNATURE_INVALID",
    ],
    ["a key that is no key", { publicKey: "AAAA" }, {}, "device-public-key", "DEVICE_AUTH_PUBLIC_KEY_INVALID"],
    ["a private key", { publicKey: privatePem }, {}, "device-public-key", "DEVICE_AUTH_PUBLIC_KEY_INVALID"],
    [
      "a PEM that is no PEM",
      { publicKey: "-----BEGIN nonsense" },
      {},
      "device-public-key",
      "DEVICE_AUTH_PUBLIC_KEY_INVALID",
    ],
  ])("rejects %s", (_name, device, more, reason, detailCode) => {
    expect(verifyDeviceProof(proof(device, more))).toMatchObject({ kind: "rejected", reason, detailCode });
  });

  it.each([
    ["role", { role: "node" }],
    ["scopes", { scopes: ["operator.admin"] }],
    ["order of scopes", { scopes: ["operator.write", "operator.read"] }],
    ["token", { token: "" }],
    ["client id", { clientId: "test" }],
    ["client mode", { clientMode: "ui" }],
    ["platform", { platform: "macos" }],
    ["device family", { deviceFamily: "phone" }],
  ])("rejects a v3 signature when the %s is not the one signed", (_name, more) => {
    expect(verifyDeviceProof(proof({}, more))).toMatchObject({ kind: "rejected", reason: "device-signature" });
  });

  it("accepts the edges of the two minutes", () => {
    for (const now of [SIGNED_AT - 120_000, SIGNED_AT + 120_000]) {
      expect(verifyDeviceProof(proof({}, { now })).kind).toBe("ok");
    }
  });

  it("rejects a key of another kind", () => {
    const { publicKey } = generateKeyPairSync("x25519");
    const text = publicKey.export({ type: "spki", format: "pem" }).toString();
    expect(parsePublicKey(text)).toBeUndefined();
  });

  it("verifies what the seed of the test vector signs", () => {
    const seed = Buffer.from("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "hex");
    const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
    const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: "der", type: "pkcs8" });
    const signature = sign(null, Buffer.from(buildPayload("v3", ID, SIGNED_AT, connect)), key).toString("base64url");
    expect(signature).toBe(V3_SIGNATURE);
    const raw = createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-32);
    expect(encodePublicKey(raw)).toBe(PUBLIC_KEY);
  });
});
