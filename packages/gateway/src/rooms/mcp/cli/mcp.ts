// `chela mcp …`: how the servers are, what they offer, what of it is approved, and signing in.
import type { CommandCall } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { confirm } from "../../../base/terminal/confirm.ts";
import { cleanForTerminal, count, formatTable } from "../../../base/terminal/layout.ts";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { judgeServer } from "../doctor.ts";

type Server = MethodAnswer<"mcp.status">["servers"][number];
type Held = MethodAnswer<"mcp.tools">["held"][number];

const nameIn = ({ args }: CommandCall): string => args[0] ?? "";

export function list(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const { servers } = await ask("mcp.status", {});
    if (call.flags.has("json")) return call.terminal.printJson({ servers });
    if (servers.length === 0) return call.terminal.print("There is no MCP server. `chela mcp add` adds one.");
    for (const line of formatTable(
      servers.map((server) => [server.name, server.transport ?? "", wordOf(server), server.launch ?? ""]),
    ))
      call.terminal.print(line);
  });
}

export function status(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const [name] = call.args;
    const { servers } = await ask("mcp.status", name === undefined ? {} : { name });
    if (call.flags.has("json")) return call.terminal.printJson({ servers });
    if (servers.length === 0) return call.terminal.print("There is no MCP server. `chela mcp add` adds one.");
    for (const server of servers) for (const line of describe(server)) call.terminal.print(line);
  });
}

function wordOf({ ok, enabled, approved, held, state, tools }: Server): string {
  if (!ok) return "broken";
  if (!enabled) return "off";
  if (!approved) return "not approved";
  return `${state}, ${count(tools, "tool")}${held > 0 ? `, ${held} held` : ""}`;
}

function describe(server: Server): string[] {
  const { name, where, why, launch, state, pid, sandbox, protocol, auth } = server;
  const runs = state === "running" && launch !== undefined && server.transport === "stdio";
  return [
    `${name}: ${wordOf(server)}`,
    ...(launch === undefined ? [] : [`  ${cleanForTerminal(launch)}`]),
    `  written in ${where}`,
    ...(why === undefined ? [] : [`  ${cleanForTerminal(why)}`]),
    ...(server.server
      ? [`  ${cleanForTerminal(`${server.server.name} ${server.server.version}`)}, MCP ${protocol ?? "?"}`]
      : []),
    ...(runs ? [`  process ${pid ?? "?"}, ${sandbox ? `in a sandbox (${sandbox})` : "on this machine itself"}`] : []),
    ...(auth === "none" ? [] : [`  sign-in: ${auth}`]),
  ];
}

export function doctor(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const [name] = call.args;
    const asked = name === undefined ? {} : { name };
    let { servers } = await ask("mcp.status", asked);
    if (call.flags.has("probe")) {
      // What is wrong with one is part of its status afterwards.
      for (const one of servers.filter(({ enabled }) => enabled))
        await ask("mcp.probe", { name: one.id }).catch(() => undefined);
      ({ servers } = await ask("mcp.status", asked));
    }
    const judged = servers.map((server) => ({ name: server.name, issues: judgeServer(server) }));
    const shown = judged.map(({ name: of, issues }) => ({
      name: of,
      ok: issues.length === 0,
      issues: issues.map(({ state, says, fix }) => ({
        level: state === "fail" ? "error" : "warning",
        message: says,
        fix,
      })),
    }));
    if (call.flags.has("json")) return call.terminal.printJson({ ok: shown.every(({ ok }) => ok), servers: shown });
    if (shown.every(({ ok }) => ok)) return call.terminal.print(`${count(shown.length, "server")}, nothing is wrong.`);
    for (const { issues } of shown)
      for (const { message, fix } of issues)
        call.terminal.print(cleanForTerminal(`${message}${fix ? `: ${fix}` : ""}`));
  });
}

export function probe(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const found = await ask("mcp.probe", { name: nameIn(call) });
    if (call.flags.has("json")) return call.terminal.printJson(found);
    call.terminal.print(
      `${found.name} answers. ${count(found.tools.length, "tool")} may be used, ${found.held.length} wait.`,
    );
    for (const line of found.held.flatMap(describeHeld)) call.terminal.print(line);
  });
}

export function tools(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const found = await ask("mcp.tools", { name: nameIn(call) });
    if (call.flags.has("json")) return call.terminal.printJson(found);
    if (found.tools.length + found.held.length === 0)
      return call.terminal.print(
        `Nothing is known of ${found.name}: \`chela mcp probe ${found.name}\` starts it and looks.`,
      );
    for (const line of formatTable(found.tools.map(({ as, description }) => [as, description.split("\n")[0] ?? ""])))
      call.terminal.print(line);
    for (const line of found.held.flatMap(describeHeld)) call.terminal.print(line);
  });
}

/** All of what is new about it: what cannot be seen must not be approved. */
export function describeHeld({ name, kind, diff }: Held): string[] {
  const sign = { new: "+", changed: "~", gone: "-" }[kind];
  return [
    `${sign} ${cleanForTerminal(name)} (${kind})`,
    ...diff.flatMap(({ field, before, after }) => [
      ...(before === undefined ? [] : [`    - ${field}: ${cleanForTerminal(before)}`]),
      ...(after === undefined ? [] : [`    + ${field}: ${cleanForTerminal(after)}`]),
    ]),
  ];
}

export function approve(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const name = nameIn(call);
    const found = await ask("mcp.probe", { name });
    const chosen = call.flags.list("tool");
    const waiting = found.held.filter((tool) => chosen.length === 0 || chosen.includes(tool.name));
    if (waiting.length === 0 && found.approved) return tellResult(call, found, `Nothing of ${name} waits for a yes.`);
    if (!call.flags.has("yes")) {
      for (const line of waiting.flatMap(describeHeld)) call.terminal.note(line);
      const isWanted = await confirm(
        call,
        `Let agents use ${count(waiting.length, "tool")} of ${name}?`,
        "Say it with --yes.",
      );
      if (!isWanted) return tellResult(call, found, "Nothing was approved.");
    }
    const approved = await ask("mcp.approve", { name, ...(chosen.length > 0 ? { tools: chosen } : {}) });
    tellResult(call, approved, `${count(approved.tools.length, "tool")} of ${name} may be used.`);
  });
}

export function revoke(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const result = await ask("mcp.revoke", { name: nameIn(call) });
    tellResult(call, result, `Nothing of ${result.name} is approved any more.`);
  });
}

export function login(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const code = call.flags.text("code");
    if (code !== undefined) {
      const result = await ask("mcp.login.finish", { url: code });
      return tellResult(call, result, `Signed in to ${result.name}.`);
    }
    const begun = await ask("mcp.login", { name: nameIn(call) });
    const how = `If that browser is on another machine, give the address it ends at: chela mcp login ${begun.name} --code URL`;
    tellResult(call, begun, `Open this address in a browser:\n${begun.url}\n${how}`);
  });
}

export function logout(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const result = await ask("mcp.logout", { name: nameIn(call) });
    tellResult(
      call,
      result,
      result.wasSignedIn ? `Signed out of ${result.name}.` : `Nobody was signed in to ${result.name}.`,
    );
  });
}

export function reload(call: CommandCall): Promise<number> {
  return call.gateway.ask(async (ask) => {
    const result = await ask("mcp.reload");
    tellResult(call, result, `${count(result.servers, "server")} let go.`);
  });
}
