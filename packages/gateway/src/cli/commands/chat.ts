// `chela chat`: a plain conversation in the terminal, or over pipes.
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import type { ApprovalDecision, ApprovalQuestion } from "../../rooms/approvals/cli/approval-question.ts";
import { Conversation, textOf } from "../chat/chat-conversation.ts";
import { ChatScreen } from "../chat/chat-screen.ts";
import { connectGateway } from "../connect/gateway-client.ts";
import { cleanForTerminal } from "../../base/terminal/layout.ts";

/** All other commands are the gateway's; these are about the terminal. */
const HELP = [
  "Here: Ctrl-C or /stop stops an answer. /exit or Ctrl-D leaves; an answer that runs is finished without you.",
];
const DEFAULT_HISTORY = 4;
const HISTORY_CHARS = 400;

export async function run(call: CommandCall): Promise<number> {
  return new Chat(call).run();
}

class Chat {
  readonly #call: CommandCall;
  readonly #screen: ChatScreen;
  readonly #conversation: Conversation;
  readonly #done = Promise.withResolvers<number>();
  /** Lines from a pipe wait for each other; a person may go on typing. */
  #work: Promise<void> = Promise.resolve();
  /** The next Ctrl-C leaves. */
  #wasInterrupted = false;
  #isOpen = false;

  constructor(call: CommandCall) {
    this.#call = call;
    this.#screen = new ChatScreen(call.terminal, {
      line: (text) => this.#typed(text),
      interrupt: () => void this.#interrupt(),
      end: () => void this.#ended(),
      decide: (question, decision) => void this.#decide(question, decision),
    });
    this.#conversation = new Conversation(() => connectGateway(call), {
      writing: (line, text) => this.#screen.writing(line, text),
      ended: (line, how) => this.#screen.ended(line, how),
      unasked: (text) => this.#screen.unasked(cleanForTerminal(text)),
      asking: (question) => this.#screen.asking(question),
      decided: (id, text) => this.#screen.decided(id, text),
      note: (text) => this.#screen.note(text),
    });
  }

  async run(): Promise<number> {
    const opening = this.#open();
    // What is typed before the connection stands is taken up after it.
    this.#work = opening.catch(() => {});
    try {
      await opening;
    } catch (error) {
      this.#screen.close();
      throw error;
    }
    return this.#done.promise;
  }

  async #open(): Promise<void> {
    const { flags, terminal } = this.#call;
    const { hello } = await this.#conversation.open(flags.text("session"));
    this.#isOpen = true;
    if (!terminal.isInteractive) return;
    const { style } = terminal;
    terminal.print(
      style.dim(
        `Chela ${hello.server.version}, session ${this.#conversation.sessionKey}. /help shows the commands, Ctrl-D leaves.`,
      ),
    );
    await this.#showHistory(flags.number("history") ?? DEFAULT_HISTORY);
    this.#screen.prompt();
  }

  async #showHistory(limit: number): Promise<void> {
    if (limit === 0) return;
    const { style } = this.#call.terminal;
    const { messages } = await this.#conversation.ask("chat.history", {
      sessionKey: this.#conversation.sessionKey,
      limit,
    });
    for (const message of messages) {
      const { role } = message;
      const text = cleanForTerminal(textOf(message["content"])).trim();
      if (!text || (role !== "user" && role !== "assistant")) continue;
      const shown = text.length > HISTORY_CHARS ? `${text.slice(0, HISTORY_CHARS)}…` : text;
      this.#call.terminal.print(style.dim(beginningOf(role, message["job"]) + shown));
    }
  }

  #typed(raw: string): void {
    const text = raw.trim();
    this.#wasInterrupted = false;
    if (this.#call.terminal.isInteractive && this.#isOpen) return this.#take(text);
    this.#work = this.#work.then(async () => {
      this.#take(text);
      await this.#conversation.settled();
    });
  }

  #take(text: string): void {
    if (text === "") return this.#screen.prompt();
    if (text === "/exit" || text === "/quit") return this.#leave();
    if (text === "/help") this.#screen.show(HELP);
    if (text === "/stop") return void this.#stop();
    this.#screen.asked(this.#conversation.say(text));
  }

  async #stop(): Promise<void> {
    try {
      if (!(await this.#conversation.stop())) this.#screen.note("Nothing is running.");
    } catch (error) {
      if (!CommandFailure.is(error)) throw error;
      this.#screen.note(error.message);
    }
  }

  async #decide({ id }: ApprovalQuestion, decision: ApprovalDecision): Promise<void> {
    try {
      await this.#conversation.decide(id, decision);
    } catch (error) {
      if (!CommandFailure.is(error)) throw error;
      this.#screen.note(error.message);
      this.#screen.askAgain();
    }
  }

  async #interrupt(): Promise<void> {
    const isIdle = this.#conversation.unanswered.length === 0;
    if (isIdle && this.#screen.typed) return this.#screen.clearTyped();
    if (this.#wasInterrupted) return this.#leave();
    this.#wasInterrupted = true;
    if (!isIdle) return this.#stop();
    if (!this.#call.terminal.isInteractive) return this.#leave();
    this.#screen.note("Ctrl-C again, or Ctrl-D, leaves.");
  }

  async #ended(): Promise<void> {
    if (!this.#call.terminal.isInteractive) await this.#work;
    this.#leave();
  }

  #leave(): void {
    const { terminal } = this.#call;
    this.#conversation.leave();
    this.#screen.close();
    if (terminal.isInteractive) terminal.print("");
    const unsent = this.#conversation.unanswered.filter(({ isSafe }) => !isSafe);
    if (unsent.length > 0) {
      terminal.note("These lines did not reach the gateway:");
      for (const { text } of unsent) terminal.note(`  ${text}`);
    } else if (this.#conversation.unanswered.length > 0) {
      terminal.note("The answer is finished without you; `chela chat` shows it.");
    }
    this.#done.resolve(unsent.length > 0 ? 1 : 0);
  }
}

/** What a person said has a mark before it, and what a job asked in their place its name. */
function beginningOf(role: string, job: unknown): string {
  if (typeof job === "object" && job !== null && "name" in job) return `[${cleanForTerminal(String(job.name))}] `;
  return role === "user" ? "> " : "";
}
