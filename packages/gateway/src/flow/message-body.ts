// What an admitted message carries besides its address: parsed when it comes in, and again when a restart reads it.
import * as z from "zod";
import { ImageBlock, once, type Parsed, type Requester } from "@chela/sdk";

/** The channel of what nobody sent: the gateway's own work, and what one agent says to another. */
export const CHORES = "internal";

/** What its door found out about the sender. */
const Sender = () =>
  z.object({
    kind: z.enum(["operator", "sender"]),
    id: z.string(),
    name: z.string().optional(),
    isOwner: z.boolean(),
    isAuthorised: z.boolean(),
    canApprove: z.boolean(),
  });

/** Work the gateway gives itself; it waits in the lane like any message. */
const Chore = () =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("memory-flush"), systemPrompt: z.string() }),
    z.object({ kind: z.literal("compaction"), instructions: z.string().optional() }),
  ]);

export const MessageBody = once(() =>
  z.object({
    text: z.string(),
    images: z.array(ImageBlock()).optional(),
    /** The client that sent it, for the session's origin and the home session's channel. */
    client: z.object({ id: z.string(), mode: z.string(), name: z.string().optional() }).optional(),
    sender: Sender().optional(),
    /** What of the text was recognised as meant for the gateway. */
    recognised: z.record(z.string(), z.unknown()).optional(),
    chore: Chore().optional(),
    matchedBy: z.string().optional(),
    thinking: z.string().optional(),
    timeoutMs: z.int().optional(),
    extraSystemPrompt: z.string().optional(),
    provenance: z.record(z.string(), z.unknown()).optional(),
    label: z.string().optional(),
    spawnedBy: z.string().optional(),
  }),
);
export type MessageBody = Parsed<typeof MessageBody>;

/** Whoever is not known is nobody: no rights come from silence. */
export function requesterOf(
  message: { readonly channel: string; readonly account: string },
  { sender }: MessageBody,
): Requester & { kind: "operator" | "sender"; isAuthorised: boolean; canApprove: boolean } {
  const { channel, account } = message;
  const nobody = { kind: "sender" as const, id: "", isOwner: false, isAuthorised: false, canApprove: false };
  const { name, ...known } = sender ?? { ...nobody, name: undefined };
  return { channel, account, ...known, ...(name === undefined ? {} : { name }) };
}
