// POST /tools/invoke: runs one tool for a program that has the gateway's secret, under the same policy as a turn.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { agentOfSessionKey, once, type ToolResultMessage, canonicalSessionKey, mainSessionKey } from "@chela/sdk";
import { toolEvent } from "../../rooms/audit/room.ts";
import { agentSettings } from "../../rooms/config/room.ts";
import { defaultAgent, listAgents } from "../../rooms/routing/room.ts";
import type { House } from "../../house/house.ts";
import { subjectOf } from "../../rooms/tools/methods.ts";
import { scopesOfHolder } from "./method-route.ts";
import { HttpError, readBody, sendJson } from "../../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";

const MAX_BODY_BYTES = 2 * 1024 * 1024;

const Body = once(() =>
  z.looseObject({
    tool: z.string().trim().min(1, "tools.invoke requires body.tool"),
    action: z.string().optional(),
    args: z.record(z.string(), z.unknown()).optional(),
    sessionKey: z.string().min(1).optional(),
  }),
);

/** Files and commands are for turns, which are asked about; there is nobody here who could be. */
const NEVER = ["exec", "bash", "process", "read", "write", "edit", "apply_patch"];
/** What starts work in other places; `gateway.tools.allow` gives these back. */
const NOT_BY_PRESET = ["sessions_spawn", "sessions_send", "cron", "gateway", "whatsapp_login"];

interface Ran {
  /** Who refused it, when it was not the tool itself. */
  readonly decidedBy: string | undefined;
  readonly isUnforeseen: boolean;
  readonly result: ToolResultMessage;
}

export async function invokeTool(call: HttpCall, gateway: House): Promise<void> {
  const { request, response } = call;
  const body = await readBody(request, MAX_BODY_BYTES, Body());
  const { decidedBy, isUnforeseen, result } = await run(body, call, gateway);
  if (!result.isError) {
    const { content, details } = result;
    return sendJson(response, 200, { ok: true, result: { content, ...defined({ details }) } });
  }
  const message = textOf(result);
  // Whoever may not use a tool is not told whether it exists.
  if (decidedBy !== undefined && !["arguments", "stopped", "sandbox", "hook", "loop"].includes(decidedBy))
    return fail(call, 404, "not_found", `Tool not available: ${body.tool}`);
  if (isUnforeseen) return fail(call, 500, "tool_error", message);
  // A tool that says no has done what it is there for.
  const status = decidedBy === undefined || decidedBy === "arguments" ? 400 : 403;
  return fail(call, status, "tool_error", message);
}

async function run(
  { tool, action, args = {}, sessionKey: written }: z.output<ReturnType<typeof Body>>,
  { client, response }: HttpCall,
  gateway: House,
): Promise<Ran> {
  const { agentId, sessionKey } = placeOf(written, gateway);
  const scopes = scopesOfHolder(client);
  const info = { id: "http-api", mode: "backend" };
  const subject = await subjectOf(gateway, agentId, sessionKey, { info, scopes });
  const { tools } = await gateway.turnServices();
  await tools.ready();
  const offered = tools.for({ ...subject, limits: { deny: deniedNames(gateway) } });
  const described = offered.described.find(({ name }) => name === tool);
  const takesAction = action !== undefined && args["action"] === undefined && hasAction(described?.parameters);
  const runId = `http-${gateway.ids.uuid()}`;
  const toolCall = {
    type: "toolCall" as const,
    id: runId,
    name: tool,
    arguments: takesAction ? { ...args, action } : args,
  };
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  let decidedBy: string | undefined;
  let isUnforeseen = false;
  const result = await offered.run(toolCall, {
    runId,
    workspace: workspaceOf(agentId, gateway),
    signal: gone.signal,
    update: () => undefined,
    onRun: (ran) => void ({ decidedBy, isUnforeseen = false } = ran),
  });
  const { content, isError } = result;
  const whose = { actor: `client:http:${info.id}`, agentId, sessionKey, channel: "webchat", traceId: runId };
  const end = { name: tool, toolCallId: runId, args: toolCall.arguments, content, isError };
  gateway.audit.note(toolEvent(whose, { ...end, ...defined({ decidedBy }) }));
  return { decidedBy, isUnforeseen, result };
}

function placeOf(written: string | undefined, gateway: House): { agentId: string; sessionKey: string } {
  const keys = gateway.keys();
  const main = mainSessionKey(keys.defaultAgentId, keys);
  const sessionKey = written === undefined ? main : canonicalSessionKey(written, keys);
  if (!sessionKey) throw new HttpError(400, "invalid_request_error", `malformed session key "${written}"`);
  const agentId = agentOfSessionKey(sessionKey) ?? keys.defaultAgentId;
  if (!listAgents(gateway.config.current()).some(({ id }) => id === agentId))
    throw new HttpError(404, "not_found", `There is no agent "${agentId}".`);
  return { agentId, sessionKey };
}

function deniedNames(gateway: House): string[] {
  const { allow = [], deny = [] } = gateway.config.current().gateway?.tools ?? {};
  return [...NEVER, ...NOT_BY_PRESET.filter((name) => !allow.includes(name)), ...deny];
}

function workspaceOf(agentId: string, { config, paths }: House): string {
  const isDefault = defaultAgent(config.current()).id === agentId;
  return agentSettings(config.current(), { id: agentId, isDefault }, paths).workspace;
}

function hasAction(parameters: unknown): boolean {
  const properties = (parameters as { properties?: object } | undefined)?.properties;
  return properties !== undefined && Object.hasOwn(properties, "action");
}

function textOf({ content }: ToolResultMessage): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function fail({ response }: HttpCall, status: number, type: string, message: string): void {
  sendJson(response, status, { ok: false, error: { type, message } });
}
