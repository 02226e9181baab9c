// Blocks of content as both sides of the protocol write them, and the parts of a session they share.
import * as z from "zod";
import { once } from "@chela/sdk";

const optional = () => z.string().nullish();

export const ContentBlock = once(() =>
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string(), uri: optional() }),
    z.looseObject({ type: z.literal("audio"), data: z.string(), mimeType: z.string() }),
    z.looseObject({ type: z.literal("resource_link"), uri: z.string(), name: z.string(), mimeType: optional() }),
    z.looseObject({
      type: z.literal("resource"),
      resource: z.union([
        z.looseObject({ uri: z.string(), text: z.string(), mimeType: optional() }),
        z.looseObject({ uri: z.string(), blob: z.string(), mimeType: optional() }),
      ]),
    }),
  ]),
);
export type ContentBlock = z.infer<ReturnType<typeof ContentBlock>>;

export const SessionId = () => z.string().min(1).max(512);

export const STOP_REASONS = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export const PERMISSION_KINDS = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

/** The version both sides of ours speak. */
export const PROTOCOL_VERSION = 1;
