// Methods about plugins: which there are, what they may do, switching them on and off.
import { actorOf, asInvalid, holdsScope, type Handlers, type PLUGIN_METHODS } from "@chela/sdk/protocol";
import { GatewayError } from "@chela/sdk";
import * as z from "zod";
import type { House } from "../../house/house.ts";
import { explainWalls } from "./process/walls.ts";
import type { PluginReport } from "./plugins.ts";

type PluginMethods = Pick<Handlers, keyof typeof PLUGIN_METHODS>;
type Row = Awaited<ReturnType<PluginMethods["plugins.list"]>>["plugins"][number];

const CliResult = z.object({ code: z.int(), stdout: z.string(), stderr: z.string() });

export function pluginMethods({ plugins }: Pick<House, "plugins">): PluginMethods {
  const change = async (work: () => Promise<PluginReport>): Promise<{ plugin: Row }> => {
    try {
      return { plugin: rowOf(await work()) };
    } catch (error) {
      throw GatewayError.is(error) && error.code.startsWith("CONFIG_") ? asInvalid(error) : error;
    }
  };
  return {
    async "plugins.list"(_params, { client }) {
      const isAdmin = holdsScope(client.scopes, "operator.admin");
      return { plugins: (await plugins.room()).list().map((report) => shown(rowOf(report), isAdmin)) };
    },
    async "plugins.inspect"({ id }) {
      const report = await (await plugins.room()).inspect(id);
      const { found, catalogue, approval, process, wishes, notGranted, digest } = report;
      const { configSchema, uiHints, mcpServers = {} } = found?.manifest ?? {};
      const plugin = {
        ...rowOf(report),
        ...(digest === undefined ? {} : { digest }),
        toolDetails: (catalogue?.tools ?? []).map(({ name, description, optional }) => ({
          name,
          description,
          optional: optional === true,
        })),
        mcpServers: [...Object.keys(mcpServers), ...(found?.bundle?.mcpServers ?? [])],
        ...(approval ? { grant: approval.grant, approvedAt: approval.approvedAt, approvedBy: approval.by } : {}),
        wishes: wishes.map((wish) => ({
          key: wish.key,
          ...("value" in wish ? { value: wish.value } : {}),
          why: wish.why,
        })),
        notGranted: [...notGranted],
        walls: process.walls ? [...explainWalls(process.walls)] : [],
        ...(configSchema ? { configSchema } : {}),
        ...(uiHints ? { uiHints } : {}),
        process: {
          falls: process.falls,
          ...(process.pid === undefined ? {} : { pid: process.pid }),
          ...(process.lastFall === undefined ? {} : { lastFall: process.lastFall }),
        },
      };
      return { plugin };
    },
    "plugins.enable": ({ id }) => change(async () => (await plugins.room()).enable(id)),
    "plugins.disable": ({ id }) => change(async () => (await plugins.room()).disable(id)),
    "plugins.approve": ({ id, digest, grant, enable }, { client }) =>
      change(async () => {
        const room = await plugins.room();
        const approved = await room.approve(id, { digest, grant, by: actorOf(client) });
        return enable ? room.enable(id) : approved;
      }),
    async "plugins.cli"({ argv }) {
      const gave = CliResult.safeParse(await (await plugins.room()).runCli(argv));
      if (gave.success) return gave.data;
      throw new GatewayError("PLUGIN_FAILED", `${argv[0] ?? ""} gave back something that cannot be read`);
    },
  };
}

/** Where things lie on this machine is nothing for those who only read. */
function shown({ path: _path, ...row }: Row, isAdmin: boolean): Row {
  return isAdmin && _path !== undefined ? { ...row, path: _path } : row;
}

function rowOf({ id, found, state, catalogue, warnings, process, isTrusted }: PluginReport): Row {
  const { manifest, bundle } = found ?? {};
  const description = catalogue?.description ?? manifest?.description;
  const version = catalogue?.version ?? manifest?.version;
  return {
    id,
    name: catalogue?.name ?? manifest?.name ?? id,
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(found ? { origin: found.origin, path: found.file ?? found.root } : {}),
    state: state.kind,
    ...(state.kind === "enabled" ? {} : { why: state.why, fix: state.fix }),
    ...(state.kind === "blocked" ? { reason: state.reason } : {}),
    ...(bundle ? { bundle: bundle.of } : {}),
    isRunning: process.isRunning,
    isTrusted,
    tools: catalogue?.tools.map(({ name }) => name) ?? [...(manifest?.toolNames ?? [])],
    hooks: [
      ...(catalogue?.hooks ?? []).map(({ hook }) => hook),
      ...(catalogue?.internalHooks ?? []).flatMap(({ events }) => events),
    ],
    commands: catalogue?.commands.map(({ name }) => name) ?? [...(bundle?.commands ?? [])],
    methods: catalogue?.methods ?? [],
    routes: catalogue?.routes.map(({ path, match }) => (match === "prefix" ? `${path}/…` : path)) ?? [],
    cli: catalogue?.cli ?? [],
    services: catalogue?.services ?? [],
    channels: [...(manifest?.channels ?? [])],
    providers: [...(manifest?.providers ?? [])],
    skills: [...(manifest?.skills ?? [])],
    warnings: [...warnings],
  };
}
