// Reads the settings of one account of a channel by the channel's own section: what is wrong is named, what is missing is filled in.
import type * as z from "zod";
import type { Lazy } from "../schema.ts";
import { filled, type FilledPart } from "./filled.ts";
import type { Fillable } from "./keys.ts";

type Section = z.ZodType & Fillable<unknown>;

export type SettingsRead<S extends Section> =
  | { readonly kind: "read"; readonly settings: FilledPart<S> }
  /** `where` is the path of the first value that cannot be used; empty when the whole is no block. */
  | { readonly kind: "unusable"; readonly where: string };

/** Settings as a channel's section describes them: whatever it gives out is the type of what `configure` reads. */
export type SettingsOf<L extends Lazy<Section>> = FilledPart<ReturnType<L>>;

/** Keys that the section does not know are passed over, and so are rules over several keys: the check of the file has both. */
export function readSettings<S extends Section>(section: Lazy<S>, written: unknown): SettingsRead<S> {
  const schema = section();
  const read = schema.safeParse(written ?? {});
  const wrong = read.error?.issues.find(({ code }) => code !== "unrecognized_keys" && code !== "custom");
  if (wrong) return { kind: "unusable", where: wrong.path.join(".") };
  return { kind: "read", settings: filled(schema, (written ?? {}) as z.output<S>) };
}
