// The hook `session-memory`: when a conversation is started anew, the end of the old one is kept in the workspace.
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, type HookEvent, type HookHandler } from "@chela/sdk";
import { writeFileAtomic, isBelow } from "@chela/sdk/files";
import { readRegular } from "../../../base/files/read-regular.ts";
import type { BundledNeeds, Remark } from "./needs.ts";

const USUAL_REMARKS = 15;
const MOST_REMARKS = 200;
const MOST_CHARS = 2000;
const SLUG_WORDS = 5;
const MOST_NAMES = 100;
/** What we wrote there is never larger. */
const MOST_BYTES = 2 * 1024 * 1024;

export function sessionMemory(needs: BundledNeeds): HookHandler {
  return async (event: HookEvent, { settings, log }) => {
    if (event.type !== "command" || event.action === "stop") return;
    const { sessionId, workspaceDir, commandSource } = event.context;
    if (sessionId === undefined) return;
    const remarks = await needs.lastRemarks(sessionId, countOf(settings["messages"]));
    if (remarks.length === 0) return;
    const stamp = event.timestamp.toISOString();
    const head = [
      `# Session: ${stamp.slice(0, 10)} ${stamp.slice(11, 19)} UTC`,
      "",
      `- **Session Key**: ${event.sessionKey}`,
      idLine(sessionId),
      `- **Source**: ${commandSource}`,
    ];
    const text = [...head, "", "## Conversation", "", ...remarks.map(lineOf), ""].join("\n");
    const file = chooseFile(memoryOf(workspaceDir), `${stamp.slice(0, 10)}-${slugOf(remarks, stamp)}`, sessionId);
    writeFileAtomic(file, text, 0o644);
    log.info("a conversation was kept", { file, session: event.sessionKey });
  };
}

function countOf(written: unknown): number {
  return typeof written === "number" && written >= 1 ? Math.min(Math.floor(written), MOST_REMARKS) : USUAL_REMARKS;
}

function lineOf({ role, text }: Remark): string {
  const cut = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
  // Nobody's words begin a heading or another speaker's line.
  return `${role}: ${cut.replace(/\r?\n/g, "\n  ")}`;
}

/** The first words somebody said, or else the time. */
function slugOf(remarks: readonly Remark[], stamp: string): string {
  const first = remarks.find(({ role }) => role === "user")?.text ?? "";
  const words =
    first
      .toLowerCase()
      .normalize("NFKD")
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, SLUG_WORDS).join("-").slice(0, 40).replace(/-+$/, "");
  return slug || stamp.slice(11, 16).replace(":", "");
}

function memoryOf(workspace: string): string {
  const memory = join(workspace, "memory");
  mkdirSync(memory, { recursive: true });
  if (!isBelow(realpathSync(workspace), realpathSync(memory))) {
    throw new GatewayError("HOOK_REQUEST", `${memory} is a link that leads out of the workspace.`);
  }
  return memory;
}

/** The same file for the same conversation, also when a crash made the command come twice. */
function chooseFile(memory: string, name: string, sessionId: string): string {
  for (let count = 1; count <= MOST_NAMES; count++) {
    const file = join(memory, count === 1 ? `${name}.md` : `${name}-${count}.md`);
    if (!isTaken(file, sessionId)) return file;
  }
  return join(memory, `${name}-${sessionId}.md`);
}

function idLine(sessionId: string): string {
  return `- **Session ID**: ${sessionId}`;
}

/** By whatever is not what we wrote about this conversation: also by a link or a pipe that somebody put there. */
function isTaken(file: string, sessionId: string): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })) return false;
  try {
    const read = readRegular(file, MOST_BYTES);
    return read.kind !== "read" || !read.bytes.toString("utf8").includes(idLine(sessionId));
  } catch {
    return true;
  }
}
