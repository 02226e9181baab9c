// Methods for who is connected, and what happened.
import * as z from "zod";
import { once } from "../../schema.ts";
import { PresenceEntry } from "../connect.ts";
import { NonEmpty } from "../frames.ts";
import { empty, okResult, text, type MethodSpec } from "./method-spec.ts";

export const SystemEventParams = once(() =>
  z.strictObject({
    text: NonEmpty(),
    deviceId: text(),
    instanceId: text(),
    host: text(),
    ip: text(),
    mode: text(),
    version: text(),
    platform: text(),
    deviceFamily: text(),
    modelIdentifier: text(),
    lastInputSeconds: z.number().optional(),
    reason: text(),
    roles: z.array(z.string()).optional(),
    scopes: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
  }),
);

export const PRESENCE_METHODS = {
  "system-presence": {
    role: "operator",
    scope: "operator.read",
    says: "Who is connected",
    params: empty,
    result: once(() => z.array(PresenceEntry())),
  },
  "gateway.identity.get": {
    role: "operator",
    scope: "operator.read",
    says: "The device this gateway is to others: its id, and the public key the id is made from",
    params: empty,
    result: once(() => z.object({ deviceId: z.string(), publicKey: z.string() })),
  },
  "system-event": {
    role: "operator",
    scope: "operator.admin",
    says: "Notes an event for the main session and updates presence",
    params: SystemEventParams,
    result: okResult,
  },
} as const satisfies Record<string, MethodSpec>;
