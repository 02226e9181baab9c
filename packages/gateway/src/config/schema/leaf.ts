// The words the config schema is written in. Leaves are shared instances: building one costs more than checking a value.
import * as z from "zod";
import { once } from "@chela/sdk";

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
export const textMap = once(() => z.record(z.string(), z.string()).optional());
export const openMap = once(() => z.record(z.string(), z.unknown()).optional());
export const boolOrAuto = once(() => z.union([z.boolean(), z.literal("auto")]).optional());

const secretText = once(() => z.string().meta({ secret: true }));
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
export const secretAccount = once(() =>
  z.union([secretText(), z.record(z.string(), z.unknown()), ...secretRef().options]).optional(),
);

export function choice<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values).optional();
}

export function wholeNumber(min: number, max?: number) {
  const least = z.int().min(min);
  return (max === undefined ? least : least.max(max)).optional();
}

/** An object that is built only when a file uses it. */
export function block<Shape extends z.core.$ZodShape>(build: () => Shape) {
  return z.lazy(() => z.strictObject(build()).optional());
}

/** The same, for the items of lists and maps, which are never absent. */
export function item<Shape extends z.core.$ZodShape>(build: () => Shape) {
  return z.lazy(() => z.strictObject(build()));
}

/** An object that has named keys and, besides, keys of any name with values of one kind. */
export function openBlock<Shape extends z.core.$ZodShape, Rest extends z.ZodType>(build: () => Shape, rest: Rest) {
  return z.lazy(() => z.object(build()).catchall(rest).optional());
}

export function mapOf<Value extends z.ZodType>(value: Value) {
  return z.record(z.string(), value).optional();
}

export function listOf<Item extends z.ZodType>(entry: Item) {
  return z.array(entry).optional();
}
