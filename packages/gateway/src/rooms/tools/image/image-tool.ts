// The tool `image` as it is offered: asks a model that can see about pictures.
import * as z from "zod";
import { once, type ImageBlock, type ModelInfo, type Requester, type Tool, type ToolContext } from "@chela/sdk";
import type { SafeFetch } from "../../../base/http/safe-fetch.ts";

export interface LookRequest {
  readonly images: readonly ImageBlock[];
  readonly prompt: string;
  /** As the caller named it; the configured image model otherwise. */
  readonly model?: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly requester: Requester;
  readonly signal: AbortSignal;
}

export interface ImageToolParts {
  readonly fetch: SafeFetch;
  /** Reads a file the agent may read, whole; rejects when it may not, or when the file is longer. */
  readFile(path: string, context: ToolContext, maxBytes: number): Promise<Uint8Array>;
  look(request: LookRequest): Promise<string>;
  /** Why nobody can look at pictures here; undefined when a model can. */
  whyBlind(subject: { readonly agentId: string; readonly model: ModelInfo }): string | undefined;
}

const Parameters = once(() =>
  z.object({
    prompt: z.string().optional(),
    image: z.string().optional().describe("Path, URL or data URL"),
    images: z.array(z.string()).optional(),
    model: z.string().optional(),
    maxBytesMb: z.coerce.number().positive().optional(),
    maxImages: z.coerce.number().int().min(1).optional(),
  }),
);

export function imageTool(parts: ImageToolParts): Tool<ReturnType<typeof Parameters>> {
  return {
    name: "image",
    label: "Look at pictures",
    description: "Asks a vision model about one or more pictures.",
    family: "media",
    effects: ["read", "network"],
    keepsToSandbox: true,
    parameters: Parameters,
    unavailable: (subject) => parts.whyBlind(subject),
    async run(args, context) {
      const { lookAtImages } = await import("./look-at-images.ts");
      return lookAtImages(args, parts, context);
    },
  };
}
