// Commands about sandboxes: where the commands of conversations are kept.
import { type CommandSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const sandbox = () => import("../../rooms/sandbox/cli/sandbox.ts");
const BACKEND = { name: "backend", value: "id", help: "Only this one", choices: ["bubblewrap", "docker", "podman"] };

export const SANDBOX_COMMANDS: readonly CommandSpec[] = [
  { path: ["sandbox"], summary: "Where the commands of conversations are kept" },
  {
    path: ["sandbox", "status"],
    summary: "What can keep a sandbox here, what is used, and which sandboxes stand",
    flags: RPC_FLAGS,
    load: async () => (await sandbox()).status,
  },
  {
    path: ["sandbox", "explain"],
    summary: "Whether a conversation is sandboxed, why, and what it sees there",
    flags: [
      { name: "session", value: "key", help: "The conversation; the main one unless told" },
      { name: "agent", value: "id", help: "The agent" },
      ...RPC_FLAGS,
    ],
    load: async () => (await sandbox()).explain,
  },
  {
    path: ["sandbox", "recreate"],
    summary: "Take sandboxes down, so that the next command sets them up anew",
    flags: [
      { name: "all", help: "Every one of them" },
      { name: "session", value: "key", help: "That of a conversation" },
      { name: "agent", value: "id", help: "Those of an agent" },
      ...RPC_FLAGS,
    ],
    load: async () => (await sandbox()).recreate,
  },
  { path: ["sandbox", "image"], summary: "The image for containers" },
  {
    path: ["sandbox", "image", "build"],
    summary: "Build the image for containers, with docker or podman",
    flags: [
      { name: "tag", value: "name", help: "Its name; sandbox.docker.image unless told" },
      { name: "file", value: "path", help: "Another Dockerfile than the one that comes along" },
      { name: "print", help: "Only print the Dockerfile" },
      { ...BACKEND, help: "With this one", choices: ["docker", "podman"] },
    ],
    load: async () => (await import("../commands/sandbox-image.ts")).build,
  },
  {
    path: ["sandbox", "selftest"],
    summary: "Try every known way out of a sandbox; all must fail",
    flags: [BACKEND, ...RPC_FLAGS],
    load: async () => (await sandbox()).selftest,
  },
];
