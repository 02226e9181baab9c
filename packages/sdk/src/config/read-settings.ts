// Reads the settings of one account of a channel by the channel's own section: what is wrong is named, what is missing is filled in.
import type * as z from "zod";
import type { Lazy } from "../schema.ts";
import type { ChannelSection } from "./channel-keys.ts";
import { filled, type FilledPart } from "./filled.ts";
import { shapeOf, type Schema } from "./shape.ts";

export type SettingsRead<S extends ChannelSection> =
  | {
      readonly kind: "read";
      /** With presets for what is not written. */
      readonly settings: FilledPart<S>;
      /** For what has another meaning when it is not written. */
      readonly written: NonNullable<z.output<S>>;
    }
  /** `where` is the path of the first value that cannot be used; empty when the whole is no block. */
  | { readonly kind: "unusable"; readonly where: string };

/** What `readSettings` gives for a section. */
export type SettingsOf<L extends Lazy<ChannelSection>> = FilledPart<ReturnType<L>>;
export type WrittenOf<L extends Lazy<ChannelSection>> = NonNullable<z.output<ReturnType<L>>>;

/** Keys that the section does not know are passed over, and so are rules over several keys: the check of the file has both. */
export function readSettings<S extends ChannelSection>(section: Lazy<S>, written: unknown): SettingsRead<S> {
  const account = accountIn(section());
  const read = account.safeParse(written === undefined ? {} : written);
  const wrong = read.error?.issues.find(({ code }) => code !== "unrecognized_keys");
  if (wrong) return { kind: "unusable", where: wrong.path.join(".") };
  const whole = (written ?? {}) as NonNullable<z.output<S>>;
  return { kind: "read", settings: filled(account, whole), written: whole };
}

/** An account may say what may be said for all of them, and a little more. */
function accountIn<S extends ChannelSection>(section: S): S {
  const { accounts } = shapeIn(section);
  const map = accounts && shapeOf(accounts);
  if (map?.kind !== "map") throw new TypeError("a channel's section is made with channelBlock");
  return map.value as S;
}

function shapeIn(section: Schema): Readonly<Record<string, Schema | undefined>> {
  const shaped = shapeOf(section);
  return shaped.kind === "object" ? shaped.shape : {};
}
