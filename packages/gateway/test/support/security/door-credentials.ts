// Everything somebody may hold who knocks: secrets that are right, wrong, of another door, taken back, used up or too old.
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { HOOK_TOKEN, MOUNT_SECRET, openDoorStage, SCRIPT_SECRET, type DoorStage } from "./door-stage.ts";
import type { TestGateway } from "../in-process.ts";
import { ALL_SCOPES, type ClientOptions, type TestDevice, type WireClient } from "../wire-client.ts";

interface DeviceKey {
  readonly device: TestDevice;
  readonly token: string;
}

export interface DoorKeys {
  readonly admin: DeviceKey;
  readonly reader: DeviceKey;
  readonly node: DeviceKey;
  readonly revoked: DeviceKey;
  readonly removed: DeviceKey;
  /** The token it had before it was given another. */
  readonly rotated: DeviceKey;
  readonly expiredCode: string;
  readonly usedCode: string;
  freshCode(): Promise<string>;
}

export const PASSWORD = "password-of-the-door-0123456789";
export const AWAY = { "x-forwarded-for": "203.0.113.9" };
const NODE: Partial<ClientOptions> = { role: "node", scopes: [], client: { id: "node-host", mode: "node" } };
const CODE_LIFE_MS = 10 * 60_000;

/** A door on a clock of the test's own, where everybody has been before. */
export async function openKeyedDoor(
  options: Parameters<typeof openDoorStage>[0] = {},
): Promise<DoorStage & { readonly keys: DoorKeys }> {
  const clock = createFakeClock();
  const stage = await openDoorStage({ ...options, clock });
  return Object.assign(stage, { keys: await mintKeys(stage.gateway, clock) });
}

async function mintKeys(gateway: TestGateway, clock: FakeClock): Promise<DoorKeys> {
  const secret = { token: gateway.token, password: PASSWORD };
  const pair = async (more: Partial<ClientOptions> = {}): Promise<DeviceKey> => {
    const client = await gateway.connect({ ...secret, ...more });
    return { device: client.device as TestDevice, token: String(client.hello.auth.deviceToken) };
  };
  const master: WireClient = await gateway.connect(secret);
  const codeOf = async (): Promise<string> => String((await master.call("access.code")).code);
  const expiredCode = await codeOf();
  await clock.advance(CODE_LIFE_MS + 1);
  const usedCode = await codeOf();
  await gateway.connect({ token: undefined, headers: AWAY, bootstrapToken: usedCode });
  const [admin, reader, node] = [await pair(), await pair({ scopes: ["operator.read"] }), await pair(NODE)];
  const [revoked, removed, rotated] = [await pair(), await pair(), await pair()];
  await master.call("device.token.revoke", { deviceId: revoked.device.id, role: "operator" });
  await master.call("device.pair.remove", { deviceId: removed.device.id });
  await master.call("device.token.rotate", { deviceId: rotated.device.id, role: "operator" });
  return { admin, reader, node, revoked, removed, rotated, expiredCode, usedCode, freshCode: codeOf };
}

/** What each secret is called in a report; none of them is a secret of the gateway itself. */
export function otherSecrets(keys: DoorKeys, freshCode: string): Record<string, string> {
  return {
    "the token of an admin's device": keys.admin.token,
    "the token of a reader's device": keys.reader.token,
    "the token of a node": keys.node.token,
    "a revoked token": keys.revoked.token,
    "the token of a removed device": keys.removed.token,
    "a token that was replaced": keys.rotated.token,
    "an expired code": keys.expiredCode,
    "a used code": keys.usedCode,
    "a good code": freshCode,
    "the token of the webhooks": HOOK_TOKEN,
    "the secret of a channel": MOUNT_SECRET,
    "the secret of the second listener": SCRIPT_SECRET,
    "a wrong secret": "wrong",
    "a letter": "x",
    "a very long secret": "y".repeat(8_000),
  };
}

/** Spellings of a right secret that are not the secret. */
export function nearMisses(secret: string): Record<string, string> {
  return {
    "all but its end": secret.slice(0, -1),
    "all but its beginning": secret.slice(1),
    "more than it": `${secret}x`,
    "it in capitals": secret.toUpperCase(),
    "it twice": `${secret},${secret}`,
    "it in quotes": `"${secret}"`,
    "it in base64": Buffer.from(secret).toString("base64"),
    "it percent-encoded": encodeURIComponent(`${secret} `),
  };
}

export interface SocketCase {
  readonly name: string;
  readonly options: Partial<ClientOptions>;
  /** Undefined: refused. */
  readonly grant: { readonly role: "operator" | "node"; readonly scopes: readonly string[] } | undefined;
}

/** Every credential of a socket, with what it is good for; `isAway` when somebody stands between it and this machine. */
export function socketCases(gateway: TestGateway, keys: DoorKeys, code: string, isAway: boolean): SocketCase[] {
  const all = { role: "operator", scopes: [...ALL_SCOPES] } as const;
  const holding = ({ device, token }: DeviceKey, more: Partial<ClientOptions> = {}): Partial<ClientOptions> => ({
    token: undefined,
    device,
    deviceToken: token,
    ...more,
  });
  const read = { scopes: ["operator.read"] };
  const node = { role: "node", scopes: [] } as const;
  const others = { ...otherSecrets(keys, code), ...nearMisses(gateway.token) };
  const refused = (name: string, options: Partial<ClientOptions>): SocketCase => ({ name, options, grant: undefined });
  const cases: SocketCase[] = [
    refused("nothing", { token: undefined }),
    refused("nothing, without a device", { token: undefined, device: null }),
    refused("an empty token", { token: "" }),
    refused("the token as a password", { token: undefined, password: gateway.token }),
    refused("the token as a code", { token: undefined, bootstrapToken: gateway.token }),
    refused("the token as a device's", { token: undefined, deviceToken: gateway.token }),
    ...Object.entries(others).flatMap(([name, secret]) => [
      refused(`${name} as a token`, { token: secret }),
      refused(`${name} as a token, without a device`, { token: secret, device: null }),
      refused(`${name} as a password`, { token: undefined, password: secret }),
      refused(`${name} as another device's`, { token: undefined, deviceToken: secret }),
      ...(secret === code ? [] : [refused(`${name} as a code`, { token: undefined, bootstrapToken: secret })]),
    ]),
    { name: "the token, without a device", options: { device: null }, grant: { role: "operator", scopes: [] } },
    { name: "the token, with a new device", options: {}, grant: isAway ? undefined : all },
    { name: "the token of its admin", options: holding(keys.admin), grant: all },
    { name: "the token of its reader", options: holding(keys.reader, read), grant: { role: "operator", ...read } },
    refused("the token of its reader, who wants more", holding(keys.reader)),
    { name: "the token of its node", options: holding(keys.node, NODE), grant: node },
    refused("the token of its node, which wants to operate", holding(keys.node)),
    refused("the token of its node, which wants to read", holding(keys.node, read)),
    refused("the token of an operator, who wants to be a node", holding(keys.admin, NODE)),
    refused("the revoked token of its device", holding(keys.revoked)),
    refused("the token of a removed device", holding(keys.removed)),
    refused("the replaced token of its device", holding(keys.rotated)),
    refused("the token of another device", { ...holding(keys.admin), device: keys.reader.device }),
    refused("a device that is known, and nothing else", { token: undefined, device: keys.admin.device }),
    refused("a code, without a device", { token: undefined, device: null, bootstrapToken: code }),
    refused("a code, for a node", { token: undefined, bootstrapToken: code, ...NODE }),
    // Uses it up, so it is the last.
    { name: "a code", options: { token: undefined, bootstrapToken: code }, grant: all },
    refused("the same code again", { token: undefined, bootstrapToken: code }),
  ];
  const headers = isAway ? AWAY : {};
  return cases.map((one) => ({ ...one, options: { headers, ...one.options } }));
}
