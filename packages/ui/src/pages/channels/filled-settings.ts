// Settings of a channel, as filled into a form.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { isBlock, type Block } from "./account-patch.ts";

export type Setup = MethodAnswer<"channels.setup">["channels"][number];
type Field = Pick<Setup["fields"][number], "name" | "list">;

/** Fields that were left empty say nothing. */
export function filledSettings(fields: readonly Field[], filled: (name: string) => string): Block {
  let settings: Block = {};
  for (const { name, list } of fields) {
    const text = filled(name).trim();
    if (text !== "") settings = put(settings, name.split("."), list ? entriesOf(text) : text);
  }
  return settings;
}

function entriesOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function put(block: Block, [key = "", ...rest]: readonly string[], value: unknown): Block {
  const before = block[key];
  return { ...block, [key]: rest.length === 0 ? value : put(isBlock(before) ? before : {}, rest, value) };
}
