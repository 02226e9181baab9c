// Prompt of a job for its agent: its own words, with whose they are before them and the time behind them.

export interface AskingJob {
  readonly id: string;
  readonly name: string;
}

const TIME_LINE = /\nCurrent time: [^\n]*$/;

const markOf = ({ id, name }: AskingJob): string => `[cron:${id} ${name}] `;

export function writeJobPrompt(job: AskingJob, words: string, time: string): string {
  return `${markOf(job)}${words}\nCurrent time: ${time}`;
}

/** The job's own words. What is not written as above is left as it is. */
export function wordsOfJob(job: AskingJob, prompt: string): string {
  const mark = markOf(job);
  return prompt.startsWith(mark) ? prompt.slice(mark.length).replace(TIME_LINE, "") : prompt;
}

/** Of a message that says so; undefined where it is no job's, or not all of it is there. */
export function jobOf(message: unknown): AskingJob | undefined {
  const job = isObject(message) ? message["job"] : undefined;
  if (!isObject(job)) return undefined;
  const { id, name } = job;
  return typeof id === "string" && typeof name === "string" ? { id, name } : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
