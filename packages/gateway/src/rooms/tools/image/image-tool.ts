// The tool `image` as it is offered: asks a model that can see about pictures.
import * as z from "zod";
import { createSafeFetch, type SafeFetch } from "../../../base/http/safe-fetch.ts";
import { readConfined } from "../files/read-confined.ts";
import type { FileHouse } from "../files/file-tools.ts";
import {
  once,
  type Clock,
  type ImageBlock,
  type ModelInfo,
  type Requester,
  type Tool,
  type ToolContext,
} from "@chela/sdk";

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

/** Models that can see. */
export interface Vision {
  look(request: LookRequest): Promise<string>;
  /** Why nobody can look at pictures here; undefined when a model can. */
  whyBlind(subject: { readonly agentId: string; readonly model: ModelInfo }): string | undefined;
}

export interface ImageHouse extends FileHouse {
  readonly clock: Clock;
}

export interface PictureSources {
  readonly fetch: SafeFetch;
  /** Reads a file the agent may read, whole; rejects when it may not, or when the file is longer. */
  readFile(path: string, context: ToolContext, maxBytes: number): Promise<Uint8Array>;
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

export function imageTool(
  house: ImageHouse,
  vision: Vision,
  sources = pictureSources(house),
): Tool<ReturnType<typeof Parameters>> {
  return {
    name: "image",
    label: "Look at pictures",
    description: "Asks a vision model about one or more pictures.",
    family: "media",
    profiles: ["coding"],
    inSandbox: "allowed",
    told: 250,
    effects: ["read", "network"],
    keepsToSandbox: true,
    parameters: Parameters,
    unavailable: (subject) => vision.whyBlind(subject),
    async run(args, context) {
      const { lookAtImages } = await import("./look-at-images.ts");
      return lookAtImages(args, { ...sources, look: vision.look }, context);
    },
  };
}

function pictureSources(house: ImageHouse): PictureSources {
  return {
    fetch: createSafeFetch(house),
    readFile: (path, context, maxBytes) => readConfined(path, house, context, maxBytes),
  };
}
