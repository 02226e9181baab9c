// Runs an approved plan exactly as it was approved: step after step, with one hand on the output and one on the kill switch.
import {
  GatewayError,
  type Clock,
  type ExecPlan,
  type ExecStep,
  type PreparedStep,
  type SandboxPlace,
} from "@chela/sdk";
import { limitFlow } from "./limit-flow.ts";
import { signalTree } from "../../../base/process-tree.ts";
import { startInside } from "./start-inside.ts";
import { startPipeline } from "./start-pipeline.ts";
import { startTerminal, type TerminalLibrary } from "./start-terminal.ts";
import type { CommandExit, StartedStep, StepSetting } from "./started-step.ts";

/** How long output may stay open after its program has ended, before we say that something was left running. */
const LINGER_MS = 500;

export type ReadyStep = Extract<PreparedStep, { kind: "ready" }>;

export interface RunSetting {
  readonly clock: Clock;
  /** What the first step starts, as the guard prepared it. */
  readonly first: ReadyStep;
  /** Asked right before each further step: what it starts, or why it must not. */
  prepare(step: number): Promise<PreparedStep>;
  readonly takesInput: boolean;
  /** Present when the programs are to run in a terminal. */
  readonly terminals?: TerminalLibrary;
  /** The sandbox of a plan that says so. */
  readonly place?: SandboxPlace;
  onText(text: string): void;
  /** The command itself has ended, but something it started still holds its output. */
  onLinger(): void;
}

export interface RunningPlan {
  pid(): number | undefined;
  /** Resolves when all has ended and all output was read; never rejects. */
  readonly ended: Promise<CommandExit>;
  /** False when nobody takes input at this moment. */
  write(data: string | Buffer): boolean;
  closeInput(): boolean;
  /** Reaches every program and whatever it started; no further step begins. */
  signal(signal: NodeJS.Signals): void;
  /** Stops waiting for output that something out of reach still holds. */
  abandon(): void;
}

/** The first step is started before this returns. */
export function runPlan(plan: ExecPlan, setting: RunSetting): RunningPlan {
  const steps = stepsOf(plan, setting);
  if (setting.terminals) refusePipes(steps);

  const started: StartedStep[] = [];
  let isStopped = false;
  const flow = limitFlow(setting.clock, () => started);
  const signal = (name: NodeJS.Signals): void => {
    isStopped = true;
    for (const step of started) step.signal?.(name);
    signalTree(
      started.flatMap(({ pids }) => pids),
      name,
    );
  };
  const settingOf = ({ replaced }: ReadyStep): StepSetting => {
    let isBelieved = true;
    return {
      cwd: plan.cwd,
      env: plan.env,
      takesInput: setting.takesInput,
      onText(text) {
        if (!isBelieved) return;
        const why = replaced?.();
        flow.count(text.length);
        if (why === undefined) return setting.onText(text);
        isBelieved = false;
        setting.onText(`${why}\n`);
        signal("SIGKILL");
      },
    };
  };

  const start = (ready: ReadyStep): StartedStep => {
    const { pipeline } = ready;
    const stepSetting = settingOf(ready);
    if (plan.how.kind === "sandbox" && !setting.terminals) {
      const inside = startInside(requirePlace(plan, setting), plan.command, stepSetting);
      started.push(inside);
      return inside;
    }
    const [first] = pipeline;
    const isInTerminal = setting.terminals !== undefined && first !== undefined;
    const next = isInTerminal
      ? startTerminal(setting.terminals, first, stepSetting)
      : startPipeline(pipeline, stepSetting);
    started.push(next);
    return next;
  };
  const runSteps = async (): Promise<CommandExit> => {
    let exit: CommandExit = { exitCode: 0, signal: null };
    for (const [at, step] of steps.entries()) {
      if (isStopped) break;
      if (!isDue(step, exit)) continue;
      let ready: ReadyStep = plan.how.kind === "sandbox" ? { kind: "ready", pipeline: step.pipeline } : setting.first;
      if (at > 0) {
        const prepared = await setting.prepare(at);
        if (prepared.kind === "refused") {
          setting.onText(`${prepared.why}\n`);
          return NOT_AS_APPROVED;
        }
        if (isStopped) break;
        ready = prepared;
      }
      const running = start(ready);
      exit = await running.exited;
      await firstOf(running.closed, setting.clock, LINGER_MS);
    }
    return exit;
  };
  const finish = async (exit: CommandExit): Promise<CommandExit> => {
    const closed = Promise.all(started.map((step) => step.closed));
    if (!(await firstOf(closed, setting.clock, 0))) setting.onLinger();
    await closed;
    flow.end();
    return exit;
  };

  return {
    ended: runSteps().then(finish),
    pid: () => started.at(-1)?.pids[0],
    write: (data) => started.at(-1)?.write(data) ?? false,
    closeInput: () => started.at(-1)?.closeInput() ?? false,
    signal,
    abandon: () => started.forEach((step) => step.abandon()),
  };
}

/** What a shell answers for what may not be run. */
const NOT_AS_APPROVED: CommandExit = { exitCode: 126, signal: null };

/** In a sandbox there is one step, for its shell; with a terminal that is a program of this machine that enters it. */
function stepsOf(plan: ExecPlan, setting: RunSetting): readonly ExecStep[] {
  const { how, command, cwd, env } = plan;
  if (how.kind === "direct") return how.steps;
  if (how.kind === "shell") return [{ when: "always", pipeline: [how.program] }];
  if (!setting.terminals) return [{ when: "always", pipeline: [] }];
  const launch = requirePlace(plan, setting).terminal?.({ command, cwd, env });
  if (launch) return [{ when: "always", pipeline: [{ file: launch.file, argv: [launch.file, ...launch.args] }] }];
  throw new GatewayError("EXEC_UNAVAILABLE", "This sandbox has no terminals. Run the command without pty.");
}

/** The plan names a sandbox, and it runs there or nowhere. */
function requirePlace({ how }: ExecPlan, { place }: RunSetting): SandboxPlace {
  if (how.kind === "sandbox" && place?.profile.scope === how.scope) return place;
  throw new GatewayError("SANDBOX_FAILED", "the command was approved for another sandbox than this one");
}

function isDue(step: ExecStep, before: CommandExit): boolean {
  if (step.when === "always") return true;
  return (step.when === "success") === (before.exitCode === 0);
}

function refusePipes(steps: readonly ExecStep[]): void {
  if (steps.every(({ pipeline }) => pipeline.length === 1)) return;
  throw new GatewayError("EXEC_UNAVAILABLE", "A pipeline cannot run in a terminal here. Run it without pty.");
}

/** Whether `event` came before the time was up. */
function firstOf(event: Promise<unknown>, clock: Clock, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false));
    void event.then(() => {
      cancel();
      resolve(true);
    });
  });
}
