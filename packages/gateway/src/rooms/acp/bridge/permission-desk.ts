// Questions of the gateway whether a command may run, put to the person at the editor, who answers there or elsewhere.
import * as z from "zod";
import { once } from "@chela/sdk";
import type { AskEditor } from "./editor-hands.ts";
import type { GatewaySide } from "./gateway-side.ts";

const Asked = once(() =>
  z.looseObject({
    id: z.string(),
    request: z.looseObject({
      command: z.string(),
      cwd: z.string().nullish(),
      sessionKey: z.string().nullish(),
      runId: z.string().nullish(),
      reason: z.string().optional(),
      onlyOnce: z.boolean().optional(),
    }),
  }),
);
const Resolved = once(() => z.looseObject({ id: z.string() }));

interface Turn {
  readonly runId: string;
  /** The calls that are at work, with the names of their tools. */
  readonly tools: ReadonlyMap<string, string>;
}

const ALLOW_ONCE = { optionId: "allow-once", name: "Allow once", kind: "allow_once" } as const;
const ALLOW_ALWAYS = { optionId: "allow-always", name: "Always allow", kind: "allow_always" } as const;
const DENY = { optionId: "deny", name: "Deny", kind: "reject_once" } as const;

export class PermissionDesk {
  readonly #askEditor: AskEditor;
  readonly #gateway: GatewaySide;
  readonly #open = new Map<string, AbortController>();

  constructor(askEditor: AskEditor, gateway: GatewaySide) {
    this.#askEditor = askEditor;
    this.#gateway = gateway;
  }

  /** Only what the turn needs that was asked for here: other windows show the rest. */
  async asked(payload: unknown, sessionKey: string, turn: Turn): Promise<void> {
    const parsed = Asked().safeParse(payload);
    if (!parsed.success) return;
    const { id, request } = parsed.data;
    const isOurs = request.sessionKey === sessionKey && (request.runId ?? turn.runId) === turn.runId;
    if (!isOurs || this.#open.has(id)) return;
    const controller = new AbortController();
    this.#open.set(id, controller);
    const decision = await this.#ask(id, request, turn, controller.signal);
    // Answered elsewhere, or the turn is over.
    if (!this.#open.delete(id)) return;
    // Somebody else may have answered in this very moment: then theirs counts.
    await this.#gateway.ask("exec.approval.resolve", { id, decision }).catch(() => {});
  }

  resolved(payload: unknown): void {
    const parsed = Resolved().safeParse(payload);
    if (parsed.success) this.#takeBack(parsed.data.id);
  }

  /** Nobody waits here any more; the gateway's own question ends with its turn. */
  forget(): void {
    for (const id of this.#open.keys()) this.#takeBack(id);
  }

  #takeBack(id: string): void {
    const controller = this.#open.get(id);
    this.#open.delete(id);
    controller?.abort();
  }

  /** What cannot be asked, or is dismissed, is a no. */
  async #ask(
    id: string,
    { command, cwd, reason, onlyOnce }: z.infer<ReturnType<typeof Asked>>["request"],
    { tools }: Turn,
    signal: AbortSignal,
  ): Promise<string> {
    const running = [...tools].findLast(([, name]) => name === "exec")?.[0];
    const why = [command, cwd ? `in ${cwd}` : "", reason ?? ""].filter(Boolean).join("\n");
    const toolCall = {
      toolCallId: running ?? `approval-${id}`,
      title: command.length > 200 ? `${command.slice(0, 200)}…` : command,
      kind: "execute",
      status: "pending",
      content: [{ type: "content", content: { type: "text", text: why } }],
    };
    const options = [ALLOW_ONCE, ...(onlyOnce ? [] : [ALLOW_ALWAYS]), DENY];
    const chosen = await this.#askEditor(toolCall, options, signal);
    return chosen ?? DENY.optionId;
  }
}
