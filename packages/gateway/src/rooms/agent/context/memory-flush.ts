// The silent turn before a compaction, in which the agent writes down what must last.
import type { MemoryFlushSettings } from "./settings.ts";

const SILENT = "NO_REPLY";

const USER = `Pre-compaction memory flush.
This conversation will soon be summarised. Save what must last now: append it to memory/YYYY-MM-DD.md, create the memory folder if it is missing, and never overwrite what is there.
If there is nothing to save, reply with ${SILENT}.`;

const SYSTEM = `Pre-compaction memory flush turn.
The conversation is about to be summarised, so put lasting facts, decisions, preferences and open tasks on disk.
Nobody waits for an answer to this turn: ${SILENT} is usually the right one.`;

export interface MemoryFlushPrompts {
  readonly prompt: string;
  readonly systemPrompt: string;
}

/** `date` is today where the user lives, as YYYY-MM-DD. */
export function memoryFlushPrompts(settings: MemoryFlushSettings, date: string): MemoryFlushPrompts {
  return {
    prompt: complete(settings.prompt ?? USER, date),
    systemPrompt: complete(settings.systemPrompt ?? SYSTEM, date),
  };
}

/** Texts from the configuration may forget how to say nothing; the answer would reach the chat. */
function complete(text: string, date: string): string {
  const dated = text.replaceAll("YYYY-MM-DD", date);
  return dated.includes(SILENT) ? dated : `${dated}\n\nIf there is nothing to say, reply with ${SILENT}.`;
}
