// The tool `gateway` as it is offered to owners: an agent reads the configuration, changes what guards nothing, and restarts.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { GatewayError, once, type Tool, type ToolContext, type ToolOutput } from "@chela/sdk";
import { installedAs, type InstalledAs } from "../../base/installed-as.ts";
import { unusedSentence } from "./read/issue.ts";
import { guardsSafety } from "./key-facts.ts";
import { formatPath } from "./edit/path.ts";
import { SECTIONS } from "./schema/sections.ts";
import type { House } from "../../house/house.ts";
import type { ConfigStore, ConfigWish, WriteReport } from "./store-types.ts";

type GatewayToolHouse = Pick<House, "clock" | "config" | "audit" | "restart">;

/** After a moment, so that the turn that asks for it is among those that are waited for. */
const RESTART_AFTER_MS = 500;

const Parameters = once(() =>
  z.object({
    action: z.enum(["config.get", "config.schema", "config.patch", "config.apply", "restart", "update.run"]),
    path: z
      .string()
      .optional()
      .describe("For config.get and config.schema: only what stands there, such as agents.defaults"),
    raw: z
      .string()
      .optional()
      .describe("JSON5. For config.patch: what is to change (null removes a key). For config.apply: the whole file"),
    baseHash: z.string().optional().describe("The hash that config.get told: refused when somebody else wrote since"),
    reason: z.string().optional().describe("For restart"),
  }),
);
type Arguments = z.output<ReturnType<typeof Parameters>>;

const MOST_ROWS = 150;
const MOST_NAMED = 5;

export function gatewayTool(house: GatewayToolHouse): Tool {
  return {
    name: "gateway",
    label: "Gateway",
    description:
      "Reads and changes this gateway's configuration (config.get, config.schema, config.patch, config.apply) and restarts it (restart). " +
      "What guards the gateway (credentials, who may do what, tools, sandbox, channels' access) can be read here, but only changed by the owner on its machine.",
    family: "automation",
    inSandbox: "denied",
    notForSubagents: "all",
    told: 170,
    effects: ["write"],
    ownerOnly: true,
    parameters: Parameters,
    run: async (args, context) => perform(args as Arguments, context, house),
  };
}

async function perform(args: Arguments, context: ToolContext, house: GatewayToolHouse): Promise<ToolOutput> {
  const { config } = house;
  switch (args.action) {
    case "config.get":
      return tell(show(args.path, config));
    case "config.schema":
      return tell(await describeKeys(args.path));
    case "config.patch":
      return tell(change({ kind: "patch", raw: rawOf(args), baseHash: args.baseHash }, context, house));
    case "config.apply":
      return tell(change({ kind: "whole", raw: rawOf(args), baseHash: args.baseHash }, context, house));
    case "restart":
      return tell(restart(house));
    case "update.run":
      throw refusal(`Chela does not update itself. On its machine: ${howToUpdate(installedAs(import.meta.dirname))}`);
  }
}

/** What a person types, which depends on how they installed it. It is stopped first: files that it has yet to load are replaced. */
export function howToUpdate(installed: InstalledAs): string {
  switch (installed.kind) {
    case "clone":
      return `in ${installed.root}, npx chela gateway stop, git pull, npm ci and npm start.`;
    case "global":
      return "chela gateway stop, npm install -g chela@latest and chela gateway run.";
    case "local":
      return `in ${installed.root}, npx chela gateway stop, npm install chela@latest and npx chela gateway run.`;
    case "unknown":
      return "chela gateway stop, put the new version in the place of this one, and chela gateway run.";
  }
}

function show(path: string | undefined, config: ConfigStore): Record<string, unknown> {
  const { hash, valid, config: whole, path: file } = config.describe();
  if (!path) return { file, hash, valid, config: whole };
  const found = config.getPath(path);
  return { hash, path, ...(found.kind === "found" ? { value: found.value } : { value: null, note: "It is not set." }) };
}

/** All of it would fill the conversation: without a path only the sections are told. */
async function describeKeys(path: string | undefined): Promise<Record<string, unknown>> {
  if (!path) {
    const sections = Object.fromEntries(Object.entries(SECTIONS).map(([name, { facts }]) => [name, facts.says]));
    return { sections, note: "Give a path, such as agents.defaults, to see its keys." };
  }
  const { configReferenceRows } = await import("./reference.ts");
  const rows = configReferenceRows().filter(({ implemented }) => implemented);
  const asked = path.replaceAll(/\[\d+\]/g, "[]");
  const below = rows.filter((row) =>
    [asked, `${asked}.`, `${asked}[`].some((one, at) => (at === 0 ? row.path === one : row.path.startsWith(one))),
  );
  if (below.length === 0)
    throw refusal(`There is no setting ${path} that has an effect. Ask for config.schema without a path.`);
  const keys = below.slice(0, MOST_ROWS).map(({ path: key, type, description, default: preset }) => ({
    key,
    type,
    ...defined({ preset }),
    ...(description ? { says: description } : {}),
    ...(isGuarding(key) ? { guards: true } : {}),
  }));
  const left = below.length - keys.length;
  return { keys, ...(left > 0 ? { note: `${left} more; give a longer path.` } : {}) };
}

function isGuarding(key: string): boolean {
  return guardsSafety(key.replaceAll("[]", ".0").split("."));
}

function change(
  { baseHash: told, ...asked }: ConfigWish,
  context: ToolContext,
  { config, audit }: GatewayToolHouse,
): Record<string, unknown> {
  const wish = { ...asked, baseHash: told ?? config.describe().hash };
  const guarded = [...new Set(config.changesOf(wish).filter(guardsSafety).map(formatPath))];
  if (guarded.length > 0) throw refusal(guardedSentence(guarded));
  const { raw, baseHash } = wish;
  const { channel, account, id } = context.requester;
  const report = audit.inNameOf(`${channel}:${account}:${id}`, () =>
    wish.kind === "patch" ? config.mergePatch(raw, baseHash) : config.replaceAll(raw, baseHash),
  );
  return { ...outcomeOf(report), ...unusedNote(config) };
}

function guardedSentence(guarded: readonly string[]): string {
  const named = guarded.slice(0, MOST_NAMED).join(", ");
  const more = guarded.length > MOST_NAMED ? ` and ${guarded.length - MOST_NAMED} more` : "";
  const what = guarded.length === 1 ? "guards" : "guard";
  return `${named}${more} ${what} the gateway, so nothing was changed. The owner changes ${guarded.length === 1 ? "it" : "them"} on the gateway's machine: chela config set ${guarded[0]} …`;
}

function outcomeOf(report: WriteReport): Record<string, unknown> {
  if (report.kind === "unchanged") return { changed: false, hash: report.hash };
  const { hash, plan } = report;
  return { changed: true, hash, ...(plan.restart ? { note: "The gateway starts again with it by itself." } : {}) };
}

function unusedNote(config: ConfigStore): { readonly unused?: string } {
  const unused = unusedSentence(config.notUsedYet());
  return unused ? { unused } : {};
}

function restart({ clock, config, restart: again }: GatewayToolHouse): Record<string, unknown> {
  if (config.current().commands?.restart === false) {
    throw refusal(
      "Restarts are switched off (commands.restart). On its machine: chela gateway stop, then chela gateway run.",
    );
  }
  clock.after(RESTART_AFTER_MS, again);
  return { restarting: true, note: "It starts again when this turn has ended." };
}

function rawOf({ raw, action }: Arguments): string {
  if (raw?.trim()) return raw;
  throw refusal(`${action} needs raw: the JSON5 text.`);
}

function refusal(why: string): GatewayError {
  return new GatewayError("TOOL_GATEWAY", why);
}

function tell(details: Record<string, unknown>): ToolOutput {
  return { content: [{ type: "text", text: JSON.stringify(details, null, 2) }], details };
}
