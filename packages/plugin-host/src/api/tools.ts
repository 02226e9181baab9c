// Tools of a plugin: made for a conversation by its factories, called, and their results brought into one shape.
import type { Catalogue } from "../wire/told.ts";
import { looseOf } from "./api.ts";
import type { Loose, PluginTool, Registry, ToolFactory } from "./registry.ts";

const MOST_CONTEXTS = 64;

export class Tools {
  readonly #registry: Registry;
  /** Made for a context; one of the contexts that were used last. */
  readonly #made = new Map<string, ReadonlyMap<string, PluginTool>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  forget(): void {
    this.#made.clear();
  }

  /** As models are told of them. A factory that makes none for nobody in particular is known by the names it was given. */
  async described(context: unknown): Promise<Catalogue["tools"]> {
    const all = await Promise.all(this.#registry.tools.map((factory) => this.#describe(factory, context)));
    const byName = new Map(all.flat().map((tool) => [tool.name, tool]));
    return [...byName.values()];
  }

  async #describe(factory: ToolFactory, context: unknown): Promise<Catalogue["tools"]> {
    const optional = factory.isOptional ? { optional: true as const } : {};
    let made: readonly PluginTool[] = [];
    try {
      made = await makeTools(factory, context);
    } catch (error) {
      this.#registry.warn(`a tool could not be made: ${error instanceof Error ? error.message : String(error)}`);
    }
    const known = made.map((tool) => ({
      name: tool.name,
      ...(typeof tool.label === "string" ? { label: tool.label } : {}),
      description: String(tool.description ?? ""),
      ...(isSchema(tool.parameters) ? { parameters: plain(tool.parameters) } : {}),
      ...(tool.ownerOnly === true ? { ownerOnly: true as const } : {}),
      ...optional,
    }));
    const others = factory.names.filter((name) => !made.some((tool) => tool.name === name));
    return [...known, ...others.map((name) => ({ name, description: "", ...optional }))];
  }

  async call(
    asks: { readonly name: string; readonly toolCallId: string; readonly params: unknown; readonly context: unknown },
    signal: AbortSignal,
    progress: (data: unknown) => void,
  ): Promise<unknown> {
    const tool = (await this.#for(asks.context)).get(asks.name);
    if (!tool) throw new Error(`${asks.name} is not there for this conversation`);
    const execute = tool.execute as (...args: unknown[]) => unknown;
    const result = await execute.call(tool, asks.toolCallId, asks.params, signal, (partial: unknown) =>
      progress(shaped(partial)),
    );
    return shaped(result);
  }

  async #for(context: unknown): Promise<ReadonlyMap<string, PluginTool>> {
    const key = JSON.stringify(context);
    const known = this.#made.get(key);
    if (known) return known;
    const lists = await Promise.all(this.#registry.tools.map((factory) => makeTools(factory, context)));
    const made = new Map(lists.flat().map((tool) => [tool.name, tool]));
    const oldest = this.#made.keys().next().value;
    if (this.#made.size >= MOST_CONTEXTS && oldest !== undefined) this.#made.delete(oldest);
    this.#made.set(key, made);
    return made;
  }
}

async function makeTools({ make }: ToolFactory, context: unknown): Promise<readonly PluginTool[]> {
  const made: unknown = await make(context);
  const list = Array.isArray(made) ? (made as unknown[]) : [made];
  return list.map(looseOf).filter(isTool);
}

function isTool(value: Loose): value is Loose & PluginTool {
  return typeof value["name"] === "string" && typeof value["execute"] === "function";
}

function isSchema(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Schemas may be made of classes and symbols; what models are told is what JSON has of them. */
function plain(schema: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}

/** Most return what they should; a text and any other value are taken, too. */
function shaped(result: unknown): unknown {
  const { content } = looseOf(result);
  if (Array.isArray(content)) return result;
  if (typeof content === "string") return { ...looseOf(result), content: [{ type: "text", text: content }] };
  if (result === undefined || result === null) return { content: [] };
  const text = typeof result === "string" ? result : JSON.stringify(result, null, 2);
  return { content: [{ type: "text", text }], ...(typeof result === "string" ? {} : { details: result }) };
}
