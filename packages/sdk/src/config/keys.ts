// The words the config schema is written in. A key stands here once, with all that is to be said of it: `key(type, sentence, facts)`.
// Types are shared instances: building one costs more than checking a value.
import * as z from "zod";
import { once, type Lazy } from "../schema.ts";

/** Who has to do something when a key changes: nobody, since it is read whenever it is used; a room; everybody. */
export type Reload =
  | "live"
  | "restart"
  | { readonly room: string }
  /** Each key below is a room of its own: `channel:telegram`. */
  | { readonly roomOfEach: string };

/** What is known of a key beside the values it takes. `guards`, `reload` and `inherits` also hold for what stands below it. */
export interface KeyFacts {
  /** One sentence or two for people. A key that nobody acts on has none. */
  readonly says?: string;
  /** What holds when it is not written. */
  readonly preset?: unknown;
  /** It decides nothing over safety: who may do what, what is run, where secrets go. Everything else does. */
  readonly guards?: false;
  readonly reload?: Reload;
  /** What is not written here is taken from another place, and so are presets. */
  readonly inherits?: true;
  /** A package without which nobody acts on it, and which is not installed. */
  readonly needs?: string;
}

/** A type together with what is said of the key that has it. */
export interface Key<S extends z.ZodType = z.ZodType, HasPreset extends boolean = boolean> {
  readonly schema: S;
  readonly facts: KeyFacts;
  /** Known to the compiler only. */
  readonly hasPreset?: HasPreset;
}

type KeyOptions = Omit<KeyFacts, "says" | "preset">;

/** A key that has an effect, and what it is for. */
export function key<S extends z.ZodType>(
  schema: S,
  says: string,
  facts: KeyOptions & { readonly preset: NonNullable<z.output<S>> },
): Key<S, true>;
export function key<S extends z.ZodType>(schema: S, says: string, facts?: KeyOptions): Key<S, false>;
export function key<S extends z.ZodType>(schema: S, says: string, facts: Omit<KeyFacts, "says"> = {}): Key<S> {
  return { schema, facts: { says, ...facts } };
}

/** Several keys, and what holds for all of them. */
export function part<S extends z.ZodType>(schema: S, facts: KeyOptions): Key<S, false> {
  return { schema, facts };
}

/** A part in which no key decides over safety. */
export const harmless = <S extends z.ZodType>(schema: S, facts: KeyOptions = {}) =>
  part(schema, { ...facts, guards: false });

/** A part in which keys that are not written are those of another place. */
export const inherits = <S extends z.ZodType>(schema: S, facts: KeyOptions = {}) =>
  part(schema, { ...facts, inherits: true });

/** A top-level key of the file. */
export interface Section<S extends z.ZodType = z.ZodType> {
  readonly schema: Lazy<S>;
  readonly facts: KeyFacts;
}

export function section<S extends z.ZodType>(says: string, facts: KeyOptions, build: () => S): Section<S> {
  return { schema: once(build), facts: { says, ...facts } };
}

export const bool = once(() => z.boolean().optional());
export const text = once(() => z.string().optional());
export const nonEmptyText = once(() => z.string().min(1).optional());
export const texts = once(() => z.array(z.string()).optional());
/** Whole number, 0 or more. */
export const count = once(() => z.int().min(0).optional());
/** Whole number above 0. */
export const positive = once(() => z.int().positive().optional());
export const anyNumber = once(() => z.number().optional());
export const numberAbove0 = once(() => z.number().positive().optional());
export const numberFrom0 = once(() => z.number().min(0).optional());
/** A share between 0 and 1. */
export const share = once(() => z.number().min(0).max(1).optional());
export const portNumber = once(() => z.int().min(1).max(65_535).optional());
export const textOrNumber = once(() => z.union([z.string(), z.number()]).optional());
export const textOrFalse = once(() => z.union([z.string(), z.literal(false)]).optional());
/** Ids of people and rooms: platforms use both texts and numbers. */
export const idList = once(() => z.array(z.union([z.string(), z.number()])).optional());
export const boolOrAuto = once(() => z.union([z.boolean(), z.literal("auto")]).optional());

export const secretText = once(() => z.string().meta({ secret: true }));
/** A value that is never shown: not to clients, not in logs. */
export const secret = once(() => secretText().optional());
/** Values of environment variables and HTTP headers: any of them may be a credential. */
export const secretMap = once(() => z.record(z.string(), secretText()).optional());

/** A pointer to a secret kept elsewhere. The pointer itself is not secret. */
export const secretRef = once(() =>
  z.union((["env", "file", "exec"] as const).map((source) => secretRefFrom(source)) as SecretRefs),
);
const secretRefFrom = (source: "env" | "file" | "exec") =>
  z.strictObject({ source: z.literal(source), provider: z.string(), id: z.string() });
type SecretRefOption = ReturnType<typeof secretRefFrom>;
type SecretRefs = [SecretRefOption, SecretRefOption, SecretRefOption];
export const secretOrRef = once(() => z.union([secretText(), ...secretRef().options]).optional());

export function choice<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values).optional();
}

export function wholeNumber(min: number, max?: number) {
  const least = z.int().min(min);
  return (max === undefined ? least : least.max(max)).optional();
}

export type Keys = Readonly<Record<string, z.ZodType | Key>>;
type SchemaOf<M> = M extends Key<infer S> ? S : M extends z.ZodType ? M : never;
type Schemas<K extends Keys> = { -readonly [Name in keyof K]: SchemaOf<K[Name]> };

/** Several keys as they are written: none of them needs to be there. */
export type WrittenKeys<K extends Keys> = { readonly [Name in keyof K]?: z.output<SchemaOf<K[Name]>> };

declare const FILLED: unique symbol;
/** Remembers for the compiler what a part is when presets stand for what is not written. */
export interface Fillable<Filled> {
  readonly [FILLED]: Filled;
}
export type Filled<K extends Keys> = {
  readonly [Name in keyof K]: K[Name] extends Key<infer S, true>
    ? NonNullable<z.output<S>>
    : SchemaOf<K[Name]> extends Fillable<infer Below>
      ? Below
      : z.output<SchemaOf<K[Name]>>;
};

type Registry = z.core.$ZodRegistry<{ readonly keys: Readonly<Record<string, KeyFacts>> }>;
/** A channel's package brings a copy of this file along: what it says of its keys has to be found by the gateway's. */
const SHARED = Symbol.for("@chela/sdk/config");
const inProcess = globalThis as { [SHARED]?: Registry };
/** Facts stand with the object, by key: types are shared, what is said of a key is not. */
const KEYS = (inProcess[SHARED] ??= z.registry());
const OTHERS = "*";

/** What is said of the keys of an object. */
export function factsIn(object: z.core.$ZodType): Readonly<Record<string, KeyFacts>> {
  return KEYS.get(object as z.ZodType)?.keys ?? {};
}

/** What is said of one key, also when it is any other than those with a name. */
export function factsOf(object: z.core.$ZodType, name: string): KeyFacts {
  const facts = factsIn(object);
  return (Object.hasOwn(facts, name) ? facts[name] : facts[OTHERS]) ?? {};
}

function sort<K extends Keys>(keys: K) {
  const facts: Record<string, KeyFacts> = {};
  const schemas: Record<string, z.ZodType> = {};
  for (const [name, member] of Object.entries(keys)) {
    const isKey = "facts" in member;
    schemas[name] = isKey ? member.schema : member;
    if (isKey) facts[name] = member.facts;
  }
  return { facts, schemas: schemas as Schemas<K> };
}

/** An object with these keys and no others. */
export function keyed<K extends Keys>(keys: K) {
  const { facts, schemas } = sort(keys);
  return z.strictObject(schemas).register(KEYS, { keys: facts });
}

/** An object that has named keys and, besides, keys of any name with values of one kind. */
export function openKeyed<K extends Keys, Rest extends z.ZodType | Key>(keys: K, rest: Rest) {
  const { facts, schemas } = sort(keys);
  const { facts: others, schemas: of } = sort({ [OTHERS]: rest });
  return z
    .object(schemas)
    .catchall(of[OTHERS] as SchemaOf<Rest>)
    .register(KEYS, { keys: { ...facts, ...others } });
}

export type Block<K extends Keys> = z.ZodLazy<z.ZodOptional<z.ZodObject<Schemas<K>, z.core.$strict>>> &
  Fillable<Filled<K>>;

/** An object that is built only when a file uses it. */
export function block<K extends Keys>(build: () => K): Block<K> {
  return z.lazy(() => keyed(build()).optional()) as unknown as Block<K>;
}

/** The same, for the items of lists and maps, which are never absent. */
export function item<K extends Keys>(build: () => K) {
  return z.lazy(() => keyed(build()));
}

export function openBlock<K extends Keys, Rest extends z.ZodType | Key>(build: () => K, rest: Rest) {
  return z.lazy(() => openKeyed(build(), rest).optional());
}

export function mapOf<Value extends z.ZodType>(value: Value) {
  return z.record(z.string(), value).optional();
}

export function listOf<Item extends z.ZodType>(entry: Item) {
  return z.array(entry).optional();
}
