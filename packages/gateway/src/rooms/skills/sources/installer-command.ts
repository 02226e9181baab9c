// Commands of installers: a program of the machine with fixed words. It is shown, and run only when the owner said so. Pure.
import { GatewayError } from "@chela/sdk";
import type { InstallOption } from "../reading/skill.ts";

export interface InstallerSettings {
  readonly nodeManager: "npm" | "pnpm" | "yarn" | "bun";
}

const NAME = /^(?!-)[@\w][\w@./+:~^-]{0,200}$/;

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
