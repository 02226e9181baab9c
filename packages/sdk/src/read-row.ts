// Reads rows of a SQLite file: each column is checked to be what its table promises before anybody uses it.
import type * as z from "zod";
import { isObject } from "./base/json.ts";
import { GatewayError } from "./errors.ts";
import { plainCheck } from "./plain-check.ts";
import type { Lazy } from "./schema.ts";

export type StoredRow = Readonly<Record<string, unknown>>;

/** Where a member of a value is stored, and how it is read. `read` throws what is wrong with it. */
export interface Column<T> {
  readonly name: string;
  read(stored: unknown): T;
}
/** NULL when the value has no such member. */
export interface MaybeColumn<T> extends Column<T> {
  readonly isOptional: true;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
type TypeOf<C> = C extends Column<infer T> ? T : never;
type Optional<C extends Columns> = { [K in keyof C]: C[K] extends MaybeColumn<unknown> ? K : never }[keyof C];

/** What a reader of these columns gives. */
export type ReadRow<C extends Columns> = { readonly [K in Exclude<keyof C, Optional<C>>]: TypeOf<C[K]> } & {
  readonly [K in Optional<C>]?: TypeOf<C[K]>;
};

/** Which rows a reader is for, and the column that names one for people. */
export interface RowSource {
  readonly table: string;
  readonly named: string;
}

class Misfit extends Error {}

/** Throws STORE_ROW when a column is not what it must be; the message names table, row and column. */
export function rowReader<const C extends Columns>(source: RowSource, columns: C): (row: StoredRow) => ReadRow<C> {
  return memberReader(columns, (column, says, row) => {
    throw misfitOf(source, row, column, says);
  });
}

function memberReader<const C extends Columns>(
  columns: C,
  fail: (column: string, says: string, row: StoredRow) => never,
): (row: StoredRow) => ReadRow<C> {
  const members = Object.entries(columns).map(([member, column]) => ({
    member,
    column,
    isOptional: "isOptional" in column,
  }));
  return (row) => {
    const value: Record<string, unknown> = {};
    for (const { member, column, isOptional } of members) {
      const stored = row[column.name];
      if (isOptional && (stored === null || stored === undefined)) continue;
      try {
        value[member] = column.read(stored);
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
        fail(column.name, error.message, row);
      }
    }
    // The one place where a value gets the type of what its columns were found to be.
    return value as ReadRow<C>;
  };
}

/** Of rows whose damaged ones are not needed: what cannot be read is left out, and told to `leftOut`. */
export function readRows<T>(
  rows: readonly StoredRow[],
  read: (row: StoredRow) => T,
  leftOut: (error: GatewayError, row: StoredRow) => void,
): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      if (!GatewayError.is(error) || error.code !== "STORE_ROW") throw error;
      leftOut(error, row);
      return [];
    }
  });
}

/** The same where nobody needs to be told. */
export function readable<T>(rows: readonly StoredRow[], read: (row: StoredRow) => T): T[] {
  return readRows(rows, read, () => {});
}

export function text(name: string): Column<string> {
  return {
    name,
    read: (stored) => (typeof stored === "string" ? stored : refuse(`must be a text, is ${show(stored)}`)),
  };
}

export function number(name: string): Column<number> {
  return {
    name,
    read: (stored) => (typeof stored === "number" ? stored : refuse(`must be a number, is ${show(stored)}`)),
  };
}

export function integer(name: string): Column<number> {
  return {
    name,
    read: (stored) =>
      Number.isSafeInteger(stored) ? (stored as number) : refuse(`must be a whole number, is ${show(stored)}`),
  };
}

/** 1 or 0. */
export function flag(name: string): Column<boolean> {
  return {
    name,
    read: (stored) => (stored === 1 || stored === 0 ? stored === 1 : refuse(`must be 0 or 1, is ${show(stored)}`)),
  };
}

export function oneOf<const T extends string>(name: string, allowed: readonly T[]): Column<T> {
  return {
    name,
    read: (stored) =>
      allowed.find((one) => one === stored) ?? refuse(`must be one of ${allowed.join(", ")}, is ${show(stored)}`),
  };
}

/** A text with a `{…}` in JSON whose members are somebody else's to judge. */
export function jsonObject(name: string): Column<Readonly<Record<string, unknown>>> {
  return {
    name,
    read(stored) {
      const value = parse(stored);
      return isObject(value) ? value : refuse(`must be an object in JSON, is ${show(stored)}`);
    },
  };
}

/** A text with JSON. The value comes back as it was written: members the schema does not know are kept. */
export function json<T>(name: string, schema: Lazy<z.ZodType<T>>): Column<T> {
  let isPlain: ((value: unknown) => boolean) | undefined;
  return {
    name,
    read(stored) {
      const value = parse(stored);
      isPlain ??= plainCheck(schema());
      return isPlain(value) ? (value as T) : checked(value, schema);
    },
  };
}

function checked<T>(value: unknown, schema: Lazy<z.ZodType<T>>): T {
  const found = schema().safeParse(value);
  if (found.success) return value as T;
  const [issue] = found.error.issues;
  return refuse(`${issue?.path.join(".") || "the whole value"}: ${issue?.message ?? "does not fit"}`);
}

/** A text with an object in JSON that has these members. */
export function jsonMembers<const C extends Columns>(name: string, members: C): Column<ReadRow<C>> {
  const { read } = jsonObject(name);
  const readMembers = memberReader(members, (member, says) => refuse(`${member}: ${says}`));
  return { name, read: (stored) => readMembers(read(stored)) };
}

/** A text with a list in JSON, of objects with these members. */
export function jsonList<const C extends Columns>(name: string, members: C): Column<readonly ReadRow<C>[]> {
  const read = memberReader(members, (member, says) => refuse(`${member}: ${says}`));
  return {
    name,
    read(stored) {
      const list = parse(stored);
      if (!Array.isArray(list)) return refuse(`must be a list in JSON, is ${show(stored)}`);
      return list.map((one: unknown) => (isObject(one) ? read(one) : refuse("must be a list of objects")));
    },
  };
}

export function optional<T>(column: Column<T>): MaybeColumn<T> {
  return { ...column, isOptional: true };
}

function refuse(says: string): never {
  throw new Misfit(says);
}

function parse(stored: unknown): unknown {
  if (typeof stored !== "string") return refuse(`must be JSON in a text, is ${show(stored)}`);
  try {
    return JSON.parse(stored);
  } catch {
    return refuse(`must be JSON, is ${show(stored)}`);
  }
}

function misfitOf({ table, named }: RowSource, row: StoredRow, column: string, says: string): GatewayError {
  return new GatewayError(
    "STORE_ROW",
    `table ${table}, row ${named} ${JSON.stringify(row[named])}, column ${column}: ${says}`,
  );
}

/** What kind of value stands there; never its words, which are somebody's. */
function show(stored: unknown): string {
  if (stored === null || stored === undefined) return "empty";
  if (stored instanceof Uint8Array) return `${stored.length} bytes`;
  return typeof stored === "string" ? `a text of ${stored.length} characters` : String(stored);
}
