// Takes a model into use, but only one that answers.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { wordsOf } from "../../wire/failure.ts";
import type { Wire } from "../../wire/wire.ts";

export interface ModelSource {
  readonly provider: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
}

export type Tried = MethodAnswer<"setup.test">;
export type SetupAnswer = MethodAnswer<"setup.apply">;
export type Problem = NonNullable<Tried["problem"]>;

type TakeOutcome =
  | { readonly kind: "taken"; readonly taken: SetupAnswer }
  | { readonly kind: "refused"; readonly problem: Problem };

/** One tiny call. What goes wrong on the way is a problem like any other. */
export async function tryModel(wire: Wire, place: ModelSource, model: string | undefined): Promise<Tried> {
  try {
    return await wire.call("setup.test", { ...place, ...(model ? { model } : {}) });
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** `isTried` when the same model at the same place has just answered. */
export async function takeModel(wire: Wire, place: ModelSource, model: string, isTried = false): Promise<TakeOutcome> {
  if (!isTried) {
    const { ok, problem } = await tryModel(wire, place, model);
    if (!ok) return { kind: "refused", problem: problem ?? problemOf("") };
  }
  try {
    return { kind: "taken", taken: await wire.call("setup.apply", { ...place, model }) };
  } catch (error) {
    return { kind: "refused", problem: problemOf(error) };
  }
}

function problemOf(error: unknown): Problem {
  return { code: "call", message: wordsOf(error), fix: "" };
}
