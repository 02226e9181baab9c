// Commands about editors and other agents.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

export const commands: readonly CommandSpec[] = [
  {
    path: ["acp"],
    summary: "Be an agent for an editor that speaks ACP, on stdin and stdout",
    flags: [
      ...RPC_FLAGS.filter(({ name }) => name !== "json"),
      { name: "token-file", value: "path", help: "File with the token of the gateway" },
      { name: "password-file", value: "path", help: "File with the password of the gateway" },
      { name: "session", value: "key", help: "Which session; each the editor opens is one of its own unless told" },
      { name: "session-label", value: "label", help: "The session with this label" },
      { name: "require-existing", help: "A named session must be there already" },
      { name: "reset-session", help: "The named session begins anew with its first use" },
      { name: "no-prefix-cwd", help: "Do not tell the agent the editor's folder before each prompt" },
      { name: "verbose", short: "v", help: "Say on stderr what goes wrong between the editor and the gateway" },
    ],
    load: async () => (await import("./acp.ts")).acp,
  },
];
