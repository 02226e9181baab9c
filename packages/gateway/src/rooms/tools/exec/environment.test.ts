import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBench, guardWith, inShell, withoutShell } from "./bench.test-support.ts";

const CANARY = "canary-5d1f0e";
const SECRETS = [
  "OPENAI_API_KEY",
  "CHELA_GATEWAY_TOKEN",
  "OPENCLAW_GATEWAY_TOKEN",
  "AWS_SECRET_ACCESS_KEY",
  "MY_PASSWORD",
];

describe("the environment of a command", () => {
  beforeEach(() => SECRETS.forEach((name) => (process.env[name] = CANARY)));
  afterEach(() => SECRETS.forEach((name) => delete process.env[name]));

  it.each([
    ["in a shell", inShell, {}],
    ["without a shell", withoutShell, {}],
    ["in a terminal", inShell, { pty: true }],
    [
      "in a terminal under another name",
      () => ({ kind: "shell", program: { file: "/usr/bin/env", argv: ["x"] } }) as const,
      { pty: true },
    ],
    ["in the background", inShell, { background: true }],
  ])("has no secret of the gateway %s", async (_name, how, args) => {
    await using bench = await createBench({ guard: guardWith(how) });
    const first = await bench.exec({ command: "env", ...args });
    const { all } = first.details["sessionId"] ? await bench.follow(first.details["sessionId"]) : { all: first.text };
    expect(all).toContain("OPENCLAW_SHELL=exec");
    expect(all).toContain("PATH=");
    expect(all).not.toContain(CANARY);
    expect(JSON.stringify(bench.requests)).not.toContain(CANARY);
  });

  it("is what the guard was asked about, to the last name", async () => {
    await using bench = await createBench({
      guard: guardWith(withoutShell),
      environment: { PATH: "/bin", HOME: "/h", LC_ALL: "C", TZ: "UTC", SECRET: "s", WANTED: "w", NODE_OPTIONS: "--x" },
      settings: { pathPrepend: ["/opt/tools"], env: ["WANTED", "NOT_SET"] },
    });
    const { text } = await bench.exec({ command: "/usr/bin/env", env: { MODE: "fast", NODE_ENV: "test", LANG: "de" } });
    const expected = {
      HOME: "/h",
      LANG: "de",
      LC_ALL: "C",
      MODE: "fast",
      NODE_ENV: "test",
      OPENCLAW_SHELL: "exec",
      PATH: "/opt/tools:/bin",
      TZ: "UTC",
      WANTED: "w",
    };
    expect(bench.requests[0]?.env).toEqual(expected);
    expect(text.split("\n").sort()).toEqual(Object.entries(expected).map(([name, value]) => `${name}=${value}`));
  });

  it.each([
    "PATH Path HOME SHELL IFS ENV PS4 PROMPT_COMMAND SHELLOPTS BASH_ENV BASH_FUNC_x",
    "LD_PRELOAD ld_preload LD_AUDIT DYLD_INSERT_LIBRARIES GLIBC_TUNABLES GCONV_PATH",
    "NODE_OPTIONS NODE_PATH npm_config_script_shell PYTHONPATH PYTHONSTARTUP PERL5OPT PERL5LIB RUBYOPT RUBYLIB",
    "GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_EXEC_PATH GIT_PAGER PAGER EDITOR LESSOPEN",
    "JAVA_TOOL_OPTIONS MAKEFLAGS RUSTC_WRAPPER CARGO_BUILD_RUSTC GOFLAGS XDG_CONFIG_HOME OPENCLAW_STATE_DIR CHELA_X",
  ])("refuses by name: %s", async (names) => {
    await using bench = await createBench();
    for (const name of names.split(" ")) {
      const call = bench.exec({ command: "env", env: { [name]: "x", FINE: "y" } });
      await expect(call).rejects.toThrow(`variables: ${JSON.stringify(name)}. Names are`);
    }
    expect(bench.requests).toEqual([]);
  });

  it.each([["a-b"], ["1A"], [""], ["A B"], ["A=B"], ["ÄÖ"]])("refuses %j, which is no name", async (name) => {
    await using bench = await createBench();
    await expect(bench.exec({ command: "env", env: { [name]: "x" } })).rejects.toThrow(JSON.stringify(name));
  });
});
