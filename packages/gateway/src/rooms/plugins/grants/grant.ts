// What a plugin may do: its grant, the wishes it is made from, and how both are compared.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

const names = () => z.array(z.string().min(1).max(500)).max(200);

/** Complete: what is not in it is not granted. */
export const Grant = once(() =>
  z.strictObject({
    /** Hosts it may reach, as `sandbox` lists write them; `*` is the network of this machine, with everything in it. */
    hosts: names(),
    /** Absolute paths beside its own folder. */
    read: names(),
    write: names(),
    /** Variables of the gateway's environment it is given. */
    env: names(),
    /** Starts other programs. */
    exec: z.boolean(),
    /** Loads parts that are no JavaScript. */
    native: z.boolean(),
    /** Sections of the configuration it may change, such as `channels.irc`. Its own entry it always may. */
    config: names(),
    /** Hears and changes what people and models write, in hooks. */
    conversation: z.boolean(),
  }),
);
export type Grant = Parsed<typeof Grant>;

export const NOTHING: Grant = {
  hosts: [],
  read: [],
  write: [],
  env: [],
  exec: false,
  native: false,
  config: [],
  conversation: false,
};

const LISTS = ["hosts", "read", "write", "env", "config"] as const;
const SWITCHES = ["exec", "native", "conversation"] as const;
export type ListKey = (typeof LISTS)[number];

/** Something a plugin seems to need, and how that is known. */
export type Wish =
  | { readonly key: ListKey; readonly value: string; readonly why: string }
  | { readonly key: (typeof SWITCHES)[number]; readonly why: string };

/** The grant that fulfils all of them. */
export function grantOf(wishes: readonly Wish[]): Grant {
  const list = (key: ListKey): string[] => [
    ...new Set(wishes.flatMap((wish) => (wish.key === key && "value" in wish ? [wish.value] : []))),
  ];
  const has = (key: Wish["key"]): boolean => wishes.some((wish) => wish.key === key);
  return {
    hosts: list("hosts"),
    read: list("read"),
    write: list("write"),
    env: list("env"),
    config: list("config"),
    exec: has("exec"),
    native: has("native"),
    conversation: has("conversation"),
  };
}

/** What of `wanted` is not in `granted`, in words. */
export function missingIn(granted: Grant, wanted: Grant): readonly string[] {
  const lists = LISTS.flatMap((key) =>
    granted.hosts.includes("*") && key === "hosts"
      ? []
      : wanted[key].filter((value) => !granted[key].includes(value)).map((value) => `${key} ${value}`),
  );
  return [...lists, ...SWITCHES.filter((key) => wanted[key] && !granted[key])];
}
