// Commands about the configuration file.
import { type CommandSpec, JSON_FLAG } from "@chela/sdk/command-line";

const config = () => import("../commands/config.ts");

export const CONFIG_COMMANDS: readonly CommandSpec[] = [
  { path: ["config"], summary: "Read and change the configuration" },
  {
    path: ["config", "get"],
    summary: "Print one value; secrets are not shown",
    args: [{ name: "path", help: "Such as gateway.port or agents.list[0].id" }],
    flags: [JSON_FLAG],
    load: async () => (await import("../commands/config-get.ts")).run,
  },
  {
    path: ["config", "set"],
    summary: "Change one value; a running gateway takes it up by itself",
    args: [
      { name: "path", help: "Such as gateway.port" },
      { name: "value", help: "JSON5; what is none is taken as text" },
    ],
    flags: [
      { name: "strict-json", help: "Refuse a value that is not JSON" },
      { name: "json", help: "Same as --strict-json" },
    ],
    load: async () => (await config()).set,
  },
  {
    path: ["config", "unset"],
    summary: "Remove one value",
    args: [{ name: "path", help: "Such as gateway.port" }],
    load: async () => (await config()).unset,
  },
  {
    path: ["config", "validate"],
    summary: "Check the file and show everything that is wrong, with lines",
    flags: [JSON_FLAG],
    load: async () => (await config()).validate,
  },
  { path: ["config", "file"], summary: "Print where the file lies", load: async () => (await config()).file },
  {
    path: ["config", "schema"],
    summary: "Print the JSON Schema of the file",
    flags: [JSON_FLAG],
    load: async () => (await config()).schema,
  },
];
