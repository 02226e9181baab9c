// A command of the table, as far as nobody runs it: what it is called, who may give it, and where it works.
import type { ChatCommand } from "@chela/sdk";

export type Command = Omit<ChatCommand<never>, "run">;
