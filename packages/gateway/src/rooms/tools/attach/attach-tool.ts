// The tool `attach` as it is offered: the only way a file gets a name that a reply can send it by.
import * as z from "zod";
import { once, type Tool } from "@chela/sdk";
import type { FileHouse } from "../files/file-tools.ts";

export interface AttachedFile {
  /** Stands for the file in replies of this session, and nowhere else. */
  readonly handle: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
}

export interface AttachRequest {
  readonly direction: "outbound";
  readonly name: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Where files may be read is said by the same settings as for `read`. */
export interface AttachHouse extends FileHouse {
  readonly config: {
    current(): { agents?: { defaults?: { mediaMaxMb?: number | undefined } | undefined } | undefined };
  };
  media(): Promise<OutgoingMedia>;
}

/** Keeps a copy of the content for sending, so that later changes of the file change nothing. */
interface OutgoingMedia {
  take(
    content: AsyncIterable<Uint8Array>,
    request: AttachRequest,
  ): Promise<Omit<AttachedFile, "handle"> & { readonly id: string }>;
  mintHandle(sessionKey: string, id: string): string;
}

const Parameters = once(() => z.object({ path: z.string().describe("Relative to the workspace, or absolute") }));

export function attachTool(house: AttachHouse): Tool<ReturnType<typeof Parameters>> {
  return {
    name: "attach",
    label: "Attach a file",
    description: "Prepares a file for sending: gives the MEDIA: line that sends it when it stands in your reply.",
    family: "media",
    profiles: ["coding", "messaging"],
    inSandbox: "allowed",
    told: 260,
    effects: ["read"],
    keepsToSandbox: true,
    parameters: Parameters,
    async run(args, context) {
      const { attachFile } = await import("./attach-file.ts");
      return attachFile(args.path, house, context);
    },
  };
}
