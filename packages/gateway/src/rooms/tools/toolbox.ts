// The toolbox: which tools a turn may use, how a model is told of them, and the way to run them.
import {
  GatewayError,
  type Clock,
  type Logger,
  type ModelInfo,
  type ModelTool,
  type Tool,
  type ToolCallBlock,
  type ToolContext,
  type ToolEffect,
  type ToolResultMessage,
} from "@chela/sdk";
import { describeTool } from "./gate/describe-tool.ts";
import type { AfterRun, BeforeRun, ClosedNotes, Gate, ToolLimits, ToolRun, ToolSandbox } from "./gate/gate.ts";
import { catalogOf, type ToolCatalog } from "./gate/tool-catalog.ts";
import { createLoopWatch } from "./loop-detection/loop-watch.ts";
import { loopSettings } from "./loop-detection/settings.ts";
import { agentTools } from "./policy/agent-tools.ts";
import { inToldOrder, type ToolLists } from "./policy/catalogue.ts";
import type { ToolsConfigView } from "./policy/config-view.ts";
import { ownName, policyName } from "./policy/entries.ts";
import { explainTool, type ToolExplanation } from "./policy/explain.ts";
import { judgeTool, removalOf } from "./policy/judge.ts";
import { layersFor, type ListLayer } from "./policy/layers.ts";
import type { ToolSubject } from "./policy/subject.ts";
import { unknownEntries } from "./policy/unknown-entries.ts";
import { runTool } from "./run-tool.ts";
import { chooseDirect, MOST_USED } from "./search/choose-direct.ts";
import { CALL_TOOL, meantTool } from "./search/meant-tool.ts";
import { searchTools } from "./search/search-tools.ts";

/** Tools that come and go while the gateway runs, such as those of MCP servers. */
export interface ToolSource {
  /** Looks what there is now; quick as long as nothing changed. */
  ready(): Promise<void>;
  /** The same array as long as nothing changed. */
  tools(): readonly Tool[];
}

export interface ToolboxParts {
  readonly tools: readonly Tool[];
  readonly source?: ToolSource;
  /** What is said of the built-in ones by name. */
  readonly lists: ToolLists;
  /** The configuration as it is now: asked for every turn and every call. */
  config(): ToolsConfigView;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: Partial<ToolLimits>;
  readonly sandbox?: ToolSandbox;
  readonly beforeRun?: readonly BeforeRun[];
  readonly afterRun?: AfterRun;
  readonly closedNotes?: ClosedNotes;
  /** Takes secrets that the gateway knows out of a text: no tool tells a model one, wherever it came upon it. */
  redact?(text: string): string;
  onRun?(run: ToolRun): void;
}

/** What a call needs to know of its turn besides the subject. */
export interface TurnContext extends Pick<ToolContext, "runId" | "workspace" | "signal" | "update"> {
  /** When another model than the subject's made the call, as after a failure. */
  readonly model?: ModelInfo;
  /** Told what became of the call. */
  onRun?(run: ToolRun): void;
}

/** The tools of one turn. */
export interface TurnTools {
  /** What the model is told of at once. Byte for byte the same for subjects with the same tools. */
  readonly described: readonly ModelTool[];
  /** Names of everything that may be used, told of at once or found by searching. */
  readonly allowed: readonly string[];
  /** Tools that exist and are not offered, with the layer that took each away. */
  readonly removed: readonly RemovedTool[];
  /** Never rejects: a refusal and a failure are results, too. */
  run(call: ToolCallBlock, context: TurnContext): Promise<ToolResultMessage>;
  /** Whether a call changes nothing, so that it may run beside others of its kind. */
  isHarmless(call: ToolCallBlock): boolean;
  /** Tools the conversation had to search for and has used, by their first use, this turn's among them. */
  used(): readonly string[];
  /** Why the turn should end: its model does not stop going in circles. */
  verdict(): string | undefined;
  explain(name: string): ToolExplanation;
}

interface RemovedTool {
  readonly tool: string;
  readonly layer: string;
  readonly why: string;
}

interface Offer extends Pick<TurnTools, "described" | "allowed" | "removed"> {
  readonly hidden: ReadonlySet<string>;
  /** By which what is hidden is found. */
  readonly search: ReadonlyMap<string, Tool>;
}

export interface Toolbox {
  /** To be called before a turn asks for its tools. */
  ready(): Promise<void>;
  /** Starts the tool side of a turn, with a loop watch of its own. */
  for(subject: ToolSubject): TurnTools;
  /** All tools there are, whoever may use them. */
  catalog(agentId: string): ToolCatalog;
}

const LIMITS: ToolLimits = { maxResultChars: 100_000, maxCallsPerTurn: 200, letGoMs: 100 };

/** More different sets of tools than this are rare; the oldest is then described anew. */
const MOST_LISTS = 64;
const MOST_WARNINGS = 200;
const MOST_OFFERS = 2000;

export function createToolbox(parts: ToolboxParts): Toolbox {
  const { lists } = parts;
  const stockNow = createStocks(parts);
  const limits = { ...LIMITS, ...parts.limits };
  const descriptions = createDescriptions();
  const searchOf = createSearches();
  const warn = createWarnings(parts.log);
  const offers = createOffers();

  const judge = (tool: Tool, layers: readonly ListLayer[], subject: ToolSubject) =>
    judgeTool(tool, layers, subject, lists);

  const gateFor = (subject: ToolSubject, offer: Offer, watch: Gate["watch"], onRun: TurnContext["onRun"]): Gate => {
    const layers = layersFor(parts.config(), subject, lists);
    const { tools, byName } = stockNow();
    const isSearch = (tool: Tool): boolean => offer.search.get(tool.name) === tool;
    return {
      find: (name) => byName.get(ownName(name)) ?? offer.search.get(name),
      allowedNames: () => tools.filter((tool) => !removalOf(judge(tool, layers, subject))).map(({ name }) => name),
      removal: (tool) => (isSearch(tool) ? undefined : removalOf(judge(tool, layers, subject))),
      describe: (tool) => descriptions.of(tool),
      sandboxed: subject.sandboxed,
      sandbox: parts.sandbox,
      beforeRun: parts.beforeRun ?? [],
      afterRun: parts.afterRun,
      closedNotes: parts.closedNotes,
      watch,
      limits,
      redact: (text) => parts.redact?.(text) ?? text,
      clock: parts.clock,
      log: parts.log,
      onRun: (run) => {
        parts.onRun?.(run);
        onRun?.(run);
      },
    };
  };

  const offerTo = (subject: ToolSubject): Offer => {
    const config = parts.config();
    const { tools, changeable, number } = stockNow();
    const circumstances = [number, ...changeable.map((tool) => tool.circumstances?.())].join();
    return offers.of(config, circumstances, subject, () => {
      const layers = layersFor(config, subject, lists);
      warn(unknownEntries(layers, tools, lists));
      const judged = tools.map((tool) => ({ tool, removal: removalOf(judge(tool, layers, subject)) }));
      const allowed = judged.filter(({ removal }) => !removal).map(({ tool }) => tool);
      const told = allowed.map((tool) => ({
        described: descriptions.of(tool),
        isBuiltIn: lists.families.has(tool.name),
      }));
      const { direct, hidden } = chooseDirect(told, subject.used ?? [], subject.model, config.tools?.search);
      const search = hidden.length > 0 ? searchOf(descriptions.listOf(hidden)) : [];
      const mayBeFound = new Set(hidden);
      const first = direct.filter((tool) => !mayBeFound.has(tool));
      const stayed = direct.slice(first.length);
      return {
        described: descriptions.listOf([...first, ...search.map((tool) => descriptions.of(tool)), ...stayed]),
        removed: judged.flatMap(({ tool, removal }) =>
          removal ? [{ tool: tool.name, layer: removal.layer, why: removal.why }] : [],
        ),
        allowed: allowed.map(({ name }) => name),
        hidden: new Set(hidden.map(({ name }) => name)),
        search: new Map(search.map((tool) => [tool.name, tool])),
      };
    });
  };

  return {
    ready: () => parts.source?.ready() ?? Promise.resolve(),
    for(subject) {
      const config = parts.config();
      const offer = offerTo(subject);
      const watch = createLoopWatch(
        loopSettings(
          { all: config.tools?.loopDetection, agent: agentTools(config, subject.agentId)?.loopDetection },
          limits.maxCallsPerTurn,
        ),
      );
      const used = new Set(subject.used);
      return {
        described: offer.described,
        allowed: offer.allowed,
        removed: offer.removed,
        run: async (call, { model = subject.model, onRun, ...turn }) => {
          const { agentId, sessionKey, requester } = subject;
          const meant = meantCall(call, offer);
          if (offer.hidden.has(meant.name)) used.add(meant.name);
          const context = {
            ...turn,
            agentId,
            sessionKey,
            requester,
            model,
            offered: [...offer.allowed, ...offer.search.keys()],
            toolCallId: call.id,
          };
          const result = await runTool(meant, context, gateFor({ ...subject, model }, offer, watch, onRun));
          // Providers know the call by the name under which it was made.
          return { ...result, toolName: call.name };
        },
        used: () => [...used].slice(-MOST_USED),
        verdict: () => watch.verdict(),
        isHarmless: (call) => {
          const { name, arguments: args } = meantCall(call, offer);
          const tool = stockNow().byName.get(ownName(name)) ?? offer.search.get(name);
          return tool ? (tool.effectsOf?.(args) ?? tool.effects).every(changesNothing) : false;
        },
        explain: (name) => explainTool(name, subject, { tools: stockNow().tools, lists, config: parts.config() }),
      };
    },
    catalog: (agentId) => catalogOf(agentId, stockNow().tools, lists),
  };
}

/** The index of many tools is made once for each set of them. */
function createSearches(): (hidden: readonly ModelTool[]) => readonly Tool[] {
  const made = new WeakMap<readonly ModelTool[], readonly Tool[]>();
  return (hidden) => {
    const tools = made.get(hidden) ?? searchTools(hidden);
    made.set(hidden, tools);
    return tools;
  };
}

/** Only where searching is part of what the turn has. */
function meantCall(call: ToolCallBlock, { search }: Offer): ToolCallBlock {
  const meant = search.has(CALL_TOOL) ? meantTool(call) : call;
  return search.has(meant.name) ? call : { ...call, ...meant };
}

interface Stock {
  readonly tools: readonly Tool[];
  readonly changeable: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  /** Another one whenever the tools are others. */
  readonly number: number;
}

/** All tools there are now: those the gateway came with, and those that come and go. */
function createStocks({ tools: own, source, log }: ToolboxParts): () => Stock {
  const ownNames = indexByName(own);
  let known: (Stock & { readonly of: readonly Tool[] | undefined }) | undefined;
  return () => {
    const coming = source?.tools();
    if (known && known.of === coming) return known;
    const taken = new Set([...ownNames.keys()].map(policyName));
    const more = (coming ?? []).filter(({ name }) => {
      // Whoever comes later may not pass under the name of what is there.
      const isFree = !taken.has(policyName(name));
      if (!isFree) log.warn("a tool is left out, because there is one of that name", { tool: name });
      taken.add(policyName(name));
      return isFree;
    });
    const tools = inToldOrder([...own, ...more]);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    const changeable = tools.filter(({ circumstances }) => circumstances);
    known = { of: coming, tools, byName, changeable, number: (known?.number ?? 0) + 1 };
    return known;
  };
}

/** What was worked out for a subject holds until the configuration changes; turns of one conversation are alike. */
function createOffers() {
  let known = new Map<string, Offer>();
  let of: object | undefined;
  return {
    of(config: object, circumstances: string, subject: ToolSubject, judge: () => Offer): Offer {
      // What a chat or an errand says about its tools is no part of the configuration.
      if (subject.group || subject.limits) return judge();
      if (of !== config || known.size >= MOST_OFFERS) known = new Map();
      of = config;
      const { agentId, sessionKey, model, requester, sandboxed, subagentDepth, surface } = subject;
      const { channel, account, id, isOwner, standing, person } = requester;
      const asked = [
        model.provider,
        model.id,
        model.input.length,
        channel,
        account,
        id,
        isOwner,
        standing,
        person?.role,
      ];
      const where = [agentId, sessionKey, sandboxed, subagentDepth, surface, subject.used ?? []];
      const key = JSON.stringify([circumstances, ...where, ...asked]);
      const offer = known.get(key) ?? judge();
      known.set(key, offer);
      return offer;
    },
  };
}

function changesNothing(effect: ToolEffect): boolean {
  return effect === "read" || effect === "network";
}

/** Two tools that policies cannot tell apart would let one pass under the other's name. */
function indexByName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (seen.has(policyName(name))) throw new GatewayError("TOOL_DUPLICATE", name);
    seen.add(policyName(name));
  }
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** Schemas are made once per tool, and lists once per set of tools. */
function createDescriptions() {
  const made = new WeakMap<Tool, ModelTool>();
  const numbers = new WeakMap<ModelTool, number>();
  let lastNumber = 0;
  const lists = new Map<string, readonly ModelTool[]>();
  const of = (tool: Tool): ModelTool => {
    const description = made.get(tool) ?? describeTool(tool);
    made.set(tool, description);
    return description;
  };
  /** Two tools of one name may say different things at different times. */
  const numberOf = (tool: ModelTool): number => {
    const number = numbers.get(tool) ?? (lastNumber += 1);
    numbers.set(tool, number);
    return number;
  };
  return {
    of,
    listOf(tools: readonly ModelTool[]): readonly ModelTool[] {
      const key = tools.map(numberOf).join();
      const list = lists.get(key) ?? tools;
      lists.delete(key);
      lists.set(key, list);
      const oldest = lists.keys().next().value;
      if (lists.size > MOST_LISTS && oldest !== undefined) lists.delete(oldest);
      return list;
    },
  };
}

/** Logs each sentence once. */
function createWarnings(log: Logger): (sentences: readonly string[]) => void {
  const said = new Set<string>();
  return (sentences) => {
    for (const sentence of sentences) {
      if (said.has(sentence) || said.size >= MOST_WARNINGS) continue;
      said.add(sentence);
      log.warn(sentence);
    }
  };
}
