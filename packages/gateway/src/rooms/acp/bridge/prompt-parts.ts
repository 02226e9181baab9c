// Turns what an editor sends as a prompt into a message for the gateway: one text, and the files that come with it. Pure.
import { fileURLToPath } from "node:url";
import { RPC, RpcFault } from "../wire/rpc-peer.ts";
import type { ContentBlock } from "../wire/session-blocks.ts";

export interface PromptMessage {
  readonly text: string;
  readonly attachments: ReadonlyArray<{
    readonly type: string;
    readonly mimeType: string;
    readonly fileName?: string;
    readonly content: string;
  }>;
}

export function readPrompt(blocks: readonly ContentBlock[], cwd: string | undefined): PromptMessage {
  const texts: string[] = [];
  const attachments: PromptMessage["attachments"][number][] = [];
  for (const block of blocks) {
    if (block.type === "text") texts.push(block.text);
    if (block.type === "resource_link") texts.push(`[${block.name}](${placeOf(block.uri)})`);
    if (block.type === "image") attachments.push({ type: "image", mimeType: block.mimeType, content: block.data });
    if (block.type === "audio") throw new RpcFault(RPC.invalidParams, "audio is not taken: send text or images");
    if (block.type === "resource") {
      const { resource } = block;
      if ("text" in resource && typeof resource.text === "string") texts.push(enclosed(resource.uri, resource.text));
      else attachments.push(attached(resource.uri, String(resource["blob"]), resource.mimeType ?? undefined));
    }
  }
  const said = texts.join("\n").trim();
  if (said === "" && attachments.length === 0) throw new RpcFault(RPC.invalidParams, "the prompt is empty");
  // What a person told the gateway stays at the beginning, where it is understood.
  const isCommand = said.startsWith("/");
  return { text: cwd === undefined || isCommand ? said : `[Working directory: ${cwd}]\n\n${said}`, attachments };
}

/** What the editor put along with the question, marked so that it cannot pass for the question. */
function enclosed(uri: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `\n${placeOf(uri)}:\n${fence}\n${text}\n${fence}\n`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function attached(uri: string, content: string, mimeType = "application/octet-stream") {
  const fileName = placeOf(uri).split("/").pop() || "file";
  return { type: mimeType.startsWith("image/") ? "image" : "file", mimeType, fileName, content };
}

function placeOf(uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
