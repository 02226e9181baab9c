// Tools with which an agent works in the editor a conversation is open in: its files as the editor has them, its terminal, and the
// plan it shows. They are offered only there, and only to owners.
import * as z from "zod";
import { once, type Tool, type ToolContext, type ToolOutput } from "@chela/sdk";
import type { EditorOffer, EditorOutcome, Editors, EditorWish } from "./editors.ts";

const Path = () => z.string().min(1).describe("Relative to the editor's first folder, or absolute");
const ReadParameters = once(() =>
  z.object({
    path: Path(),
    offset: z.int().min(1).optional().describe("First line, from 1"),
    limit: z.int().min(1).optional().describe("Number of lines"),
  }),
);
const WriteParameters = once(() => z.object({ path: Path(), content: z.string() }));
const EditParameters = once(() =>
  z.object({
    path: Path(),
    oldText: z.string().min(1).describe("Must stand in the file exactly once"),
    newText: z.string(),
  }),
);
const RunParameters = once(() =>
  z.object({
    command: z.string().min(1).max(20_000),
    cwd: z.string().min(1).optional(),
    timeoutSeconds: z.int().min(1).max(600).optional().describe("Default 120"),
  }),
);
const STATES = ["pending", "in_progress", "completed"] as const;
const PlanParameters = once(() =>
  z.object({ steps: z.array(z.object({ text: z.string().min(1).max(500), status: z.enum(STATES) })).max(50) }),
);

const RUN_SECONDS = 120;

export function editorReadTool(editors: Editors): Tool<ReturnType<typeof ReadParameters>> {
  return {
    name: "editor_read",
    label: "Read in the editor",
    description:
      "Reads a text file of the project that is open in the person's editor, with changes that are not saved yet.",
    family: "fs",
    effects: ["read"],
    parameters: ReadParameters,
    ...offeredWhere(editors, ({ read }) => read),
    run: async ({ path, offset, limit }, context) =>
      tell(await ask(editors, context, { op: "read", path, line: offset, limit })),
  };
}

export function editorWriteTool(editors: Editors): Tool<ReturnType<typeof WriteParameters>> {
  return {
    name: "editor_write",
    label: "Write in the editor",
    description: "Writes a whole file of the project that is open in the person's editor.",
    family: "fs",
    effects: ["write"],
    parameters: WriteParameters,
    ...offeredWhere(editors, ({ write }) => write),
    run: async ({ path, content }, context) => tell(await ask(editors, context, { op: "write", path, content })),
  };
}

export function editorEditTool(editors: Editors): Tool<ReturnType<typeof EditParameters>> {
  return {
    name: "editor_edit",
    label: "Edit in the editor",
    description: "Replaces one passage of a file of the project that is open in the person's editor.",
    family: "fs",
    effects: ["read", "write"],
    parameters: EditParameters,
    ...offeredWhere(editors, ({ read, write }) => read && write),
    async run({ path, oldText, newText }, context) {
      const now = await ask(editors, context, { op: "read", path });
      if (now.kind === "failed") return tell(now);
      const at = now.text.indexOf(oldText);
      if (at < 0) return failed(`oldText does not stand in ${path}. Read the file again.`);
      if (now.text.indexOf(oldText, at + 1) >= 0)
        return failed(`oldText stands in ${path} more than once: take more of it.`);
      const content = now.text.slice(0, at) + newText + now.text.slice(at + oldText.length);
      return tell(await ask(editors, context, { op: "write", path, content, oldText: now.text }));
    },
  };
}

export function editorRunTool(editors: Editors): Tool<ReturnType<typeof RunParameters>> {
  return {
    name: "editor_run",
    label: "Run in the editor",
    description: "Runs a command in a terminal of the person's editor, in the project that is open there.",
    family: "runtime",
    effects: ["exec"],
    parameters: RunParameters,
    ...offeredWhere(editors, ({ terminal }) => terminal),
    run: async ({ command, cwd, timeoutSeconds = RUN_SECONDS }, context) =>
      tell(await ask(editors, context, { op: "run", command, cwd, timeoutMs: timeoutSeconds * 1000 })),
  };
}

export function editorPlanTool(editors: Editors): Tool<ReturnType<typeof PlanParameters>> {
  return {
    name: "editor_plan",
    label: "Plan",
    description: "Shows your plan in the person's editor. Send all steps each time, with how far each is.",
    family: "fs",
    effects: ["read"],
    parameters: PlanParameters,
    ...offeredWhere(editors, () => true),
    run: async ({ steps }) => {
      const open = steps.filter(({ status }) => status !== "completed").length;
      return { content: [{ type: "text", text: `The plan is shown: ${steps.length} steps, ${open} open.` }] };
    },
  };
}

type Place = Pick<Tool, "ownerOnly" | "notForSubagents" | "unavailable" | "circumstances">;

function offeredWhere(editors: Editors, isLent: (offer: EditorOffer) => boolean): Place {
  return {
    ownerOnly: true,
    notForSubagents: "all",
    unavailable({ sessionKey }) {
      const offer = editors.offerOf(sessionKey);
      if (!offer) return "no editor is open in this conversation";
      return isLent(offer) ? undefined : "the editor does not lend this";
    },
    circumstances: () => editors.revision,
  };
}

function ask(editors: Editors, { sessionKey, toolCallId, signal }: ToolContext, wish: EditorWish) {
  return editors.call({ sessionKey, toolCallId, signal }, wish);
}

function tell(outcome: EditorOutcome): ToolOutput {
  return outcome.kind === "failed" ? failed(outcome.why) : { content: [{ type: "text", text: outcome.text }] };
}

function failed(text: string): ToolOutput {
  return { content: [{ type: "text", text }], isError: true };
}
