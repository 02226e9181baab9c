// Commands about what is weak here.
import { type CommandSpec, JSON_FLAG } from "@chela/sdk/command-line";

export const SECURITY_COMMANDS: readonly CommandSpec[] = [
  { path: ["security"], summary: "What is weak here, and what to do about it" },
  {
    path: ["security", "audit"],
    summary: "Look for weak settings, open files and secrets in plain sight; works without a running gateway",
    flags: [
      { name: "deep", help: "Also try the running gateway as a stranger would" },
      { name: "fix", help: "Put right what can be put right without locking anybody out or losing anything" },
      { name: "yes", help: "With --fix: also switch off what somebody switched on and is dangerous" },
      JSON_FLAG,
    ],
    load: async () => (await import("../commands/security.ts")).audit,
  },
];
