// The hook `boot-md`: what an agent's BOOT.md says is given to the agent whenever the gateway starts.
import type { HookEvent, HookHandler } from "@chela/sdk";
import { readInside } from "./workspace-files.ts";
import type { BundledNeeds } from "./needs.ts";

const FILE = "BOOT.md";
const MOST_CHARS = 20_000;

export function bootMd(needs: BundledNeeds): HookHandler {
  return async (event: HookEvent) => {
    if (event.type !== "gateway" || event.action !== "startup") return;
    const at = event.timestamp.getTime();
    for (const { id, workspace } of needs.agents()) {
      const text = readInside(workspace, FILE)?.slice(0, MOST_CHARS);
      if (!text || !saysSomething(text)) continue;
      await needs.runErrand({
        runId: `boot:${id}:${at}`,
        agentId: id,
        sessionKey: `agent:${id}:boot`,
        text: wording(text),
      });
    }
  };
}

function wording(text: string): string {
  return [
    "The gateway has just started. Do what BOOT.md in your workspace says.",
    "To tell somebody something, send it with the message tool. When nothing is left to do, answer NO_REPLY.",
    "",
    "BOOT.md:",
    text.trim(),
  ].join("\n");
}

/** Headings and comments alone ask for nothing. */
function saysSomething(text: string): boolean {
  const lines = text.replace(/<!--[^]*?-->/g, "").split("\n");
  return lines.some((line) => line.trim() !== "" && !/^\s*#/.test(line));
}
