// The front of the room: what a message asks of the gateway, and doing it.
import {
  GatewayError,
  refused,
  rightsOf,
  type ChatCall,
  type ChatCommand,
  type CommandAnswer,
  type CommandRequester,
  type CommandSettings,
} from "@chela/sdk";
import { isOwner, may } from "./authorise.ts";
import type { Command } from "./command.ts";
import { recognise, type CommandCall, type Recognition, type Vocabulary } from "./recognise.ts";

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

export interface CommandsParts<House> {
  /** Those of all rooms. */
  readonly table: ReadonlyArray<ChatCommand<House>>;
  readonly house: House;
  /** Whether `provider/model`, or a bare name, is a model that exists. */
  knowsModel(ref: string): boolean;
  /** The skill that people call by this word. */
  skillCalled?(word: string): string | undefined;
}

export interface Commands {
  /** Before a message is admitted: is any of it meant for us. Pure. */
  recognise(text: string, requester: CommandRequester, settings: CommandSettings): Recognition;
  /** After it is admitted; may be run again with the same recognition after a crash. */
  run(recognition: Recognition, call: ChatCall): Promise<CommandOutcome>;
}

const NOT_PASSED_ON = "Your message was not passed on.";

export function createCommands<House>({ table, house, knowsModel, skillCalled }: CommandsParts<House>): Commands {
  const find = (written: string) => {
    const name = written.toLowerCase();
    return table.find((command) => command.name === name || command.aliases.includes(name));
  };
  const vocabulary: Vocabulary = { find, isModel: knowsModel, skillCalled: (word) => skillCalled?.(word) };

  /** Asked again here, for rights can change between admission and now. */
  const isPermitted = ({ name }: CommandCall, { requester, settings }: ChatCall): boolean => {
    const command = find(name);
    return command !== undefined && may(requester, command, settings).kind !== "denied";
  };

  const answerCall = async ({ name, args }: CommandCall, call: ChatCall): Promise<CommandAnswer> => {
    const command = find(name);
    if (!command) return refused(`⚠️ There is no command /${name}.`, "/commands shows what there is.");
    const refusal = whyNot(command, call);
    if (refusal) return refusal;
    try {
      return await command.run(args, call, house);
    } catch (error) {
      // What the person can put right is an answer like any other; the rest is a failure of the gateway.
      if (!GatewayError.is(error) || error.row.blame !== "user") throw error;
      return refused(`⚠️ ${error.explain()}`);
    }
  };

  const runCommand = async (asked: CommandCall, call: ChatCall): Promise<CommandOutcome> => {
    if (!isPermitted(asked, call)) return { kind: "ignored" };
    const answer = await answerCall(asked, call);
    return answer.kind === "done" || answer.kind === "refused" ? { kind: "reply", text: answer.text } : answer;
  };

  const runInline = async (calls: readonly CommandCall[], text: string, call: ChatCall): Promise<CommandOutcome> => {
    if (!calls.every((one) => isPermitted(one, call))) return { kind: "ignored" };
    const applied: string[] = [];
    const replies: string[] = [];
    let isRefused = false;
    for (const one of calls) {
      const answer = await answerCall(one, call);
      if (answer.kind !== "done" && answer.kind !== "refused") return answer;
      if (answer.kind === "refused") isRefused = true;
      const isShortcut = find(one.name)?.inline?.kind === "shortcut";
      (isShortcut ? replies : applied).push(answer.text);
    }
    if (text !== "" && !isRefused) return { kind: "none", text, applied, replies };
    const said = [...replies, applied.join("\n"), text === "" ? "" : NOT_PASSED_ON];
    return { kind: "reply", text: said.filter((part) => part !== "").join("\n\n") };
  };

  return {
    recognise: (text, requester, settings) => recognise(text, requester, settings, vocabulary),
    async run(recognition, call) {
      switch (recognition.kind) {
        case "text":
          return { kind: "none", text: recognition.text, applied: [], replies: [] };
        case "stop":
        case "ignored":
          return { kind: recognition.kind };
        case "command":
          return runCommand(recognition.call, call);
        case "inline":
          return runInline(recognition.calls, recognition.text, call);
      }
    },
  };
}

/** Commands that are switched off, and those that change what is not this person's to change. */
function whyNot(command: Command, { requester, settings, sessionKey }: ChatCall): CommandAnswer | undefined {
  const permission = may(requester, command, settings);
  if (permission.kind === "off") {
    const fix = isOwner(requester, settings) ? [`Set commands.${permission.flag} to true to use it.`] : [];
    return refused(`⚠️ /${command.name} is switched off here.`, ...fix);
  }
  if (command.changesConversation && rightsOf(requester, sessionKey).conversation !== "change") {
    return refused(`⚠️ /${command.name} is for the owner here: others take part in this conversation, too.`);
  }
  return undefined;
}
