// Data of a sub-agent in the ledger besides what it keeps of every errand.
import * as z from "zod";
import {
  once,
  PERSON_ROLES,
  STANDINGS,
  type Errand,
  type ErrandDelivery,
  type Parsed,
  type ErrandTurn,
} from "@chela/sdk";
import { subagentPrompt } from "./prompt.ts";

const Work = once(() =>
  z.object({
    task: z.string(),
    label: z.string().optional(),
    depth: z.number(),
    cleanup: z.enum(["keep", "delete"]),
    parent: z.object({
      sessionKey: z.string(),
      agentId: z.string(),
      /** The turn and the call that started it. */
      runId: z.string(),
      toolCallId: z.string(),
    }),
    requester: z.object({
      id: z.string(),
      name: z.string().optional(),
      person: z.object({ id: z.string(), role: z.enum(PERSON_ROLES) }).optional(),
      /** Whose rights it has; those of earlier versions are found by their parents. */
      standing: z.enum(STANDINGS).optional(),
      /** The conversation in which somebody asked for it in the end. */
      askedIn: z.string().optional(),
    }),
    /** What its parent's turn was offered: it never has more. */
    tools: z.array(z.string()),
    /** Where what its parent says about the result goes. */
    place: z.custom<ErrandDelivery>((value) => typeof value === "object" && value !== null).optional(),
    model: z.string().optional(),
    fallbacks: z.array(z.string()).optional(),
    thinking: z.string().optional(),
    timeoutSeconds: z.number().optional(),
    /** When its conversation was to leave the list, as OpenClaw planned it. */
    archiveAtMs: z.number().optional(),
  }),
);
export type SubagentWork = Parsed<typeof Work>;

export function workOf({ work }: Pick<Errand, "work">): SubagentWork {
  return Work().parse(work);
}

/** Its turn. What is said to it later is said by the same person and on the same terms. */
export function turnOf(errand: Errand, text: string): ErrandTurn {
  const { label, requester, parent, thinking, fallbacks, tools, timeoutSeconds, depth } = workOf(errand);
  const { id, name, person } = requester;
  return {
    text,
    sender: { id, ...(name ? { name } : {}), isOwner: false, ...(person ? { person } : {}) },
    terms: { tools: atMost(tools), ...(fallbacks ? { fallbacks } : {}) },
    extraSystemPrompt: subagentPrompt(depth),
    spawnedBy: parent.sessionKey,
    provenance: { kind: "inter_session", sourceSessionKey: parent.sessionKey, sourceTool: "sessions_spawn" },
    ...(label ? { label } : {}),
    ...(thinking ? { thinking } : {}),
    ...(timeoutSeconds ? { timeoutMs: timeoutSeconds * 1000 } : {}),
  };
}

/** An empty list of allowed tools would mean "no limit". */
export function atMost(names: readonly string[]): { readonly allow: readonly string[] } | { readonly deny: string[] } {
  return names.length > 0 ? { allow: names } : { deny: ["*"] };
}
