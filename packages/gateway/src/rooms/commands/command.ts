// What a command is: a row of the table.
import type { CommandRule } from "./authorise.ts";
import type { TakeArguments } from "./grammar.ts";
import type { CommandWorld } from "./world.ts";

export const CATEGORIES = ["Session", "Options", "Status", "Management", "Media", "Tools"] as const;
export type Category = (typeof CATEGORIES)[number];

export type CommandAnswer =
  | { readonly kind: "done"; readonly text: string }
  /** Nothing was changed; the text says why and what is allowed. */
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "stop" }
  | {
      readonly kind: "reset";
      readonly reason: "new" | "reset";
      readonly rest: string;
      /** `provider/model` the new conversation begins with. */
      readonly model?: string;
    };

export interface Command extends CommandRule {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What may stand behind the name; empty when nothing may. */
  readonly usage: string;
  readonly category: Category;
  /** A few words, for a list on a small screen. */
  readonly help: string;
  /** There when the command also works inside a message: what is left of the message goes on to the model. */
  readonly inline?: {
    /** A directive changes the session; a shortcut is answered beside the model's answer. */
    readonly kind: "directive" | "shortcut";
    readonly take: TakeArguments;
  };
  run(args: string, world: CommandWorld): Promise<CommandAnswer>;
}

export const done = (...lines: readonly string[]): CommandAnswer => ({ kind: "done", text: lines.join("\n") });
export const refused = (...lines: readonly string[]): CommandAnswer => ({ kind: "refused", text: lines.join("\n") });
