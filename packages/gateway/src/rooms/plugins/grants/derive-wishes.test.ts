// What is taken for a wish of a plugin when one reads its code.
import { expect, it } from "vitest";
import { wishesIn } from "./derive-wishes.ts";

it.each<[string, string, string[]]>([
  ["an address", 'fetch("https://api.brave.com/v1")', ["hosts api.brave.com"]],
  ["one with a port", "const url = `https://db.local.net:8443/x`", ["hosts db.local.net:8443"]],
  ["a program on this machine", "'http://localhost:11434'", ["hosts *"]],
  ["nothing in documentation", '"https://github.com/a/b" "https://json-schema.org/x"', []],
  ["a variable", 'process.env.BRAVE_KEY || process.env["OTHER_KEY"]', ["env BRAVE_KEY", "env OTHER_KEY"]],
  ["not what everybody looks at", "process.env.NODE_ENV", []],
  ["a program that is started", 'import { spawn } from "node:child_process"', ["exec"]],
  ["a hook that hears words", 'api.on("before_prompt_build", x)', ["conversation"]],
  ["not one that hears none", 'api.on("session_start", x)', []],
  ["a native part", 'require("./build/x.node")', ["native"]],
])("%s", (_, text, wanted) => {
  const wishes = wishesIn(text, "index.ts").map((wish) => ("value" in wish ? `${wish.key} ${wish.value}` : wish.key));
  expect(wishes).toEqual(wanted);
});
