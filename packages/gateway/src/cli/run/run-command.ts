// `chela gateway run`: turns flags into start options, and stops another gateway first when told to.
import { defined } from "@chela/sdk/base";
import type { CommandCall } from "@chela/sdk/command-line";
import { runGateway, type RunOptions } from "./gateway-run.ts";

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal, env, state } = call;
  keepRunningWithoutReaders();
  if (flags.has("force")) await stopOther(call);
  const port = flags.number("port");
  const bind = flags.text("bind") as RunOptions["bind"];
  return runGateway({
    ...state,
    env,
    ...defined({ port, bind }),
    auth: authOf(call),
    verbose: flags.has("verbose"),
    terminal,
  });
}

function authOf({ flags }: CommandCall): NonNullable<RunOptions["auth"]> {
  const token = flags.text("token");
  const password = flags.text("password");
  const mode = (flags.text("auth") ?? (password !== undefined && token === undefined ? "password" : undefined)) as
    | "none"
    | "token"
    | "password"
    | "trusted-proxy"
    | undefined;
  return {
    ...defined({ mode, token, password }),
  };
}

/** A closed pipe ends other commands; a gateway goes on without anybody reading what it prints. */
function keepRunningWithoutReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners("error");
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

async function stopOther({ env, state, terminal }: CommandCall): Promise<void> {
  const { openStateDirectory } = await import("../../rooms/config/state/legacy-state.ts");
  const { stopGateway } = await import("../connect/stop-gateway.ts");
  const outcome = await stopGateway(openStateDirectory(env, state).paths.stateDir);
  if (outcome.kind === "stopped") terminal.note(`Stopped the gateway that ran before (process ${outcome.pid}).`);
}
