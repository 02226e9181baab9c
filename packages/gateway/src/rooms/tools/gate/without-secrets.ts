// Redacts secrets the gateway knows from a tool's result: a command may come upon a file or a process that has them.
import type { ToolOutput } from "@chela/sdk";
import type { Gate } from "./gate.ts";

/** Before anything is cut: half of a secret would not be known again. */
export function withoutSecrets(output: ToolOutput, { redact }: Pick<Gate, "redact">): ToolOutput {
  return {
    ...output,
    content: output.content.map((block) => (block.type === "text" ? { ...block, text: redact(block.text) } : block)),
    ...(output.details === undefined ? {} : { details: redactDeep(output.details, redact) }),
  };
}

/** A copy, of the same shape. */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === "string") return redact(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null || Object.getPrototypeOf(part) !== Object.prototype) return part;
    return Object.fromEntries(Object.entries(part).map(([key, entry]) => [key, visit(entry)]));
  };
  return visit(value) as T;
}
