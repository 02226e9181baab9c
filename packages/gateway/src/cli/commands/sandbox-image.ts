// `chela sandbox image build`: makes the image for containers, with the engine's own program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import { openStateDirectory, sandboxImage, sandboxSettings } from "../../rooms/config/room.ts";
import { defaultAgent } from "../../rooms/routing/room.ts";
import { DOCKERFILE } from "../../rooms/sandbox/docker/image.ts";
import { findProgram } from "../../rooms/sandbox/room.ts";
import { errnoOf } from "@chela/sdk/files";
import { cleanForTerminal } from "../../base/terminal/layout.ts";
import { openConfig } from "../offline/open-config.ts";

const ENGINES = ["docker", "podman"];

export async function build(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const text = readText(flags.text("file"));
  if (flags.has("print")) {
    terminal.write(text);
    return 0;
  }
  const image = flags.text("tag") ?? configuredImage(call);
  const named = flags.text("backend");
  const program = (named === undefined ? ENGINES : [named]).map((name) => findProgram(name)).find((path) => path);
  if (program === undefined) {
    throw new CommandFailure(
      "other",
      named ? `${named} is not installed.` : "Neither docker nor podman is installed.",
      {
        fix: "Install one of them, or build elsewhere: `chela sandbox image build --print` writes the Dockerfile.",
      },
    );
  }
  terminal.note(`Building ${image} with ${program}. It fetches Debian and its packages.`);
  // The operator's own environment: it says where the engine is.
  const child = spawn(program, ["build", "--tag", image, "-"], { env: { ...call.env } });
  for (const output of [child.stdout, child.stderr])
    output.setEncoding("utf8").on("data", (said: string) => terminal.write(cleanForTerminal(said)));
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new CommandFailure("other", `${program} did not build ${image}; what it said stands above.`);
  terminal.print(`${image} is there. \`chela sandbox status\` says whether it can be used.`);
  return 0;
}

function configuredImage(call: CommandCall): string {
  const { paths } = openStateDirectory(call.env, call.state);
  const config = openConfig(paths, call.env).current();
  return sandboxImage(sandboxSettings(config, defaultAgent(config).id, paths));
}

function readText(path: string | undefined): string {
  if (path === undefined) return DOCKERFILE;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandFailure("other", `${path} cannot be read (${errnoOf(error) ?? "unknown reason"}).`);
  }
}
