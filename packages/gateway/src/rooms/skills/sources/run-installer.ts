// Carries out one installer of a skill: a program of the machine with fixed words, never a shell, and only when the owner said so.
import { execFile } from "node:child_process";
import { GatewayError } from "@chela/sdk";
import { safeSearchPath } from "@chela/sdk/files";
import type { InstallOption } from "../reading/skill.ts";

export interface InstallerSettings {
  readonly nodeManager: "npm" | "pnpm" | "yarn" | "bun";
}

export interface InstallerRun {
  readonly ok: boolean;
  readonly message: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

const NAME = /^(?!-)[@\w][\w@./+:~^-]{0,200}$/;
const MOST_OUTPUT = 200_000;

/** The command as it is shown to the person who is asked, and as it is run. */
export function installerCommand(
  option: InstallOption,
  { nodeManager }: InstallerSettings,
): readonly [string, ...string[]] {
  const { kind, formula, package: packageName, module } = option;
  const named = (value: string | undefined): string => {
    if (value !== undefined && NAME.test(value) && !value.includes("..")) return value;
    throw new GatewayError("SKILL_REQUEST", `The installer ${option.id} does not say what to install.`);
  };
  switch (kind) {
    case "brew":
      return ["brew", "install", named(formula)];
    case "node": {
      const install = {
        npm: ["install", "-g", "--ignore-scripts"],
        pnpm: ["add", "-g", "--ignore-scripts"],
        yarn: ["global", "add", "--ignore-scripts"],
        bun: ["add", "-g", "--ignore-scripts"],
      };
      return [nodeManager, ...install[nodeManager], named(packageName)];
    }
    case "go":
      return ["go", "install", named(module)];
    case "uv":
      return ["uv", "tool", "install", named(packageName)];
    case "download":
      throw new GatewayError(
        "SKILL_REQUEST",
        `Download it yourself: ${option.url ?? "the skill does not say from where"}. Then put the program where the PATH finds it.`,
      );
  }
}

export function runInstaller(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<InstallerRun> {
  const [file, ...args] = command;
  const own = {
    PATH: `${safeSearchPath(env["PATH"] ?? "")}:/usr/local/bin:/usr/bin:/bin`,
    HOME: env["HOME"],
    LANG: "C.UTF-8",
    CI: "1",
  };
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { env: own, timeout: timeoutMs, maxBuffer: MOST_OUTPUT, cwd: "/" },
      (error, stdout, stderr) => {
        const failed = error as (Error & { readonly code?: unknown }) | null;
        const code = failed ? (typeof failed.code === "number" ? failed.code : null) : 0;
        const shown = command.join(" ");
        const message =
          failed?.code === "ENOENT"
            ? `${file} is not installed here.`
            : failed
              ? `${shown} failed.`
              : `${shown} is done.`;
        resolve({ ok: !failed, message, stdout, stderr, code });
      },
    );
  });
}
