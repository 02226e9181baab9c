// Questions of a program to a gateway, typed by the table of methods: what is sent along, and what comes back.
import type { MethodAnswer, MethodName, MethodParams } from "./methods.ts";

/** What somebody typed in: a choice may be any word, which the gateway checks, and nothing is changed by being sent. */
type AsWritten<T> = T extends string
  ? string extends T
    ? T
    : string
  : T extends ReadonlyArray<infer Item>
    ? ReadonlyArray<AsWritten<Item>>
    : T extends object
      ? { readonly [K in keyof T]: AsWritten<T[K]> }
      : T;

export type WrittenParams<M extends MethodName> = AsWritten<MethodParams<M>>;

type Nothing = Record<never, never>;

/** Parameters may be left out where none are needed. */
export type Ask = <M extends MethodName>(
  method: M,
  ...params: Nothing extends WrittenParams<M> ? [WrittenParams<M>?] : [WrittenParams<M>]
) => Promise<MethodAnswer<M>>;
