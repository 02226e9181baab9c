// Carries out an admitted call: asks those who may object, finds the place where it runs, and runs it as long as the turn lasts.
import type { Tool, ToolContext } from "@chela/sdk";
import { refuse, type Ending, type Gate } from "./gate.ts";
import { letGo } from "./let-go.ts";

interface AdmittedCall {
  readonly tool: Tool;
  readonly args: unknown;
}

/** Never rejects. A call that does not let go of a stopped turn is left behind, and what it still returns is ignored. */
export async function carryOut(call: AdmittedCall, context: ToolContext, gate: Gate): Promise<Ending> {
  const { signal } = context;
  if (signal.aborted) return stopped(call.tool, "before it began");
  const work = approveAndRun(call, context, gate);
  const outcome = await letGo(work, { signal, clock: gate.clock, letGoMs: gate.limits.letGoMs });
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind === "abandoned") gate.log.warn("a tool did not let go of a stopped turn", { tool: call.tool.name });
  if (signal.aborted) return stopped(call.tool, "before it was done; whether it took effect is not known");
  return outcome.kind === "failed" ? outcome : stopped(call.tool, "before it was done");
}

function stopped(tool: Tool, when: string): Ending {
  return refuse("stopped", "TOOL_STOPPED", `${tool.name} was stopped ${when}`);
}

async function approveAndRun(call: AdmittedCall, context: ToolContext, gate: Gate): Promise<Ending> {
  const denial = await askHooks(call, context, gate);
  if (denial) return denial;
  const place = await findPlace(call.tool, context, gate);
  if (place.kind === "refused") return place;
  // Nobody waits any longer if the turn was stopped while somebody was asked.
  if (context.signal.aborted) return stopped(call.tool, "before it began");
  return { kind: "output", output: await place.run(call.args, context) };
}

async function askHooks({ tool, args }: AdmittedCall, context: ToolContext, gate: Gate): Promise<Ending | undefined> {
  for (const ask of gate.beforeRun) {
    try {
      const answer = await ask(tool, args, context);
      if (answer.kind !== "allow") return refuse("hook", "TOOL_DENIED", answer.why);
    } catch (error) {
      gate.log.warn("a check before a tool failed, so the tool was not run", { tool: tool.name, error: String(error) });
      return refuse("hook", "TOOL_DENIED", `a check that comes before ${tool.name} failed`);
    }
  }
  return undefined;
}

type Place = { readonly kind: "place"; run: Tool["run"] } | Extract<Ending, { kind: "refused" }>;

async function findPlace(tool: Tool, context: ToolContext, gate: Gate): Promise<Place> {
  const here: Place = { kind: "place", run: (args, inner) => tool.run(args, inner) };
  if (!gate.sandbox) return gate.sandboxed && touchesTheMachine(tool) ? noSandbox(tool) : here;
  const place = await gate.sandbox.wrap(tool, context);
  if (place.kind === "refused") return refuse("sandbox", "TOOL_DENIED", place.why);
  return place.kind === "inside" ? { kind: "place", run: (args, inner) => place.run(args, inner) } : here;
}

function touchesTheMachine({ effects, family }: Tool): boolean {
  return effects.includes("write") || effects.includes("exec") || family === "fs" || family === "runtime";
}

/** Running on the host what was meant for a sandbox would be worse than not running it. */
function noSandbox(tool: Tool): Place {
  return refuse("sandbox", "TOOL_DENIED", `this session is sandboxed, but there is no sandbox to run ${tool.name} in`);
}
