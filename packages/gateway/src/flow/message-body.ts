// What an admitted message carries besides its address: parsed when it comes in, and again when a restart reads it.
import * as z from "zod";
import { ImageBlock, once, type Parsed } from "@chela/sdk";

export const MessageBody = once(() =>
  z.object({
    text: z.string(),
    images: z.array(ImageBlock()).optional(),
    /** The client that sent it, for the session's origin and the home session's channel. */
    client: z.object({ id: z.string(), mode: z.string(), name: z.string().optional() }).optional(),
    thinking: z.string().optional(),
    timeoutMs: z.int().optional(),
    extraSystemPrompt: z.string().optional(),
    provenance: z.record(z.string(), z.unknown()).optional(),
    label: z.string().optional(),
    spawnedBy: z.string().optional(),
  }),
);
export type MessageBody = Parsed<typeof MessageBody>;
