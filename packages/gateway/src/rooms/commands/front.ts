// The front of the room: what a message asks of the gateway, and doing it.
import { GatewayError, rightsOf } from "@chela/sdk";
import { isOwner, may, type CommandRequester, type CommandSettings } from "./authorise.ts";
import { refused, type Command, type CommandAnswer } from "./command.ts";
import { recognise, type CommandCall, type Recognition, type Vocabulary } from "./recognise.ts";
import { findCommand } from "./table.ts";
import type { CommandWorld } from "./world.ts";

export type CommandOutcome =
  /** Goes to the model. */
  | {
      readonly kind: "none";
      /** The message without directives. */
      readonly text: string;
      /** What was changed, as sentences for the person. */
      readonly applied: readonly string[];
      /** Answers to shortcuts inside the message, to be sent at once. */
      readonly replies: readonly string[];
    }
  | { readonly kind: "stop" }
  /** Start anew; `rest` has to be recognised again, for it may hold directives. */
  | { readonly kind: "reset"; readonly reason: "new" | "reset"; readonly rest: string; readonly model?: string }
  /** Answered without a model. */
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "ignored" };

export interface CommandsParts {
  /** Whether `provider/model`, or a bare name, is a model that exists. */
  knowsModel(ref: string): boolean;
}

export interface Commands {
  /** Before a message is admitted: is any of it meant for us. Pure. */
  recognise(text: string, requester: CommandRequester, settings: CommandSettings): Recognition;
  /** After it is admitted; may be run again with the same recognition after a crash. */
  run(recognition: Recognition, world: CommandWorld): Promise<CommandOutcome>;
}

const NOT_PASSED_ON = "Your message was not passed on.";

export function createCommands(parts: CommandsParts): Commands {
  const vocabulary: Vocabulary = { find: findCommand, isModel: (ref) => parts.knowsModel(ref) };
  return {
    recognise: (text, requester, settings) => recognise(text, requester, settings, vocabulary),
    async run(recognition, world) {
      switch (recognition.kind) {
        case "text":
          return { kind: "none", text: recognition.text, applied: [], replies: [] };
        case "stop":
        case "ignored":
          return { kind: recognition.kind };
        case "command":
          return runCommand(recognition.call, world);
        case "inline":
          return runInline(recognition.calls, recognition.text, world);
      }
    },
  };
}

async function runCommand(call: CommandCall, world: CommandWorld): Promise<CommandOutcome> {
  if (!isPermitted(call, world)) return { kind: "ignored" };
  const answer = await answerCall(call, world);
  return answer.kind === "done" || answer.kind === "refused" ? { kind: "reply", text: answer.text } : answer;
}

async function runInline(calls: readonly CommandCall[], text: string, world: CommandWorld): Promise<CommandOutcome> {
  if (!calls.every((call) => isPermitted(call, world))) return { kind: "ignored" };
  const applied: string[] = [];
  const replies: string[] = [];
  let isRefused = false;
  for (const call of calls) {
    const answer = await answerCall(call, world);
    if (answer.kind !== "done" && answer.kind !== "refused") return answer;
    if (answer.kind === "refused") isRefused = true;
    const isShortcut = findCommand(call.name)?.inline?.kind === "shortcut";
    (isShortcut ? replies : applied).push(answer.text);
  }
  if (text !== "" && !isRefused) return { kind: "none", text, applied, replies };
  const said = [...replies, applied.join("\n"), text === "" ? "" : NOT_PASSED_ON];
  return { kind: "reply", text: said.filter((part) => part !== "").join("\n\n") };
}

/** Asked again here, for rights can change between admission and now. */
function isPermitted({ name }: CommandCall, { requester, settings }: CommandWorld): boolean {
  const command = findCommand(name);
  return command !== undefined && may(requester, command, settings).kind !== "denied";
}

async function answerCall({ name, args }: CommandCall, world: CommandWorld): Promise<CommandAnswer> {
  const command = findCommand(name);
  if (!command) return refused(`⚠️ There is no command /${name}.`, "/commands shows what there is.");
  const permission = may(world.requester, command, world.settings);
  if (permission.kind === "off") return explainOff(command, permission.flag, world);
  if (command.changesConversation && rightsOf(world.requester, world.sessionKey).conversation !== "change") {
    return refused(`⚠️ /${command.name} is for the owner here: others take part in this conversation, too.`);
  }
  try {
    return await command.run(args, world);
  } catch (error) {
    // What the person can put right is an answer like any other; the rest is a failure of the gateway.
    if (!GatewayError.is(error) || error.row.blame !== "user") throw error;
    return refused(`⚠️ ${error.explain()}`);
  }
}

function explainOff(command: Command, flag: string, world: CommandWorld): CommandAnswer {
  const fix = isOwner(world.requester, world.settings) ? [`Set commands.${flag} to true to use it.`] : [];
  return refused(`⚠️ /${command.name} is switched off here.`, ...fix);
}
