// `chela mcp add`, `set`, `remove`, `enable`, `disable`: what is written of servers in the configuration.
import { usageFailure, type CommandCall } from "@chela/sdk/command-line";
import { parseJson } from "@chela/sdk/base";
import { tellResult } from "../../../base/terminal/tell-result.ts";
import { approve } from "./mcp.ts";

const nameIn = ({ args }: CommandCall): string => args[0] ?? "";

export async function add(call: CommandCall): Promise<number> {
  const name = nameIn(call);
  const server = serverFrom(call);
  const code = await call.gateway.askOrOffline(async (ask) => {
    const result = await ask("mcp.put", { name, server });
    const next = `Agents may use it after \`chela mcp approve ${name}\`.`;
    if (!call.flags.has("yes")) tellResult(call, result, `${result.added ? "Added" : "Changed"} ${name}. ${next}`);
  });
  return code === 0 && call.flags.has("yes") ? approve(call) : code;
}

function serverFrom({ args, flags }: CommandCall): Record<string, unknown> {
  const [, command, ...rest] = args;
  const url = flags.text("server-url");
  if ((command === undefined) === (url === undefined))
    throw usageFailure(
      "A server is a program or an address.",
      "chela mcp add NAME -- PROGRAM ARGUMENTS, or chela mcp add NAME --server-url URL",
    );
  const [env, headers] = [pairsOf(flags.list("env")), pairsOf(flags.list("header"))];
  const [hosts, write, agents] = [flags.list("host"), flags.list("write"), flags.list("agent")];
  const sandbox = { ...(hosts.length > 0 ? { hosts } : {}), ...(write.length > 0 ? { write } : {}) };
  const transport = flags.text("transport");
  return {
    ...(command === undefined ? { url } : { command, args: rest }),
    ...(transport === undefined ? {} : { transport }),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(sandbox).length > 0 ? { sandbox } : {}),
    ...(agents.length > 0 ? { agents } : {}),
  };
}

function pairsOf(written: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    written.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw usageFailure(`"${pair}" is no NAME=VALUE.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

export function set(call: CommandCall): Promise<number> {
  const [name = "", key = "", value = ""] = call.args;
  const read = parseJson(value) ?? (value === "null" ? null : value);
  const server = key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), read);
  return put(call, name, server as Record<string, unknown>, `${name}: ${key} is set.`);
}

export const enable = (call: CommandCall) => put(call, nameIn(call), { enabled: true }, `${nameIn(call)} is on.`);
export const disable = (call: CommandCall) => put(call, nameIn(call), { enabled: false }, `${nameIn(call)} is off.`);

function put(call: CommandCall, name: string, server: Record<string, unknown>, sentence: string): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    // One that is not there is not made by switching it on.
    await ask("mcp.status", { name });
    tellResult(call, await ask("mcp.put", { name, server }), sentence);
  });
}

export function remove(call: CommandCall): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const result = await ask("mcp.remove", { name: nameIn(call) });
    tellResult(call, result, `Removed ${result.name}.`);
  });
}
