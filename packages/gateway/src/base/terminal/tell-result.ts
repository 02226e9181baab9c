// Result of a command: a sentence for people, the value itself for programs.
import type { CommandCall } from "@chela/sdk/command-line";

export function tellResult(
  { flags, terminal }: Pick<CommandCall, "flags" | "terminal">,
  result: unknown,
  sentence: string,
): void {
  if (flags.has("json")) terminal.printJson(result);
  else terminal.print(sentence);
}
