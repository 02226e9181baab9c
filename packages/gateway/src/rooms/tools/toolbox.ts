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

export interface ToolboxParts {
  /** As they are now; another list when one came or went. */
  tools(): readonly Tool[];
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
  /** Byte for byte the same for subjects with the same tools. */
  readonly described: readonly ModelTool[];
  /** Tools that exist and are not offered, with the layer that took each away. */
  readonly removed: readonly RemovedTool[];
  /** Never rejects: a refusal and a failure are results, too. */
  run(call: ToolCallBlock, context: TurnContext): Promise<ToolResultMessage>;
  /** Whether a call changes nothing, so that it may run beside others of its kind. */
  isHarmless(call: ToolCallBlock): boolean;
  /** Why the turn should end: its model does not stop going in circles. */
  verdict(): string | undefined;
  explain(name: string): ToolExplanation;
}

interface RemovedTool {
  readonly tool: string;
  readonly layer: string;
  readonly why: string;
}

type Offer = Pick<TurnTools, "described" | "removed">;

export interface Toolbox {
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
  const limits = { ...LIMITS, ...parts.limits };
  const warn = createWarnings(parts.log);
  let shelf = createShelf(parts.tools());
  /** A turn keeps the one it began with. */
  const shelfNow = (): Shelf => {
    const tools = parts.tools();
    if (tools !== shelf.of) shelf = createShelf(tools);
    return shelf;
  };

  const judge = (tool: Tool, layers: readonly ListLayer[], subject: ToolSubject) =>
    judgeTool(tool, layers, subject, lists);

  const gateFor = (
    { tools, byName, descriptions }: Shelf,
    subject: ToolSubject,
    watch: Gate["watch"],
    onRun: TurnContext["onRun"],
  ): Gate => {
    const layers = layersFor(parts.config(), subject, lists);
    return {
      find: (name) => byName.get(ownName(name)),
      allowedNames: () => tools.filter((tool) => !removalOf(judge(tool, layers, subject))).map(({ name }) => name),
      removal: (tool) => removalOf(judge(tool, layers, subject)),
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

  return {
    for(subject) {
      const config = parts.config();
      const own = shelfNow();
      const { tools, changeable, byName, descriptions, offers } = own;
      const circumstances = changeable.map((tool) => tool.circumstances?.()).join();
      const { described, removed } = offers.of(config, circumstances, subject, () => {
        const layers = layersFor(config, subject, lists);
        warn(unknownEntries(layers, tools, lists));
        const judged = tools.map((tool) => ({ tool, removal: removalOf(judge(tool, layers, subject)) }));
        return {
          described: descriptions.listOf(judged.filter(({ removal }) => !removal).map(({ tool }) => tool)),
          removed: judged.flatMap(({ tool, removal }) =>
            removal ? [{ tool: tool.name, layer: removal.layer, why: removal.why }] : [],
          ),
        };
      });
      const watch = createLoopWatch(
        loopSettings(
          { all: config.tools?.loopDetection, agent: agentTools(config, subject.agentId)?.loopDetection },
          limits.maxCallsPerTurn,
        ),
      );
      return {
        described,
        removed,
        run: (call, { model = subject.model, onRun, ...turn }) => {
          const { agentId, sessionKey, requester } = subject;
          const offered = described.map(({ name }) => name);
          const context = { ...turn, agentId, sessionKey, requester, model, offered, toolCallId: call.id };
          return runTool(call, context, gateFor(own, { ...subject, model }, watch, onRun));
        },
        verdict: () => watch.verdict(),
        isHarmless: ({ name, arguments: args }) => {
          const tool = byName.get(ownName(name));
          return tool ? (tool.effectsOf?.(args) ?? tool.effects).every(changesNothing) : false;
        },
        explain: (name) => explainTool(name, subject, { tools, lists, config: parts.config() }),
      };
    },
    catalog: (agentId) => catalogOf(agentId, shelfNow().tools, lists),
  };
}

/** The tools there are, and what was worked out about them: as long as they are the same. */
interface Shelf {
  readonly of: readonly Tool[];
  readonly tools: readonly Tool[];
  readonly changeable: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  readonly descriptions: ReturnType<typeof createDescriptions>;
  readonly offers: ReturnType<typeof createOffers>;
}

function createShelf(of: readonly Tool[]): Shelf {
  const tools = inToldOrder(of);
  return {
    of,
    tools,
    changeable: tools.filter(({ circumstances }) => circumstances),
    byName: indexByName(tools),
    descriptions: createDescriptions(),
    offers: createOffers(),
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
      const key = JSON.stringify([circumstances, agentId, sessionKey, sandboxed, subagentDepth, surface, ...asked]);
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
function createDescriptions(): { of(tool: Tool): ModelTool; listOf(tools: readonly Tool[]): readonly ModelTool[] } {
  const made = new Map<Tool, ModelTool>();
  const lists = new Map<string, readonly ModelTool[]>();
  const of = (tool: Tool): ModelTool => {
    const description = made.get(tool) ?? describeTool(tool);
    made.set(tool, description);
    return description;
  };
  return {
    of,
    listOf(tools) {
      const key = tools.map(({ name }) => name).join("\n");
      const list = lists.get(key) ?? tools.map(of);
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
