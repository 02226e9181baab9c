// Runs one input and says what is wrong with what happened, if anything is.
import { GatewayError } from "@chela/sdk";
import { BrokenPromise, type OpenTarget } from "./target.ts";

export interface Failure {
  readonly kind: "broken promise" | "unexpected error" | "changed prototype" | "too slow" | "too much memory";
  readonly says: string;
  readonly stack: string;
}

const PROTOTYPES: readonly (readonly [name: string, prototype: object])[] = [
  ["Object", Object.prototype],
  ["Array", Array.prototype],
  ["Function", Function.prototype],
  ["String", String.prototype],
  ["Map", Map.prototype],
];

export type Judge = (input: string) => Promise<Failure | undefined>;

export function createJudge(target: OpenTarget): Judge {
  const before = PROTOTYPES.map(([, prototype]) => Object.getOwnPropertyDescriptors(prototype));
  const findChange = (): Failure | undefined => {
    for (const [index, [name, prototype]] of PROTOTYPES.entries()) {
      const changed = restore(prototype, before[index] ?? {});
      if (changed.length === 0) continue;
      return { kind: "changed prototype", says: `${name}.prototype got ${changed.map(String).join(", ")}`, stack: "" };
    }
    return undefined;
  };
  return async (input) => {
    try {
      const running = target.run(input);
      if (running) await running;
    } catch (error) {
      if (!isExpected(error)) return findChange() ?? describe(error);
    }
    return findChange();
  };
}

/** What was added, replaced or taken away, all of which is put right. */
function restore(prototype: object, before: PropertyDescriptorMap): PropertyKey[] {
  const keys = new Set([...Reflect.ownKeys(prototype), ...Reflect.ownKeys(before)]);
  const changed = [...keys].filter((key) => {
    const [was, is] = [
      Object.hasOwn(before, key) ? before[key] : undefined,
      Reflect.getOwnPropertyDescriptor(prototype, key),
    ];
    return !was || !is || !Object.is(was.value, is.value) || was.get !== is.get || was.set !== is.set;
  });
  for (const key of changed) {
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    if (was) Reflect.defineProperty(prototype, key, was);
    else Reflect.deleteProperty(prototype, key);
  }
  return changed;
}

/** The catalogue's errors and those of schemas are how bad input is answered. */
function isExpected(error: unknown): boolean {
  return GatewayError.is(error) || (error instanceof Error && /^\$?Zod(?:Real)?Error$/.test(error.name));
}

function describe(error: unknown): Failure {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  if (error instanceof BrokenPromise) return { kind: "broken promise", says: error.message, stack };
  return { kind: "unexpected error", says: String(error), stack };
}

/** The same failure again, as far as one can tell: numbers and quoted parts differ from input to input. */
export function isSameFailure(one: Failure, other: Failure): boolean {
  const shape = ({ kind, says }: Failure): string =>
    `${kind} ${says
      .split("\n", 1)[0]
      ?.replace(/"[^"]*"|\d+/g, "…")
      .slice(0, 120)}`;
  return shape(one) === shape(other);
}
