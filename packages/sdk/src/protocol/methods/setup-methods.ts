// The way to a first model: what there is, whether it works, and taking it into use.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, text, type MethodSpec } from "./method-spec.ts";

const place = () => ({
  /** A known provider, or a new id for one with an address of its own. */
  provider: NonEmpty().max(64),
  apiKey: z.string().max(4096).optional(),
  baseUrl: z.string().max(2048).optional(),
});

const ServedModel = () => z.looseObject({ id: z.string(), name: z.string() });

const SetupProvider = () =>
  z.looseObject({
    id: z.string(),
    label: z.string(),
    kind: z.enum(["hosted", "local", "custom"]),
    /** Where a key can be made. */
    keyUrl: text(),
    /** The environment variable that may hold the key. */
    envVar: text(),
    /** The model to begin with. */
    defaultModel: text(),
    /** A key is there, or the configuration names the provider. */
    configured: z.boolean(),
  });

const SetupProblem = () =>
  z.looseObject({
    code: z.string(),
    message: z.string(),
    fix: z.string(),
    /** In the provider's own words, without secrets. */
    detail: text(),
  });

export const SETUP_METHODS = {
  "setup.status": {
    role: "operator",
    scope: "operator.read",
    says: "Whether a model has to be connected first, and which providers there are",
    params: empty,
    result: once(() =>
      z.looseObject({
        /** The default agent has no model but the built-in demo. */
        needsModel: z.boolean(),
        isDemo: z.boolean(),
        /** The model that would answer, as provider/model. */
        model: text(),
        providers: z.array(SetupProvider()),
      }),
    ),
  },
  "setup.scan": {
    role: "operator",
    scope: "operator.admin",
    says: "Model servers that run on this machine, with their models",
    params: empty,
    result: once(() =>
      z.looseObject({
        servers: z.array(
          z.looseObject({
            /** The provider's id, for setup.test and setup.apply. */
            kind: z.string(),
            label: z.string(),
            baseUrl: z.string(),
            models: z.array(ServedModel()),
          }),
        ),
      }),
    ),
  },
  "setup.test": {
    role: "operator",
    scope: "operator.admin",
    says: "Makes one tiny call to a provider; nothing is kept. A key is sent to the given address and nowhere else",
    params: once(() => z.strictObject({ ...place(), model: z.string().max(256).optional() })),
    result: once(() =>
      z.looseObject({
        ok: z.boolean(),
        /** Until the first word came. */
        latencyMs: z.number().optional(),
        models: z.array(ServedModel()).optional(),
        /** The model to take unless somebody knows better, as the provider calls it. */
        suggested: text(),
        problem: SetupProblem().optional(),
      }),
    ),
  },
  "setup.apply": {
    role: "operator",
    scope: "operator.admin",
    says: "Keeps the key among the agents' credentials and makes the model the usual one; the next turn uses it",
    params: once(() => z.strictObject({ ...place(), model: NonEmpty().max(256) })),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        /** As provider/model. */
        model: z.string(),
        /** Why the default agent still answers with another one. */
        note: text(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
