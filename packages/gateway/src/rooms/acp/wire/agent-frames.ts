// What an agent sends to whoever runs it: answers to our requests, updates of a session, and its questions.
import * as z from "zod";
import { once } from "@chela/sdk";
import { PERMISSION_KINDS, SessionId, STOP_REASONS, TOOL_KINDS } from "./session-blocks.ts";

const flag = () => z.boolean().nullish();
/** Present, whatever it is, means yes. */
const capability = () => z.looseObject({}).nullish();

export const InitializeAnswer = once(() =>
  z.looseObject({
    protocolVersion: z.number(),
    agentInfo: z.looseObject({ name: z.string().max(200), version: z.string().max(200).nullish() }).nullish(),
    agentCapabilities: z
      .looseObject({
        loadSession: flag(),
        promptCapabilities: z.looseObject({ image: flag() }).nullish(),
        sessionCapabilities: z.looseObject({ resume: capability(), close: capability() }).nullish(),
      })
      .nullish(),
  }),
);
export type InitializeAnswer = z.infer<ReturnType<typeof InitializeAnswer>>;

export const NewSessionAnswer = once(() => z.looseObject({ sessionId: SessionId() }));
export const PromptAnswer = once(() => z.looseObject({ stopReason: z.enum(STOP_REASONS) }));

const Text = () => z.looseObject({ type: z.literal("text"), text: z.string() });
const Block = () => z.union([Text(), z.looseObject({ type: z.string() })]);
const ToolContent = () =>
  z.union([
    z.looseObject({ type: z.literal("content"), content: Block() }),
    z.looseObject({ type: z.literal("diff"), path: z.string(), newText: z.string(), oldText: z.string().nullish() }),
    z.looseObject({ type: z.string() }),
  ]);
const toolFacts = () => ({
  toolCallId: z.string().max(500),
  title: z.string().nullish(),
  kind: z.enum(TOOL_KINDS).nullish().catch("other"),
  status: z.enum(["pending", "in_progress", "completed", "failed"]).nullish().catch(undefined),
  content: z.array(ToolContent()).nullish(),
  rawInput: z.unknown().optional(),
});

export const SessionUpdate = once(() =>
  z.looseObject({
    sessionId: SessionId(),
    update: z.union([
      z.looseObject({ sessionUpdate: z.literal("agent_message_chunk"), content: Block() }),
      z.looseObject({ sessionUpdate: z.literal("agent_thought_chunk"), content: Block() }),
      z.looseObject({ sessionUpdate: z.literal("tool_call"), ...toolFacts() }),
      z.looseObject({ sessionUpdate: z.literal("tool_call_update"), ...toolFacts() }),
      z.looseObject({ sessionUpdate: z.string() }),
    ]),
  }),
);
export type SessionUpdate = z.infer<ReturnType<typeof SessionUpdate>>["update"];
export type ToolFacts = z.infer<z.ZodObject<ReturnType<typeof toolFacts>>>;

export const PermissionQuestion = once(() =>
  z.looseObject({
    sessionId: SessionId(),
    toolCall: z.looseObject(toolFacts()),
    options: z
      .array(z.looseObject({ optionId: z.string().max(500), name: z.string(), kind: z.enum(PERMISSION_KINDS) }))
      .min(1)
      .max(50),
  }),
);
export type PermissionQuestion = z.infer<ReturnType<typeof PermissionQuestion>>;
