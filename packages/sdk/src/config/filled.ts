// Fills a part of the config: what is written, and presets for what is not. Where several places have a say,
// they are laid over each other first: a preset is what nobody has said.
import type * as z from "zod";
import { factsIn, type Fillable, type Section } from "./keys.ts";
import { shapeOf, unwrap } from "./shape.ts";

type JsonObject = Record<string, unknown>;

type FillableSchema = z.ZodType & Fillable<unknown>;
export type FilledPart<P> = P extends Fillable<infer Filled> ? Filled : never;

interface Form {
  /** A getter for each part below: it is filled, and its schema built, when somebody looks at it. */
  readonly parts: object;
  readonly keys: ReadonlyArray<readonly [name: string, preset: unknown]>;
}

/** A part is filled for every message, and always in the same way. */
const forms = new WeakMap<FillableSchema, Form>();
const WRITTEN = Symbol("written");

export function filled<P extends FillableSchema>(part: P, written: z.output<P>): FilledPart<P> {
  const { parts, keys } = forms.get(part) ?? formOf(part);
  const said = (written ?? {}) as JsonObject;
  const below = Object.create(parts) as { [WRITTEN]: JsonObject };
  below[WRITTEN] = said;
  const result = Object.create(below) as JsonObject;
  for (const [name, preset] of keys) result[name] = said[name] ?? preset;
  return result as FilledPart<P>;
}

/** The same for a section of the file. */
export function filledSection<P extends FillableSchema>(section: Section<P>, written: z.output<P>): FilledPart<P> {
  return filled(section.schema(), written);
}

function formOf(part: FillableSchema): Form {
  const shaped = shapeOf(part);
  const facts = factsIn(unwrap(part));
  const form: Form & { keys: Array<Form["keys"][number]> } = { parts: {}, keys: [] };
  for (const [name, child] of Object.entries(shaped.kind === "object" ? shaped.shape : {})) {
    // Only parts are built later.
    if (child._zod.def.type !== "lazy") form.keys.push([name, facts[name]?.preset]);
    else Object.defineProperty(form.parts, name, { get: getterOf(name, child as FillableSchema) });
  }
  forms.set(part, form);
  return form;
}

function getterOf(name: string, part: FillableSchema): () => unknown {
  return function (this: { readonly [WRITTEN]: JsonObject }) {
    return filled(part, this[WRITTEN][name]);
  };
}

/** What one says of a part, and for the rest what all say. */
export function laidOver<T extends object>(all: T | undefined, own: T | undefined): T {
  const result: JsonObject = { ...all };
  for (const [key, value] of Object.entries(own ?? {}) as Array<[string, unknown]>) {
    const below = result[key];
    result[key] = isObject(below) && isObject(value) ? laidOver(below, value) : (value ?? below);
  }
  return result as T;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
