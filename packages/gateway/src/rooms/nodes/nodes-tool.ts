// The tool `nodes` as it is offered to owners: looks at paired devices and asks them to do what they were approved for.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { GatewayError, once, type Tool, type ToolContext, type ToolOutput } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { wrapExternalContent } from "../../base/text/external-content.ts";
import { isPowerful } from "./command-rules.ts";
import { findNode } from "./find-node.ts";
import type { InvokeOutcome, NodeRow, Nodes } from "./room.ts";

type NodesHouse = Pick<House, "ids" | "nodes" | "devices">;

const ACTIONS = [
  "status",
  "describe",
  "pending",
  "approve",
  "reject",
  "notify",
  "camera_list",
  "camera_snap",
  "location_get",
  "notifications_list",
  "invoke",
] as const;

const Parameters = once(() =>
  z.object({
    action: z.enum(ACTIONS),
    node: z.string().optional().describe("Id or name of the node"),
    requestId: z.string().optional().describe("For approve and reject"),
    title: z.string().max(200).optional().describe("For notify"),
    body: z.string().max(2_000).optional().describe("For notify"),
    sound: z.string().max(100).optional(),
    priority: z.enum(["passive", "active", "timeSensitive"]).optional(),
    delivery: z.enum(["system", "overlay", "auto"]).optional(),
    facing: z.enum(["front", "back"]).optional().describe("For camera_snap"),
    maxWidth: z.int().min(1).max(4_000).optional(),
    quality: z.number().min(0).max(1).optional(),
    deviceId: z.string().max(200).optional(),
    maxAgeMs: z.int().min(0).optional(),
    desiredAccuracy: z.enum(["coarse", "balanced", "precise"]).optional(),
    invokeCommand: z.string().max(100).optional().describe("For invoke: a command that describe shows"),
    invokeParamsJson: z.string().max(100_000).optional().describe("For invoke: an object as JSON"),
    invokeTimeoutMs: z.int().min(1).max(600_000).optional(),
  }),
);
type Arguments = z.output<ReturnType<typeof Parameters>>;

const LONGEST_TEXT = 50_000;

export function nodesTool(house: NodesHouse): Tool {
  return {
    name: "nodes",
    label: "Nodes",
    description:
      "Looks at paired devices (status, describe, pending) and asks one to do something it offers: notify, camera, location, or invoke a command.",
    family: "nodes",
    inSandbox: "denied",
    told: 140,
    effects: ["read", "write", "network"],
    ownerOnly: true,
    parameters: Parameters,
    unavailable: () => (hasNodes(house) ? undefined : "no device is paired as a node"),
    circumstances: () => (hasNodes(house) ? "nodes" : ""),
    run: async (args, context) => perform(args as Arguments, context, house),
  };
}

function hasNodes({ devices }: Pick<House, "devices">): boolean {
  return devices.list().paired.some(({ role, roles = [] }) => role === "node" || roles.includes("node"));
}

async function perform(args: Arguments, context: ToolContext, house: NodesHouse): Promise<ToolOutput> {
  const nodes = await house.nodes();
  switch (args.action) {
    case "status":
      return tell({ nodes: nodes.rows().map(summarize) }, house);
    case "describe":
      return tell({ ...meant(nodes, args) }, house);
    case "pending":
      return tell({ pending: nodes.list().pending }, house);
    case "approve":
      return approve(nodes, required(args.requestId, "requestId", "pending shows those that wait"), house);
    case "reject": {
      const outcome = nodes.reject(required(args.requestId, "requestId", "pending shows those that wait"));
      if (outcome.kind === "unknown-request") throw refusal("no such request waits; pending shows those that do");
      return tell({ rejected: outcome.nodeId }, house);
    }
    default: {
      const { nodeId } = meant(nodes, args);
      const { command, params } = wishOf(args);
      const { toolCallId, runId } = context;
      const idempotencyKey = `${runId}:${toolCallId}`;
      const outcome = await nodes.invoke(nodeId, { command, params, idempotencyKey, timeoutMs: args.invokeTimeoutMs });
      return tellOutcome(outcome, command, nodeId, house);
    }
  }
}

/** An agent lets in what a person with the pairing scope could; commands that run programs need an administrator. */
function approve(nodes: Nodes, requestId: string, house: NodesHouse): ToolOutput {
  const outcome = nodes.approve(requestId, []);
  if (outcome.kind === "unknown-request") throw refusal("no such request waits; pending shows those that do");
  if (outcome.kind === "beyond-approver") {
    throw refusal(
      `this node wants to offer ${outcome.command}, which a person has to approve: \`chela nodes approve ${requestId}\``,
    );
  }
  return tell({ approved: outcome.node.nodeId, commands: outcome.node.commands ?? [] }, house);
}

function wishOf(args: Arguments): { readonly command: string; readonly params: Record<string, unknown> } {
  const { title, body, sound, priority, delivery, facing, maxWidth, quality, deviceId } = args;
  switch (args.action) {
    case "notify":
      if (!title && !body) throw refusal("notify needs a title or a body");
      return { command: "system.notify", params: defined({ title, body, sound, priority, delivery }) };
    case "camera_list":
      return { command: "camera.list", params: {} };
    case "camera_snap":
      return {
        command: "camera.snap",
        params: { facing: facing ?? "front", format: "jpg", ...defined({ maxWidth, quality, deviceId }) },
      };
    case "location_get": {
      const { maxAgeMs, desiredAccuracy } = args;
      return { command: "location.get", params: defined({ maxAgeMs, desiredAccuracy }) };
    }
    case "notifications_list":
      return { command: "notifications.list", params: {} };
    default: {
      const command = required(args.invokeCommand, "invokeCommand", "describe shows what a node offers");
      if (isPowerful(command)) throw refusal(`${command} runs programs on the node, which is not done from here`);
      return { command, params: readParams(args.invokeParamsJson) };
    }
  }
}

function readParams(json: string | undefined): Record<string, unknown> {
  if (json === undefined || json.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw refusal("invokeParamsJson must be an object written as JSON");
}

/** The node that is named; the only one, when none is. */
function meant(nodes: Nodes, { node }: Arguments): NodeRow {
  const rows = nodes.rows();
  if (!node) {
    const here = rows.filter(({ connected }) => connected);
    const [only] = here;
    if (only && here.length === 1) return only;
    throw refusal(here.length === 0 ? "no node is connected" : "name the node; status shows them");
  }
  const found = findNode(rows, node);
  if (found.kind === "found") return found.node;
  if (found.kind === "none") throw refusal(`there is no node "${node}"; status shows them`);
  const ids = found.nodes.map(({ nodeId }) => nodeId.slice(0, 12)).join(", ");
  throw refusal(`"${node}" could be several nodes (${ids}); name one by its id`);
}

function tellOutcome(outcome: InvokeOutcome, command: string, nodeId: string, house: NodesHouse): ToolOutput {
  if (outcome.kind === "failed") return { ...tell({ command, failed: outcome.error }, house), isError: true };
  if (outcome.kind !== "answered") throw refusal(whyNot(outcome, command));
  const picture = pictureIn(outcome.payload);
  if (!picture) return tell({ command, payload: outcome.payload }, house);
  const { block, ...rest } = picture;
  const { content } = tell({ command, nodeId, ...rest }, house);
  return { content: [...content, block], details: { command, nodeId } };
}

function whyNot(outcome: Exclude<InvokeOutcome, { kind: "answered" | "failed" }>, command: string): string {
  switch (outcome.kind) {
    case "unknown-node":
      return "there is no such node";
    case "not-connected":
      return "the node is not connected";
    case "not-allowed":
      return `${command} is not allowed: ${outcome.reason}. ${outcome.fix}`;
    case "timed-out":
      return "the node did not answer in time";
    case "gone":
      return "the node went away before it answered";
    case "busy":
      return "the node has too many calls open; try again in a moment";
  }
}

function pictureIn(payload: unknown) {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { base64, format, width, height } = payload as Record<string, unknown>;
  if (typeof base64 !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const mimeType = format === "png" ? "image/png" : "image/jpeg";
  return { width, height, block: { type: "image" as const, data: base64, mimeType } };
}

function summarize({ nodeId, displayName, platform, connected, commands, waits }: NodeRow) {
  return {
    nodeId,
    ...(displayName ? { displayName } : {}),
    ...(platform ? { platform } : {}),
    connected,
    commands,
    waits,
  };
}

/** Names and answers are what somebody else's device says, and are marked as that. */
function tell(result: Readonly<Record<string, unknown>>, { ids }: NodesHouse): ToolOutput {
  const text = JSON.stringify(result, undefined, 2);
  const isLong = text.length > LONGEST_TEXT;
  const shown = isLong ? `${text.slice(0, LONGEST_TEXT)}\n… (cut)` : text;
  const content = [{ type: "text" as const, text: wrapExternalContent(shown, { source: "Nodes" }, ids) }];
  return { content, ...(isLong ? {} : { details: result }) };
}

function required(value: string | undefined, name: string, fix: string): string {
  if (value) return value;
  throw refusal(`${name} is missing; ${fix}`);
}

function refusal(why: string): GatewayError {
  return new GatewayError("NODE_REFUSED", why);
}
