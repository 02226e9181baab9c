// Words for where a conversation's commands run, in English.
const words = {
  inside: "sandboxed",
  outside: "on this machine",
  broken: "sandbox broken",
  label: (state: string) => `Commands run: ${state}`,
  title: "Where commands run",
  insideHow:
    "Commands of this conversation run in a sandbox. This is all they see of this machine, beside a read-only system:",
  outsideHow:
    "Commands of this conversation run on this machine as the gateway's user. What needs a yes is asked for first.",
  brokenHow:
    "Commands of this conversation belong in a sandbox, but none can be set up. Until it can, they are refused.",
  why: "Why",
  sees: "Sees",
  readOnly: "read only",
  network: "Network",
  networkNone: "None",
  limits: "Limits",
  memory: (amount: string) => `${amount} of memory`,
  processes: (count: string) => `${count} processes`,
  time: (amount: string) => `${amount} of processor time`,
  file: (amount: string) => `files up to ${amount}`,
  files: (count: string) => `${count} open files`,
  cpus: (count: string) => `${count} processors`,
  shared: "Shared",
  shared_shared: "with all conversations",
  shared_agent: "with the agent's other conversations",
  shared_session: "with nobody",
  keptBy: "Kept by",
  more: "More about security",
};
export default words;

declare module "../index.ts" {
  interface SharedSections {
    sandbox: typeof words;
  }
}
