// Reads what a job shall do from whatever somebody wrote: a bare text, old names, no kind.
import { GatewayError } from "@chela/sdk";
import { asText, pickNamed, pick, type Loose } from "./loose.ts";

/** Fields of an agent's turn that may also lie about in the job itself. */
const TURN_NAMES = [
  "model",
  "fallbacks",
  "thinking",
  "timeoutSeconds",
  "tools",
  "lightContext",
  "allowUnsafeExternalContent",
];
export const PAYLOAD_NAMES = ["message", "prompt", "text", "systemEvent", "command", ...TURN_NAMES];
const EXEC_NAMES = ["command", "cwd", "env", "timeoutSeconds"];
const KINDS: Readonly<Record<string, string>> = {
  systemevent: "systemEvent",
  system: "systemEvent",
  event: "systemEvent",
  agentturn: "agentTurn",
  agent: "agentTurn",
  message: "agentTurn",
  exec: "exec",
  command: "exec",
};

/** With canonical names. Where nothing says what it is, `likely` decides. */
export function shapePayload(loose: Loose, likely: string | undefined): Loose {
  const kind = kindOf(loose, likely);
  const words = pick(loose, "message", "text", "prompt", "systemEvent");
  if (kind === "systemEvent") return { kind, text: words };
  if (kind === "agentTurn") return { kind, message: words, ...pickNamed(loose, TURN_NAMES) };
  if (kind === "exec") return { kind, ...pickNamed(loose, EXEC_NAMES) };
  const detail = `payload.kind is ${JSON.stringify(loose["kind"] ?? null)}; allowed are systemEvent (with text), agentTurn (with message) and exec (with command)`;
  throw new GatewayError("CRON_JOB", detail);
}

function kindOf(loose: Loose, likely: string | undefined): string | undefined {
  const said = asText(loose["kind"] ?? loose["type"]);
  if (said !== undefined) return KINDS[said.toLowerCase().replace(/[_-]/g, "")];
  if (loose["command"] !== undefined) return "exec";
  if (likely !== undefined) return likely;
  if (pick(loose, "message", "prompt") !== undefined) return "agentTurn";
  return pick(loose, "text", "systemEvent") === undefined ? undefined : "systemEvent";
}

/** The first words of what it does. */
export function nameOf(payload: Loose): string | undefined {
  const command = payload["command"];
  const words = Array.isArray(command)
    ? command.filter((word) => typeof word === "string").join(" ")
    : (command ?? payload["message"] ?? payload["text"]);
  const text = asText(words)?.trim().replace(/\s+/g, " ");
  if (text === undefined) return undefined;
  const start = text.split(" ").slice(0, 6).join(" ").slice(0, 60);
  return start === text ? text : `${start.replace(/[.,;:]$/, "")}…`;
}
