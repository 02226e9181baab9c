// Secrets that the configuration points to: looked for anew. None is ever handed out.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { empty, type MethodSpec } from "../method-spec.ts";

export const SECRET_METHODS = {
  "secrets.reload": {
    role: "operator",
    scope: "operator.admin",
    says: "Looks again for the secrets that the configuration points to; `warningCount` of them cannot be had",
    params: empty,
    result: once(() => z.object({ ok: z.literal(true), warningCount: z.int().min(0) })),
  },
  "secrets.resolve": {
    role: "operator",
    scope: "operator.admin",
    says: "Asked by OpenClaw's command line for secrets of the configuration; answered without any, so that it looks for itself",
    params: once(() => z.strictObject({ commandName: NonEmpty(), targetIds: z.array(NonEmpty()).max(1000) })),
    result: once(() =>
      z.object({
        ok: z.literal(true),
        /** Always empty: a secret does not leave the gateway. */
        assignments: z.array(z.looseObject({ path: z.string() })).max(0),
        diagnostics: z.array(z.string()),
        inactiveRefPaths: z.array(z.string()),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
