// Ways in for browsers.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { empty, type MethodSpec } from "../method-spec.ts";

export const ACCESS_METHODS = {
  "access.code": {
    role: "operator",
    scope: "operator.admin",
    says: "Makes a one-time code with which a browser opens the control page at basePath; it is good for ten minutes",
    params: empty,
    result: once(() => z.looseObject({ code: z.string(), expiresAtMs: z.int(), basePath: z.string() })),
  },
} as const satisfies Record<string, MethodSpec>;
