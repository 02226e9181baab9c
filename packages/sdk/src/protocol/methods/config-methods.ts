// The configuration file: read, checked, changed.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, text, count, type MethodSpec } from "./method-spec.ts";

const ConfigWriteParams = once(() =>
  z.strictObject({
    raw: NonEmpty(),
    baseHash: text(),
    sessionKey: text(),
    note: text(),
    restartDelayMs: count(),
  }),
);

const ConfigWriteResult = once(() => z.looseObject({ ok: z.literal(true), path: z.string(), config: z.unknown() }));

export const CONFIG_METHODS = {
  "config.get": {
    role: "operator",
    scope: "operator.read",
    says: "The configuration as typed and as understood, without secrets",
    params: empty,
    result: once(() =>
      z.looseObject({
        path: z.string(),
        exists: z.boolean(),
        valid: z.boolean(),
        config: z.unknown(),
        hash: z.string(),
      }),
    ),
  },
  "config.set": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the whole configuration file",
    params: once(() => z.strictObject({ raw: NonEmpty(), baseHash: text() })),
    result: ConfigWriteResult,
  },
  "config.apply": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the whole configuration file and applies it at once",
    params: ConfigWriteParams,
    result: ConfigWriteResult,
    controlPlane: true,
  },
  "config.patch": {
    role: "operator",
    scope: "operator.admin",
    says: "Merges an object into the configuration (null deletes a key) and applies it at once",
    params: ConfigWriteParams,
    result: ConfigWriteResult,
    controlPlane: true,
  },
  "config.schema": {
    role: "operator",
    scope: "operator.admin",
    says: "JSON Schema of the configuration, with hints for forms",
    params: empty,
    result: once(() => z.looseObject({ schema: z.unknown(), uiHints: z.unknown(), version: z.string() })),
  },
} as const satisfies Record<string, MethodSpec>;
