// The question whether a command may run, in English.
const words = {
  question: "May this command run?",
  left: (time: string) => `${time} left`,
  endsNow: "Ends any moment",
  command: "Command",
  goesOn: "The command is longer than this box. Scroll to read all of it.",
  directory: "Directory",
  program: "Program",
  agent: "Agent",
  chat: "Chat",
  askedBy: "Asked by",
  variables: "Variables",
  why: "Asked because",
  deny: "Deny",
  allowAlways: "Always allow",
  allowOnce: "Allow once",
  alwaysMeans: "“Always allow” covers exactly this command. It can be taken back under Approvals.",
  saidDeny: "Denied. The command does not run.",
  saidAlways: "Allowed from now on.",
  saidOnce: "Allowed this once.",
};
export default words;

declare module "../index.ts" {
  interface SharedSections {
    approval: typeof words;
  }
}
