// Carries out an admitted call: asks those who may object, finds the place where it runs, and runs it as long as the turn lasts.
import { toGatewayError, type Tool, type ToolContext } from "@chela/sdk";
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
  const asked = await askHooks(call, context, gate);
  if (asked.kind === "refused") return asked;
  const place = await findPlace(call.tool, context, gate);
  if (place.kind === "refused") return place;
  const closedNotes = gate.closedNotes?.(context) ?? [];
  // Nobody waits any longer if the turn was stopped while somebody was asked.
  if (context.signal.aborted) return stopped(call.tool, "before it began");
  return { kind: "output", output: await call.tool.run(asked.args, { ...place.context, closedNotes }) };
}

type Asked = { readonly kind: "allowed"; readonly args: unknown } | Extract<Ending, { kind: "refused" }>;

async function askHooks({ tool, args: written }: AdmittedCall, context: ToolContext, gate: Gate): Promise<Asked> {
  let args = written;
  for (const ask of gate.beforeRun) {
    try {
      const answer = await ask(tool, args, context);
      if (answer.kind !== "allow") return refuse("hook", "TOOL_DENIED", answer.why);
      if (answer.args === undefined) continue;
      const read = tool.parameters().safeParse(answer.args);
      if (!read.success)
        return refuse("hook", "TOOL_DENIED", `a check that comes before ${tool.name} left it no arguments it takes`);
      args = read.data;
    } catch (error) {
      gate.log.warn("a check before a tool failed, so the tool was not run", { tool: tool.name, error: String(error) });
      return refuse("hook", "TOOL_DENIED", `a check that comes before ${tool.name} failed`);
    }
  }
  return { kind: "allowed", args };
}

type ChosenContext = { readonly kind: "place"; readonly context: ToolContext } | Extract<Ending, { kind: "refused" }>;

/** Running on the machine what was meant for a sandbox would be worse than not running it. */
async function findPlace(tool: Tool, context: ToolContext, gate: Gate): Promise<ChosenContext> {
  const refused = (why: string) => refuse("sandbox", "TOOL_DENIED", why);
  if (!gate.sandboxed && !gate.sandbox) return { kind: "place", context };
  try {
    const sandbox = await gate.sandbox?.enter(context);
    // What the policy was judged by must be what the call meets.
    if (sandbox === undefined && gate.sandboxed) {
      if (!belongsInside(tool)) return { kind: "place", context };
      return refused(`this session is sandboxed, but there is no sandbox to run ${tool.name} in`);
    }
    if (sandbox === undefined) return { kind: "place", context };
    if (belongsInside(tool) && !tool.keepsToSandbox) return refused(`${tool.name} cannot be kept in a sandbox`);
    // Commands are judged where they start; what a tool writes by itself is written to the same folders.
    const full = tool.effects.includes("write") ? await sandbox.whyNoWrites?.() : undefined;
    if (full !== undefined) return refused(full);
    return { kind: "place", context: { ...context, sandbox } };
  } catch (error) {
    if (!belongsInside(tool)) return { kind: "place", context };
    return refused(toGatewayError(error, "SANDBOX_FAILED").explain());
  }
}

/** Whatever touches the machine, by what it does or by what it says of itself. */
function belongsInside({ effects, family, keepsToSandbox }: Tool): boolean {
  if (keepsToSandbox) return true;
  return effects.includes("write") || effects.includes("exec") || family === "fs" || family === "runtime";
}
