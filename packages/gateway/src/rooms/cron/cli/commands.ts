// Commands about jobs that run by themselves.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const show = () => import("./cron.ts");
const change = () => import("./cron-change.ts");

const JOB = { name: "job", help: "Its id, the first characters of it, or its name" };

const SCHEDULE: readonly FlagSpec[] = [
  { name: "at", value: "time", help: "Once: tomorrow 9:00, +20m, 2026-12-24 18:00" },
  { name: "every", value: "duration", help: "Again and again: 15m, 1h30m, 2d" },
  { name: "cron", value: "expression", help: "By the calendar: 30 7 * * 1-5; six fields begin with seconds" },
  { name: "tz", value: "zone", help: "Whose clock the times are meant by, such as Europe/Stockholm" },
  { name: "stagger", value: "duration", help: "Spread jobs that share an instant over this time" },
  { name: "exact", help: "At the very instant, without a spread (the usual)" },
];
const WORK: readonly FlagSpec[] = [
  { name: "message", short: "m", value: "text", help: "What the agent is asked, in a conversation of its own" },
  { name: "system-event", value: "text", help: "What the agent is told in its main conversation" },
  { name: "exec", value: "command", help: "A command for the shell, without any model" },
  { name: "cwd", value: "path", help: "Where the command runs; the agent's workspace unless told" },
  { name: "agent", value: "id", help: "Which agent" },
  {
    name: "session",
    value: "target",
    help: "main, isolated, current (with --session-key) or session:<key>; follows from the work",
  },
  { name: "session-key", value: "key", help: "The conversation it was made in" },
  { name: "wake", value: "when", choices: ["now", "next-heartbeat"], help: "When the main conversation hears of it" },
  { name: "model", value: "model", help: "The model for it" },
  { name: "thinking", value: "level", help: "How long the model thinks" },
  { name: "timeout-seconds", value: "seconds", kind: "number", help: "How long it may take; 0 for no limit" },
  { name: "light-context", help: "Without the files of the workspace" },
];
const RESULT: readonly FlagSpec[] = [
  { name: "announce", help: "Send the result to a chat (the usual for --message)" },
  { name: "deliver", help: "The same" },
  { name: "no-deliver", help: "Tell nobody of the result" },
  { name: "channel", value: "channel", preset: "last", help: "Which channel the result goes to" },
  { name: "to", value: "target", help: "Which chat" },
  { name: "account", value: "id", help: "From which account of the channel" },
  { name: "webhook", value: "url", help: "Post the result to this page" },
  { name: "best-effort-deliver", help: "A result that does not arrive is no failure" },
];
const RULES: readonly FlagSpec[] = [
  { name: "description", value: "text", help: "What it is for" },
  { name: "delete-after-run", help: "Take it away after a run that went well (the usual for --at)" },
  { name: "keep-after-run", help: "Keep it, disabled, after its run" },
  { name: "catch-up", value: "rule", choices: ["once", "skip", "all"], help: "What is made up for after an absence" },
  {
    name: "on-crash",
    value: "rule",
    choices: ["retry", "report"],
    help: "What follows when the gateway dies in a run",
  },
];

const add = (word: string, summary: string): CommandSpec => ({
  path: ["cron", word],
  summary,
  flags: [
    { name: "name", value: "text", help: "What it is called; its first words unless told" },
    { name: "disabled", help: "Keep it, but do not run it yet" },
    ...SCHEDULE,
    ...WORK,
    ...RESULT,
    ...RULES,
    ...RPC_FLAGS,
  ],
  load: async () => (await change()).add,
});
const remove = (word: string, summary: string): CommandSpec => ({
  path: ["cron", word],
  summary,
  args: [JOB],
  flags: RPC_FLAGS,
  load: async () => (await change()).remove,
});

export const commands: readonly CommandSpec[] = [
  { path: ["cron"], summary: "Jobs that run by themselves" },
  {
    path: ["cron", "list"],
    summary: "The jobs, the next to run first",
    flags: [{ name: "all", help: "Disabled ones, too" }, ...RPC_FLAGS],
    load: async () => (await show()).list,
  },
  {
    path: ["cron", "status"],
    summary: "Whether jobs run, how many there are, and when the next is due",
    flags: RPC_FLAGS,
    load: async () => (await show()).status,
  },
  {
    path: ["cron", "next"],
    summary: "The next runs of all jobs, in order",
    flags: [{ name: "count", value: "count", kind: "number", preset: "5", help: "How many" }, ...RPC_FLAGS],
    load: async () => (await show()).next,
  },
  {
    path: ["cron", "runs"],
    summary: "What ran, whether it went well, and whether the result arrived",
    args: [{ ...JOB, isOptional: true }],
    flags: [
      { name: "id", value: "job", help: "The same as the argument" },
      { name: "status", value: "status", choices: ["ok", "error", "skipped"], help: "Only these" },
      { name: "limit", value: "count", kind: "number", preset: "20", help: "At most this many, 200 at most" },
      ...RPC_FLAGS,
    ],
    load: async () => (await show()).runs,
  },
  add("add", "Make a job"),
  add("create", "The same"),
  {
    path: ["cron", "edit"],
    summary: "Change a job; what is not named stays",
    args: [JOB],
    flags: [
      { name: "name", value: "text", help: "Another name" },
      { name: "enable", help: "Let it run" },
      { name: "disable", help: "Do not run it" },
      ...SCHEDULE,
      ...WORK,
      ...RESULT,
      ...RULES,
      ...RPC_FLAGS,
    ],
    load: async () => (await change()).edit,
  },
  {
    path: ["cron", "enable"],
    summary: "Let a job run again",
    args: [JOB],
    flags: RPC_FLAGS,
    load: async () => (await change()).enable,
  },
  {
    path: ["cron", "disable"],
    summary: "Keep a job, but do not run it",
    args: [JOB],
    flags: RPC_FLAGS,
    load: async () => (await change()).disable,
  },
  remove("remove", "Take a job away"),
  remove("rm", "The same"),
  {
    path: ["cron", "run"],
    summary: "Run a job now",
    args: [JOB],
    flags: [
      { name: "due", help: "Only if it is due" },
      { name: "force", help: "In any case (the usual)" },
      ...RPC_FLAGS,
    ],
    load: async () => (await change()).run,
  },
];
