// Methods that list models and tools.
import * as z from "zod";
import { THINKING_LEVELS } from "../../model.ts";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { text, flag, SessionKeyParam, type MethodSpec } from "./method-spec.ts";

const ListedModel = once(() =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    api: text(),
    /** In tokens; 0 when nobody knows. */
    contextWindow: z.number().optional(),
    maxTokens: z.number().optional(),
    reasoning: flag(),
    /** What it can be shown. */
    input: z.array(z.enum(["text", "image"])).optional(),
    /** US dollars per million tokens; missing when it is not known. */
    cost: z
      .looseObject({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
      .optional(),
    /** Short names it can be called by. */
    aliases: z.array(z.string()).optional(),
    isDefault: flag(),
    /** What it can be told about thinking, least first. */
    thinkingLevels: z.array(z.enum(THINKING_LEVELS)).optional(),
    /** False while all credentials of its provider rest or are missing. */
    usable: flag(),
    why: text(),
    /** When it is worth another try, in milliseconds since 1970. */
    usableAt: z.number().optional(),
  }),
);

export const MODEL_METHODS = {
  "models.list": {
    role: "operator",
    scope: "operator.read",
    says: "Models that can be used now",
    params: once(() => z.strictObject({ agentId: text() })),
    result: once(() =>
      z.looseObject({
        models: z.array(ListedModel()),
        /** `provider/id` of the model that answers unless a session has its own. */
        default: text(),
      }),
    ),
  },
  "models.retry": {
    role: "operator",
    scope: "operator.write",
    says: "Lets credentials that rest after a failure be tried again at once",
    params: once(() =>
      z.strictObject({
        agentId: text(),
        /** Of all providers unless one is named. */
        provider: text(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        /** Ids of the credentials that rested. */
        freed: z.array(z.string()),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;

export const TOOL_METHODS = {
  "tools.catalog": {
    role: "operator",
    scope: "operator.read",
    says: "All tools there are, by family, with the profiles that include them",
    params: once(() => z.strictObject({ agentId: text(), includePlugins: flag() })),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        profiles: z.array(z.looseObject({ id: z.string(), label: z.string() })),
        groups: z.array(
          z.looseObject({
            id: z.string(),
            label: z.string(),
            /** `core`, or what brings them. */
            source: z.string(),
            tools: z.array(
              z.looseObject({
                id: z.string(),
                label: z.string(),
                source: z.string(),
                description: z.string(),
                defaultProfiles: z.array(z.string()),
              }),
            ),
          }),
        ),
        /** Those that may not be used in the agent's main session; missing when the agent has no model. */
        removed: z.array(z.looseObject({ tool: z.string(), layer: z.string(), why: z.string() })).optional(),
      }),
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
        /** The first layer that removed it. */
        decidedBy: text(),
        agentId: text(),
        sessionKey: text(),
        model: text(),
        steps: z.array(
          z.looseObject({ layer: z.string(), verdict: z.enum(["passed", "removed", "absent"]), why: z.string() }),
        ),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
