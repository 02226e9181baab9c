// Devices: pairing and tokens.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { empty, flag, text, type MethodSpec } from "../method-spec.ts";

const RequestIdParams = once(() => z.strictObject({ requestId: NonEmpty() }));

/** What a device says of itself: none of it is proven but its id. */
const about = () => ({
  deviceId: z.string(),
  /** What its id is made from. */
  publicKey: text(),
  displayName: text(),
  platform: text(),
  deviceFamily: text(),
  clientId: text(),
  clientMode: text(),
  role: text(),
  roles: z.array(z.string()).optional(),
  scopes: z.array(z.string()).optional(),
  /** Left out for the gateway's own machine. */
  remoteIp: text(),
});

const WaitingDevice = () =>
  z.looseObject({
    requestId: z.string(),
    ...about(),
    /** It is paired already and asks for more. */
    isRepair: flag(),
    /** Whether it asked to be let in without a question; no notice is taken of it. */
    silent: flag(),
    /** What it asks for beyond what it was approved for. */
    adds: z.object({ roles: z.array(z.string()), scopes: z.array(z.string()) }).optional(),
    /** Of a node: what it offers. */
    caps: z.array(z.string()).optional(),
    commands: z.array(z.string()).optional(),
    permissions: z.record(z.string(), z.boolean()).optional(),
    ts: z.number(),
    expiresAtMs: z.number(),
  });

/** The secret itself is never told. */
const TokenFacts = () =>
  z.object({
    role: z.string(),
    scopes: z.array(z.string()).readonly(),
    createdAtMs: z.number(),
    rotatedAtMs: z.number().optional(),
    revokedAtMs: z.number().optional(),
    lastUsedAtMs: z.number().optional(),
  });

const PairedDevice = () =>
  z.object({
    ...about(),
    createdAtMs: z.number(),
    approvedAtMs: z.number(),
    tokens: z.array(TokenFacts()).readonly(),
  });

export const DEVICE_METHODS = {
  "device.pair.list": {
    role: "operator",
    scope: "operator.pairing",
    offline: "look",
    says: "Devices that wait for approval and devices that are paired",
    params: empty,
    result: once(() => z.object({ pending: z.array(WaitingDevice()), paired: z.array(PairedDevice()) })),
  },
  "device.pair.approve": {
    role: "operator",
    scope: "operator.pairing",
    offline: "note",
    says: "Lets a waiting device in",
    params: RequestIdParams,
    result: once(() => z.looseObject({ requestId: z.string(), device: PairedDevice() })),
  },
  "device.pair.reject": {
    role: "operator",
    scope: "operator.pairing",
    offline: "note",
    says: "Turns a waiting device away",
    params: RequestIdParams,
    result: once(() => z.object({ requestId: z.string(), deviceId: z.string() })),
  },
  "device.pair.remove": {
    role: "operator",
    scope: "operator.pairing",
    offline: "note",
    says: "Forgets a paired device and closes its connections",
    params: once(() => z.strictObject({ deviceId: NonEmpty() })),
    result: once(() => z.object({ deviceId: z.string() })),
  },
  "device.token.rotate": {
    role: "operator",
    scope: "operator.pairing",
    offline: "note",
    says: "Gives a device a new token for a role and closes connections made with the old one",
    params: once(() =>
      z.strictObject({ deviceId: NonEmpty(), role: NonEmpty(), scopes: z.array(NonEmpty()).optional() }),
    ),
    result: once(() =>
      z.looseObject({
        deviceId: z.string(),
        role: z.string(),
        token: z.string(),
        scopes: z.array(z.string()).readonly(),
        rotatedAtMs: z.number(),
      }),
    ),
  },
  "device.token.revoke": {
    role: "operator",
    scope: "operator.pairing",
    offline: "note",
    says: "Takes a device's token for a role away and closes its connections",
    params: once(() => z.strictObject({ deviceId: NonEmpty(), role: NonEmpty() })),
    result: once(() => z.object({ deviceId: z.string(), role: z.string(), revokedAtMs: z.int() })),
  },
} as const satisfies Record<string, MethodSpec>;

export const DEVICE_SETUP_METHODS = {
  "device.setup.create": {
    role: "operator",
    scope: "operator.pairing",
    says: "Makes a setup code with which one device can be paired, once and within ten minutes",
    params: once(() =>
      z.strictObject({
        /** What the device will be called. */
        name: NonEmpty().max(80).optional(),
        /** As what it may connect; both when absent. */
        role: z.enum(["operator", "node"]).optional(),
        /** The gateway's address as the device can reach it; found by the gateway itself when absent. */
        url: NonEmpty().max(2000).optional(),
      }),
    ),
    result: once(() =>
      z.object({
        setupCode: z.string(),
        url: z.string(),
        expiresAtMs: z.number(),
        roles: z.array(z.enum(["operator", "node"])).readonly(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
