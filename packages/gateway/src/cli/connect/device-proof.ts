// This machine's device key, for the handshake. The usual case is read by hand, because the checks of the devices room
// load more than a short command can afford; whatever is unusual is left to that room.
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "@chela/sdk/base";
import {
  buildPayload,
  deviceIdOf,
  encodePublicKey,
  type DeviceProof,
  type SignedConnect,
} from "../../rooms/devices/identity.ts";
import { readIfPresent } from "./known-settings.ts";
import { silentLog } from "../../base/terminal/command-log.ts";

export interface OwnDevice {
  readonly deviceId: string;
  prove(connect: SignedConnect, signedAt: number): DeviceProof;
}

export async function openOwnDevice(stateDir: string): Promise<OwnDevice> {
  const usual = readDevice(readIfPresent(join(stateDir, "identity", "device.json")));
  if (usual) return usual;
  const { loadOwnIdentity } = await import("../../rooms/devices/own-identity.ts");
  return loadOwnIdentity({ stateDir, clock: systemClock, log: silentLog });
}

function readDevice(text: string | undefined): OwnDevice | undefined {
  try {
    const { version, privateKeyPem, deviceId } = JSON.parse(text ?? "") as Record<string, unknown>;
    if (version !== 1 || typeof privateKeyPem !== "string") return undefined;
    const privateKey = createPrivateKey(privateKeyPem);
    if (privateKey.asymmetricKeyType !== "ed25519") return undefined;
    const raw = createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-32);
    if (deviceIdOf(raw) !== deviceId) return undefined;
    return {
      deviceId,
      prove(connect, signedAt) {
        const payload = buildPayload("v3", deviceId, signedAt, connect);
        const signature = sign(null, Buffer.from(payload), privateKey).toString("base64url");
        return { id: deviceId, publicKey: encodePublicKey(raw), signature, signedAt, nonce: connect.nonce };
      },
    };
  } catch {
    return undefined;
  }
}

const ROLE = "operator";

/** The token a gateway once gave this device. */
export function readDeviceToken(stateDir: string, deviceId: string): string | undefined {
  try {
    const file = JSON.parse(readIfPresent(authFile(stateDir)) ?? "null") as {
      deviceId?: unknown;
      tokens?: Record<string, { token?: unknown }>;
    } | null;
    const token = file?.deviceId === deviceId ? file.tokens?.[ROLE]?.token : undefined;
    return typeof token === "string" ? token : undefined;
  } catch {
    return undefined;
  }
}

export async function keepDeviceToken(
  stateDir: string,
  deviceId: string,
  grant: { readonly deviceToken: string; readonly scopes: readonly string[] },
): Promise<void> {
  if (readDeviceToken(stateDir, deviceId) === grant.deviceToken) return;
  const { createDeviceAuthStore } = await import("../../rooms/devices/own-identity.ts");
  const store = createDeviceAuthStore({ stateDir, clock: systemClock, log: silentLog });
  store.write(deviceId, { role: ROLE, token: grant.deviceToken, scopes: grant.scopes });
}

export async function forgetDeviceToken(stateDir: string, deviceId: string): Promise<void> {
  const { createDeviceAuthStore } = await import("../../rooms/devices/own-identity.ts");
  createDeviceAuthStore({ stateDir, clock: systemClock, log: silentLog }).remove(deviceId, ROLE);
}

function authFile(stateDir: string): string {
  return join(stateDir, "identity", "device-auth.json");
}
