// What servers ask people while they work: shown where questions about commands are shown, answered with a word or a filled form.
import { GatewayError, type ToolContext } from "@chela/sdk";
import { choicesOf, fillForm, readElicitation, type Elicitation, type Field } from "./client/elicitation.ts";
import { cleanText } from "./trust/definitions.ts";
import type { RpcParams } from "./wire/messages.ts";

/** The questions of approvals: one who may answer them may answer these. */
export interface Asking {
  ask(
    subject: { readonly command: string; readonly title: string; readonly [field: string]: unknown },
    options: { readonly signal: AbortSignal; onPending?(approval: { readonly id: string }): void },
  ): Promise<string>;
  /** Answers one with yes. Returns its whole id. */
  allow(id: string, by: string): string;
}

type Call = Pick<ToolContext, "agentId" | "sessionKey" | "runId" | "requester">;

export class Questions {
  readonly #asking: () => Promise<Asking>;
  readonly #open = new Map<string, { readonly asked: Elicitation; content?: Readonly<Record<string, unknown>> }>();

  constructor(asking: () => Promise<Asking>) {
    this.#asking = asking;
  }

  /** Whether a call may be made at all, for servers about which that is asked each time. */
  async mayCall(
    server: string,
    tool: string,
    args: object,
    call: Call,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const command = `${tool} ${JSON.stringify(args)}`;
    const title = `The MCP server ${server} is to be used`;
    const answer = await (await this.#asking()).ask({ command, title, onlyOnce: true, ...whose(call) }, { signal });
    return answer.startsWith("allow")
      ? undefined
      : (REFUSALS[answer] ?? "A person refused it. Do not try it again in another form.");
  }

  /** What a server wants to know, as it wants to be answered. */
  async elicit(server: string, params: RpcParams, call: Call | undefined, signal: AbortSignal): Promise<RpcParams> {
    const asked = readElicitation(params);
    // Without a call there is nobody in whose name it could ask.
    if (!asked || !call) return { action: "decline" };
    let id: string | undefined;
    const title = `The MCP server ${server} asks something`;
    const subject = { command: wordsOf(asked, server), title, onlyOnce: true, ...whose(call) };
    const answer = await (
      await this.#asking()
    ).ask(subject, {
      signal,
      onPending: (approval) => {
        id = approval.id;
        this.#open.set(approval.id, { asked });
      },
    });
    const given = id === undefined ? undefined : this.#open.get(id)?.content;
    if (id !== undefined) this.#open.delete(id);
    if (answer === "late" || answer === "stopped" || answer === "nobody") return { action: "cancel" };
    if (!answer.startsWith("allow")) return { action: "decline" };
    if (asked.kind === "visit") return { action: "accept" };
    const filled = fillForm(asked, given ?? {});
    return filled.kind === "fits" ? { action: "accept", content: filled.content } : { action: "decline" };
  }

  /** Answers a form. Throws MCP_REQUEST with what is missing, and leaves it open then. */
  async answer(id: string, content: Readonly<Record<string, unknown>>, by: string): Promise<string> {
    const found = [...this.#open].filter(([known]) => known.startsWith(id));
    const [first] = found;
    if (!first || found.length > 1)
      throw new GatewayError("MCP_REQUEST", "there is no such question, or it was answered already");
    const [whole, question] = first;
    if (question.asked.kind === "form") {
      const filled = fillForm(question.asked, content);
      if (filled.kind === "wrong") throw new GatewayError("MCP_REQUEST", filled.why);
      question.content = content;
    }
    return (await this.#asking()).allow(whole, by);
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  nobody: "It has to be approved, and nobody who could do that is connected.",
  late: "Nobody approved it in time. Ask the person, then try again.",
  stopped: "It was stopped before anybody approved it.",
};

function whose({ agentId, sessionKey, runId, requester: { channel, account, id } }: Call) {
  return { agentId, sessionKey, runId, requester: { channel, account, id } };
}

function wordsOf(asked: Elicitation, server: string): string {
  const message = cleanText(asked.message, 1_000);
  if (asked.kind === "visit") {
    const host = URL.canParse(asked.url) ? new URL(asked.url).host : "an address that is none";
    return [message, "", `It wants you to open ${host}:`, cleanText(asked.url, 2_000)].join("\n");
  }
  const fields = Object.entries(asked.fields).map(([name, field]) => fieldLine(name, field, asked.required.has(name)));
  const example = Object.keys(asked.fields)
    .map((name) => `${name}=…`)
    .join(" ");
  return [
    message,
    "",
    ...fields,
    "",
    `Yes sends what stands there. To say something else: /mcp answer ID ${example}`,
    `Never tell ${server} a password here.`,
  ].join("\n");
}

function fieldLine(name: string, field: Field, isRequired: boolean): string {
  const choices = choicesOf(field);
  const about = [
    field.type,
    ...(isRequired ? ["needed"] : []),
    ...(choices ? [`one of ${choices.join(", ")}`] : []),
    ...(field.default === undefined ? [] : [`now ${JSON.stringify(field.default)}`]),
  ];
  const says = field.description ?? field.title;
  return `${cleanText(name, 60)} (${cleanText(about.join("; "), 300)})${says ? `: ${cleanText(says, 200)}` : ""}`;
}
