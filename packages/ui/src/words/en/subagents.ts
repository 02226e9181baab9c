// Sub-agents of a conversation, in English.
const words = {
  title: "Sub-agents",
  atWork: (count: number) => (count === 1 ? "1 sub-agent at work" : `${count} sub-agents at work`),
  done: (count: number) => (count === 1 ? "1 sub-agent done" : `${count} sub-agents done`),
  moreDone: (count: number) => `${count} done`,
  state_running: "At work",
  state_announcing: "Brings the result",
  outcome_ok: "Done",
  outcome_error: "Failed",
  outcome_timeout: "Ran out of time",
  outcome_killed: "Stopped",
  notDelivered: "The result did not arrive",
  tokens: (count: string) => `${count} tokens`,
  steer: (name: string) => `Say something to ${name}`,
  steerHint: "For example: look at last year, too",
  steerSend: "Say",
  steered: "Said.",
  stop: (name: string) => `Stop ${name}`,
  stopTitle: (name: string) => `Stop “${name}”?`,
  stopText: "It ends where it is, and so do those it started. What it did so far stays.",
  stopYes: "Stop",
  stopped: "Stopped.",
  startedFrom: "Sub-agent of",
};
export default words;

declare module "../index.ts" {
  interface SharedSections {
    subagents: typeof words;
  }
}
