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

const issue = () => ({
  /** Dotted; empty for the file as a whole. */
  path: z.string(),
  message: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
});
const ConfigIssue = () => z.looseObject(issue());

/** How a form shows a key. */
const UiHint = () =>
  z.looseObject({
    label: z.string(),
    help: text(),
    /** The top-level key it stands below. */
    group: text(),
    order: z.int().optional(),
    sensitive: z.boolean().optional(),
    /** Has no effect in this version. */
    advanced: z.boolean().optional(),
    placeholder: text(),
  });

const ConfigWriteResult = once(() =>
  z.looseObject({
    ok: z.literal(true),
    path: z.string(),
    config: z.unknown(),
    /** What applying it came to; config.set does not tell. */
    restart: z
      .looseObject({
        applied: z
          .looseObject({
            /** The whole process starts over. */
            restart: z.boolean(),
            /** Parts that start over by themselves. */
            hot: z.array(z.string()).readonly(),
            /** Keys that are different now. */
            changed: z.array(z.string()).readonly(),
            /** Keys that have an effect after the next start. */
            waiting: z.array(z.string()).readonly().optional(),
          })
          .optional(),
        /** What OpenClaw's clients look for; here nothing waits, is delayed or coalesced. */
        ok: z.boolean(),
        pid: z.int(),
        signal: z.string(),
        delayMs: z.number(),
        reason: z.string(),
        mode: z.string(),
        coalesced: z.boolean(),
        cooldownMsApplied: z.number(),
      })
      .optional(),
    /** The same for them. */
    sentinel: z
      .looseObject({
        path: z.string(),
        payload: z.looseObject({
          kind: z.string(),
          status: z.string(),
          ts: z.number(),
          message: z.string().nullable(),
          doctorHint: z.string(),
          stats: z.looseObject({ mode: z.string(), root: z.string() }),
        }),
      })
      .optional(),
  }),
);

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
        /** The text of the file, for administrators; a secret is a placeholder, which means "as it is" when it is sent back. */
        raw: z.string().nullable(),
        /** As written, and with included files and variables filled in. */
        parsed: z.unknown(),
        resolved: z.unknown(),
        /** As understood. */
        config: z.unknown(),
        /** To be sent with a change, so that nobody's change is lost. */
        hash: z.string(),
        issues: z.array(ConfigIssue()),
        warnings: z.array(ConfigIssue()),
        legacyIssues: z.array(ConfigIssue()),
        /** Settings that are kept, but have no effect in this version. */
        notes: z.array(ConfigIssue()),
        /** Where the configuration in use comes from. */
        source: z.enum(["file", "last-good", "defaults"]),
      }),
    ),
  },
  "config.check": {
    role: "operator",
    scope: "operator.admin",
    says: "What config.set would say to a text; nothing is written",
    params: once(() => z.strictObject({ raw: NonEmpty() })),
    result: once(() =>
      z.looseObject({
        /** Whether it could be written. */
        ok: z.boolean(),
        issues: z.array(z.looseObject({ ...issue(), level: z.enum(["error", "warning"]) })),
        /** Keys that are right and have no effect. */
        notes: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
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
    result: once(() =>
      z.looseObject({
        schema: z.record(z.string(), z.unknown()),
        /** By path; `*` stands for any name, `[]` for each entry of a list. */
        uiHints: z.record(z.string(), UiHint()),
        version: z.string(),
        generatedAt: z.string(),
      }),
    ),
  },
  "config.schema.lookup": {
    role: "operator",
    scope: "operator.read",
    says: "One place of that schema: what may stand there, and which keys are below it",
    params: once(() =>
      z.strictObject({
        /** `agents.list[].model`; `*` or a number stands for an entry of a list, any name for one of a map. */
        path: NonEmpty()
          .max(1024)
          .regex(/^[A-Za-z0-9_./[\]\-*]+$/),
      }),
    ),
    result: once(() =>
      z.looseObject({
        path: z.string(),
        schema: z.record(z.string(), z.unknown()),
        hint: UiHint().optional(),
        hintPath: text(),
        children: z.array(
          z.looseObject({
            key: z.string(),
            path: z.string(),
            type: z.union([z.string(), z.array(z.string())]).optional(),
            required: z.boolean(),
            hasChildren: z.boolean(),
            hint: UiHint().optional(),
            hintPath: text(),
          }),
        ),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
