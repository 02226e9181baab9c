// Reads the conversation an OpenAI client sends with each call as one message with its history.

export interface PromptTurn {
  readonly role: string;
  readonly text: string;
  readonly name?: string | undefined;
}

export interface ReadPrompt {
  readonly message: string;
  readonly system: string;
}

const HISTORY_MARK = "[Chat messages since your last reply - for context]";
const CURRENT_MARK = "[Current message - respond to this]";

/** The last thing a user or tool said is the message; what came before is history. Undefined without one. */
export function readPrompt(turns: readonly PromptTurn[]): ReadPrompt | undefined {
  const isSystem = ({ role }: PromptTurn) => role === "system" || role === "developer";
  const system = turns
    .filter(isSystem)
    .map(({ text }) => text)
    .join("\n\n");
  const spoken = turns.filter((turn) => !isSystem(turn) && turn.text.trim() !== "");
  const at = spoken.findLastIndex(({ role }) => role === "user" || role === "tool");
  const current = spoken[at];
  if (!current) return undefined;
  const history = spoken.slice(0, at).map((turn) => `${speaker(turn)}: ${turn.text}`);
  if (history.length === 0) return { message: current.text, system };
  const message = [HISTORY_MARK, ...history, "", CURRENT_MARK, `${speaker(current)}: ${current.text}`].join("\n");
  return { message, system };
}

function speaker({ role, name }: PromptTurn): string {
  if (role === "assistant") return "Assistant";
  if (role === "tool") return name ? `Tool:${name}` : "Tool";
  return "User";
}

/** Text of a message's content: a string, or parts of which the textual ones count. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part: { text?: unknown }) => (typeof part?.text === "string" ? [part.text] : [])).join("\n");
}

/** `openclaw:work`, `openclaw/work`, `chela:work` and `agent:work` name an agent; anything else is the default one. */
export function agentOfModel(model: string): string | undefined {
  return /^(?:openclaw[:/]|chela[:/]|agent:)([a-z0-9][a-z0-9_-]{0,63})$/i.exec(model)?.[1]?.toLowerCase();
}
