// Which models and tools there are.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, text, flag, SessionKeyParam, type MethodSpec } from "./method-spec.ts";

export const TOOL_METHODS = {
  "models.list": {
    role: "operator",
    scope: "operator.read",
    says: "Models that can be used now",
    params: empty,
    result: once(() =>
      z.object({ models: z.array(z.looseObject({ id: z.string(), name: z.string(), provider: z.string() })) }),
    ),
  },
  "tools.catalog": {
    role: "operator",
    scope: "operator.read",
    says: "All tools there are, by family, with the profiles that include them",
    params: once(() => z.strictObject({ agentId: text(), includePlugins: flag() })),
    result: once(() =>
      z.looseObject({ agentId: z.string(), profiles: z.array(z.looseObject({})), groups: z.array(z.looseObject({})) }),
    ),
  },
  "tools.explain": {
    role: "operator",
    scope: "operator.read",
    says: "Whether a tool may be used in a session, and which layer of the policy decides it",
    params: once(() => z.strictObject({ tool: NonEmpty(), sessionKey: SessionKeyParam().optional(), agentId: text() })),
    result: once(() =>
      z.looseObject({
        tool: z.string(),
        allowed: z.boolean(),
        steps: z.array(z.looseObject({ layer: z.string(), verdict: z.string(), why: z.string() })),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
