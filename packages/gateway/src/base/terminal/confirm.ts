// Asks the person at the terminal one question.
import { createInterface } from "node:readline/promises";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";

/** Only a plain yes is a yes. Without a person at both ends it fails, and says how to answer beforehand. */
export async function confirm({ terminal }: CommandCall, question: string, beforehand: string): Promise<boolean> {
  if (!terminal.isInteractive) throw usageFailure(`Nobody is here to be asked: ${question}`, beforehand);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
