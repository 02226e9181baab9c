// Chat command /tools: what an agent may use for whoever asks.
import { done, type ChatCall, type ChatCommand, type CommandAnswer } from "@chela/sdk";
import { firstLines, foldWords } from "../../base/text/chat-layout.ts";

async function showTools(_args: string, call: ChatCall): Promise<CommandAnswer> {
  const tools = await call.tools();
  if (tools.length === 0) return done("🧰 No tools here.");
  return done(`🧰 Tools (${tools.length})`, ...firstLines(foldWords(tools, ", ").join("\n")));
}

export const commands: ReadonlyArray<ChatCommand<unknown>> = [
  {
    name: "tools",
    aliases: [],
    usage: "",
    category: "Tools",
    who: "authorised",
    help: "what I may use for you",
    listed: 340,
    run: showTools,
  },
];
