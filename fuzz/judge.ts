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
  const before = PROTOTYPES.map(([, prototype]) => Reflect.ownKeys(prototype).length);
  const findChange = (): Failure | undefined => {
    const at = PROTOTYPES.findIndex(([, prototype], index) => Reflect.ownKeys(prototype).length !== before[index]);
    const [name, prototype] = PROTOTYPES[at] ?? [];
    if (!prototype) return undefined;
    const added = Reflect.ownKeys(prototype).slice(before[at]);
    for (const key of added) Reflect.deleteProperty(prototype, key);
    return { kind: "changed prototype", says: `${name}.prototype got ${added.map(String).join(", ")}`, stack: "" };
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
