// Starts a command in a sandbox and makes it look like any other step.
import { toGatewayError, type SandboxedProcess, type SandboxPlace } from "@chela/sdk";
import type { CommandExit, StartedStep, StepSetting } from "./started-step.ts";

/** What a shell answers for what cannot be run. */
const NOT_STARTED: CommandExit = { exitCode: 126, signal: null };

/** Known at once, begun a moment later: what is asked of it in between is done then. */
export function startInside(place: SandboxPlace, command: string, setting: StepSetting): StartedStep {
  const { cwd, env, takesInput, onText } = setting;
  let running: SandboxedProcess | undefined;
  const later: Array<(begun: SandboxedProcess) => void> = [];
  const once = (act: (begun: SandboxedProcess) => void): void => void (running ? act(running) : later.push(act));
  const begun = place.start({ command, cwd, env, takesInput, onText }).then(
    (started) => {
      running = started;
      for (const act of later) act(started);
      return started;
    },
    (error: unknown) => {
      onText(`${toGatewayError(error, "SANDBOX_FAILED").explain()}\n`);
      return undefined;
    },
  );
  return {
    pids: [],
    exited: begun.then((process) => process?.exited ?? NOT_STARTED),
    closed: begun.then((process) => process?.closed),
    write(data) {
      if (!running) return takesInput && (once((process) => void process.write(data)), true);
      return running.write(data);
    },
    closeInput() {
      if (!running) return takesInput && (once((process) => void process.closeInput()), true);
      return running.closeInput();
    },
    pause: () => once((process) => process.pause()),
    resume: () => once((process) => process.resume()),
    abandon: () => once((process) => process.abandon()),
    signal: (signal) =>
      once((process) => process.signal(signal === "SIGKILL" || signal === "SIGINT" ? signal : "SIGTERM")),
  };
}
