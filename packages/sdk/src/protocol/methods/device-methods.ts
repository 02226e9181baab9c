// Devices: pairing and tokens.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, type MethodSpec } from "./method-spec.ts";

const RequestIdParams = once(() => z.strictObject({ requestId: NonEmpty() }));

export const DEVICE_METHODS = {
  "device.pair.list": {
    role: "operator",
    scope: "operator.pairing",
    says: "Devices that wait for approval and devices that are paired",
    params: empty,
    result: once(() => z.object({ pending: z.array(z.looseObject({})), paired: z.array(z.looseObject({})) })),
  },
  "device.pair.approve": {
    role: "operator",
    scope: "operator.pairing",
    says: "Lets a waiting device in",
    params: RequestIdParams,
    result: once(() => z.looseObject({ requestId: z.string(), device: z.looseObject({}) })),
  },
  "device.pair.reject": {
    role: "operator",
    scope: "operator.pairing",
    says: "Turns a waiting device away",
    params: RequestIdParams,
    result: once(() => z.object({ requestId: z.string(), deviceId: z.string() })),
  },
  "device.pair.remove": {
    role: "operator",
    scope: "operator.pairing",
    says: "Forgets a paired device and closes its connections",
    params: once(() => z.strictObject({ deviceId: NonEmpty() })),
    result: once(() => z.object({ deviceId: z.string() })),
  },
  "device.token.rotate": {
    role: "operator",
    scope: "operator.pairing",
    says: "Gives a device a new token for a role and closes connections made with the old one",
    params: once(() =>
      z.strictObject({ deviceId: NonEmpty(), role: NonEmpty(), scopes: z.array(NonEmpty()).optional() }),
    ),
    result: once(() =>
      z.looseObject({ deviceId: z.string(), role: z.string(), token: z.string(), scopes: z.array(z.string()) }),
    ),
  },
  "device.token.revoke": {
    role: "operator",
    scope: "operator.pairing",
    says: "Takes a device's token for a role away and closes its connections",
    params: once(() => z.strictObject({ deviceId: NonEmpty(), role: NonEmpty() })),
    result: once(() => z.object({ deviceId: z.string(), role: z.string(), revokedAtMs: z.int() })),
  },
} as const satisfies Record<string, MethodSpec>;
