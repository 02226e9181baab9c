// The tool `attach` as it is offered: the only way a file gets a name that a reply can send it by.
import * as z from "zod";
import { once, type Tool } from "@chela/sdk";
import type { FileToolParts } from "../files/file-tools.ts";

export interface AttachedFile {
  /** Stands for the file in replies of this session, and nowhere else. */
  readonly handle: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
}

export interface AttachRequest {
  readonly name: string;
  readonly sessionKey: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Where files may be read is said by the same settings as for `read`. */
export interface AttachToolParts extends FileToolParts {
  /** What may be sent at most. */
  maxBytes(agentId: string): number;
  /** Keeps a copy of the content for sending, so that later changes of the file change nothing. */
  keep(content: AsyncIterable<Uint8Array>, request: AttachRequest): Promise<AttachedFile>;
}

const Parameters = once(() => z.object({ path: z.string().describe("Relative to the workspace, or absolute") }));

export function attachTool(parts: AttachToolParts): Tool<ReturnType<typeof Parameters>> {
  return {
    name: "attach",
    label: "Attach a file",
    description: "Prepares a file for sending: gives the MEDIA: line that sends it when it stands in your reply.",
    family: "media",
    effects: ["read"],
    keepsToSandbox: true,
    parameters: Parameters,
    async run(args, context) {
      const { attachFile } = await import("./attach-file.ts");
      return attachFile(args.path, parts, context);
    },
  };
}
