// Schemas are built on first use, so that a process pays only for the borders it really crosses.
import * as z from "zod";

/** A schema behind a thunk: call it to get the (memoised) schema. */
export type Lazy<S extends z.ZodType> = () => S;

/**
 * So many values a schema reads before zod writes and compiles a function for it. Most see a few values in the life of a
 * process, and each function costs a quarter of a millisecond and memory that is never given back.
 */
const COMPILED_AFTER = 100;

/** Builds a schema the first time it is asked for and keeps it. */
export function once<S extends z.ZodType>(build: () => S): Lazy<S> {
  let built: S | undefined;
  return () => (built ??= readSafely(build()));
}

/**
 * Zod compares the length of whatever has one before it knows that it is no text and no list, and a length such as
 * {"toString": 0} cannot be compared: it throws. For us that is a value that does not fit, like any other.
 */
function readSafely<S extends z.ZodType>(schema: S): S {
  const { safeParse } = schema;
  let read = 0;
  const value: typeof safeParse = (data, params) => {
    const how = read < COMPILED_AFTER ? { ...params, jitless: true } : params;
    read++;
    try {
      return safeParse.call(schema, data, how) as ReturnType<typeof safeParse>;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const message = "Invalid input: something in it cannot be compared";
      const issues: z.core.$ZodIssue[] = [{ code: "custom", path: [], message, input: data }];
      return { success: false, error: new z.ZodRealError(issues) as z.ZodError<z.output<S>> };
    }
  };
  return Object.defineProperty(schema, "safeParse", { value, configurable: true, writable: true });
}

/** The parsed type behind a lazy schema. */
export type Parsed<L extends Lazy<z.ZodType>> = z.output<ReturnType<L>>;
