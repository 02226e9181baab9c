// The words of a message as people see them: not what was added for the model, nor what was meant for the gateway.
import { wordsOfJob, type AskingJob } from "./job-prompt.ts";
import { asWritten } from "./written-text.ts";
import { visibleText } from "./visible-text.ts";

/** `job`: the one that asks in a person's place, if it is one. */
export function shownWords(role: unknown, text: string, job?: AskingJob): string {
  if (role === "user") return job ? wordsOfJob(job, asWritten(text)) : asWritten(text);
  return role === "assistant" ? visibleText(text).text : text;
}
