// Schemas are built on first use, so that a process pays only for the borders it really crosses.
import type * as z from "zod";

/** A schema behind a thunk: call it to get the (memoised) schema. */
export type Lazy<S extends z.ZodType> = () => S;

/** Builds a schema the first time it is asked for and keeps it. */
export function once<S extends z.ZodType>(build: () => S): Lazy<S> {
  let built: S | undefined;
  return () => (built ??= build());
}

/** The parsed type behind a lazy schema. */
export type Parsed<L extends Lazy<z.ZodType>> = z.output<ReturnType<L>>;
