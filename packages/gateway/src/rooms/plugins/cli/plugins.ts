// `chela plugins …`: code of others. A running gateway is asked; without one, the files are read and changed here.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { confirm } from "../../../base/terminal/confirm.ts";
import { cleanForTerminal, count, formatTable } from "../../../base/terminal/layout.ts";
import { tellResult } from "../../../base/terminal/tell-result.ts";

type Plugin = MethodAnswer<"plugins.list">["plugins"][number];
type Details = MethodAnswer<"plugins.inspect">["plugin"];
type Grant = NonNullable<Details["grant"]>;

export function list(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const { plugins: all } = await ask("plugins.list");
    const plugins = flags.has("enabled") ? all.filter(({ state }) => state === "enabled") : all;
    if (flags.has("json")) return terminal.printJson({ plugins });
    if (plugins.length === 0) return terminal.print("There are no plugins.");
    for (const line of describe(plugins, call)) terminal.print(line);
  });
}

function describe(plugins: readonly Plugin[], { terminal, flags }: CommandCall): string[] {
  const head = ["PLUGIN", "VERSION", "STATE", "ORIGIN", "BRINGS"].map((name) => terminal.style.dim(name));
  const rows = plugins.map((plugin) => [
    clean(plugin.id),
    clean(plugin.version ?? ""),
    plugin.isRunning ? `${plugin.state}, running` : plugin.state,
    plugin.origin ?? "",
    clean(brings(plugin)),
  ]);
  const [first = "", ...lines] = formatTable([head, ...rows]);
  return [
    first,
    ...lines.flatMap((line, at) => {
      const plugin = plugins[at];
      if (!plugin) return [line];
      const troubled = plugin.state === "enabled" || plugin.state === "disabled" ? [] : remarks(plugin);
      const more = flags.has("verbose")
        ? [...remarks(plugin), ...plugin.warnings.map((one) => `  ${clean(one)}`)]
        : troubled;
      return [line, ...more];
    }),
  ];
}

function brings({ tools, hooks, commands, routes, methods, services, skills, channels, bundle }: Plugin): string {
  const parts: Array<[number, string]> = [
    [tools.length, "tool"],
    [hooks.length, "hook"],
    [commands.length, "command"],
    [routes.length, "route"],
    [methods.length, "method"],
    [services.length, "service"],
    [skills.length, "skill"],
    [channels.length, "channel"],
  ];
  const told = parts.flatMap(([number, what]) => (number > 0 ? [count(number, what)] : []));
  return [...(bundle ? [`bundle of ${bundle}`] : []), ...told].join(", ");
}

function remarks({ why, fix }: Plugin): string[] {
  return [...(why ? [`  ${clean(why)}`] : []), ...(fix ? [`  To type: ${clean(fix)}`] : [])];
}

export function inspect(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const { plugin } = await ask("plugins.inspect", { id: args[0] ?? "" });
    if (flags.has("json")) return terminal.printJson(plugin);
    terminal.print(clean(`${plugin.name}${plugin.version ? ` ${plugin.version}` : ""}`));
    if (plugin.description) terminal.print(clean(plugin.description));
    const told = factsOf(plugin).flatMap(([what, text]) => (text ? [[what, clean(text)]] : []));
    for (const line of formatTable(told, "  ")) terminal.print(line);
    for (const line of [...wishLines(plugin), ...wallLines(plugin), ...plugin.warnings.map((one) => `  ${clean(one)}`)])
      terminal.print(line);
  });
}

function factsOf(plugin: Details): Array<[string, string | undefined]> {
  const { state, why, fix, origin, path, digest, tools, hooks, commands, cli, methods, routes, services, process } =
    plugin;
  return [
    ["State", why ? `${state}. ${why}` : plugin.isRunning ? `${state}, running` : state],
    ["To type", fix],
    ["Origin", origin],
    ["Path", path],
    ["Files", digest],
    ["Tools", tools.join(", ")],
    ["Hooks", hooks.join(", ")],
    ["Chat commands", commands.map((name) => `/${name}`).join(", ")],
    ["Commands", cli.map((name) => `chela ${name}`).join(", ")],
    ["Methods", methods.join(", ")],
    ["Routes", routes.join(", ")],
    ["Services", services.join(", ")],
    ["Channels", plugin.channels.join(", ")],
    ["Skills", plugin.skills.join(", ")],
    ["MCP servers", plugin.mcpServers.join(", ")],
    ["May", plugin.grant ? grantText(plugin.grant) : undefined],
    [
      "Approved",
      plugin.approvedAt === undefined
        ? undefined
        : `${new Date(plugin.approvedAt).toISOString()} by ${plugin.approvedBy ?? "?"}`,
    ],
    ["Not granted", plugin.notGranted.join(", ")],
    ["Last fall", process.lastFall],
  ];
}

function wishLines({ wishes, grant }: Details): string[] {
  if (grant || wishes.length === 0) return [];
  return [
    "It seems to need:",
    ...wishes.map(({ key, value, why }) => `  ${clean([key, value].filter(Boolean).join(" "))} (${clean(why)})`),
  ];
}

function wallLines({ walls, grant }: Details): string[] {
  if (walls.length > 0) return ["Walls:", ...walls.map((one) => `  ${clean(one)}`)];
  return grant ? ["Walls: which of them stand is known when it has been started."] : [];
}

function grantText({ hosts, read, write, env, exec, native, config, conversation }: Grant): string {
  const parts = [
    hosts.length > 0 ? `reach ${hosts.join(", ")}` : "",
    read.length > 0 ? `read ${read.join(", ")}` : "",
    write.length > 0 ? `write ${write.join(", ")}` : "",
    env.length > 0 ? `have ${env.join(", ")}` : "",
    config.length > 0 ? `change ${config.join(", ")}` : "",
    exec ? "start programs" : "",
    native ? "load native parts" : "",
    conversation ? "hear and change what is said" : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? parts.join("; ") : "nothing beside its own folder";
}

export function approve(call: CommandCall): Promise<number> {
  const { flags, terminal, args } = call;
  const id = args[0] ?? "";
  return call.gateway.askOrOffline(async (ask) => {
    const { plugin } = await ask("plugins.inspect", { id });
    const grant = grantFrom(call, plugin);
    if (!flags.has("yes")) {
      for (const line of wishLines({ ...plugin, grant: undefined })) terminal.note(line);
      const question = `May ${clean(plugin.name)} ${clean(grantText(grant))}?`;
      if (!(await confirm(call, question, `chela plugins approve ${id} --yes`)))
        return terminal.note("Nothing was changed.");
    }
    const { digest } = plugin;
    const result = await ask("plugins.approve", { id, grant, ...(digest === undefined ? {} : { digest }) });
    const { state, why } = result.plugin;
    tellResult(
      call,
      result,
      clean(state === "enabled" ? `${id} may ${grantText(grant)}.` : `${id} is approved, and ${state}: ${why ?? ""}`),
    );
  });
}

/** What the flags say; all it seems to need where they say nothing. */
function grantFrom({ flags }: CommandCall, { wishes }: Details): Grant {
  const asked = (key: string): string[] =>
    wishes.flatMap((wish) => (wish.key === key && wish.value !== undefined ? [wish.value] : []));
  const lists = { hosts: "host", read: "read", write: "write", env: "env", config: "section" } as const;
  const switches = ["exec", "native", "conversation"] as const;
  const isSaid = flags.has("none") || [...Object.values(lists), ...switches].some((name) => flags.has(name));
  const said = (name: string): string[] => [...flags.list(name)];
  if (flags.has("yes") && isSaid)
    throw usageFailure(
      "--yes grants everything; leave it out when you say what is granted",
      "Answer the question with y.",
    );
  const value = (key: keyof typeof lists): string[] => (isSaid ? said(lists[key]) : asked(key));
  const has = (key: (typeof switches)[number]): boolean =>
    isSaid ? flags.has(key) : wishes.some((wish) => wish.key === key);
  return {
    hosts: value("hosts"),
    read: value("read"),
    write: value("write"),
    env: value("env"),
    config: value("config"),
    exec: has("exec"),
    native: has("native"),
    conversation: has("conversation"),
  };
}

export const enable = (call: CommandCall): Promise<number> => change(call, "plugins.enable");
export const disable = (call: CommandCall): Promise<number> => change(call, "plugins.disable");

function change(call: CommandCall, method: "plugins.enable" | "plugins.disable"): Promise<number> {
  return call.gateway.askOrOffline(async (ask) => {
    const result = await ask(method, { id: call.args[0] ?? "" });
    const { id, state, why, fix } = result.plugin;
    const sentence = [`${id}: ${state}.`, why, fix === undefined ? undefined : `To type: ${fix}`].filter(
      (part) => part !== undefined,
    );
    tellResult(call, result, clean(sentence.join(" ")));
  });
}

export function doctor(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  return call.gateway.askOrOffline(async (ask) => {
    const { plugins } = await ask("plugins.list");
    const troubled = plugins.filter(
      ({ state, warnings }) => (state !== "enabled" && state !== "disabled") || warnings.length > 0,
    );
    if (flags.has("json")) return terminal.printJson({ ok: troubled.length === 0, plugins: troubled });
    if (troubled.length === 0) return terminal.print("Nothing is wrong with plugins.");
    for (const plugin of troubled) {
      terminal.print(`${clean(plugin.id)}: ${plugin.state}`);
      for (const line of [...remarks(plugin), ...plugin.warnings.map((one) => `  ${clean(one)}`)]) terminal.print(line);
    }
  });
}

const clean = (text: string): string => cleanForTerminal(text);
