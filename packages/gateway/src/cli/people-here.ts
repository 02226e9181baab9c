// Who is who, from the ledger of this machine, for commands that run without a gateway.
import { METHODS, type MethodParams } from "@chela/sdk/protocol";
import { systemClock } from "../base/clock.ts";
import { entryOf } from "../rooms/channels/room.ts";
import { openStateDirectory } from "../rooms/config/room.ts";
import { openPeople, type PeopleServices } from "../house/open-people.ts";
import type { PeopleOutcome } from "../rooms/people/room.ts";
import type { AskFiles } from "./ask-gateway.ts";
import { CommandFailure } from "./command-failure.ts";
import type { CommandCall } from "./command-spec.ts";
import { AT_THE_MACHINE } from "./note-here.ts";
import { openConfig } from "./open-config.ts";
import { readLedger, writeLedger } from "./open-ledger.ts";

type Ledger = Parameters<Parameters<typeof readLedger>[1]>[0];

/** The same answers as the methods of a gateway give. */
export function askPeopleHere(call: CommandCall): AskFiles {
  const { paths } = openStateDirectory(call.env, call.state);
  const config = openConfig(paths, call.env);
  const using = async <T>(ledger: Ledger, work: (people: PeopleServices) => Promise<T>): Promise<T> => {
    const channels = { channel: async (id: string) => entryOf(id).load() };
    const people = openPeople({ clock: systemClock, config, ledger, channels: async () => ({ channels }) });
    await people.directory.load();
    return work(people);
  };
  const read = <T>(work: (people: PeopleServices) => Promise<T>) => readLedger(paths, (ledger) => using(ledger, work));
  const write = <T>(work: (people: PeopleServices) => Promise<T>) =>
    writeLedger(
      paths,
      (text) => call.terminal.note(text),
      (ledger) => using(ledger, work),
    );

  return async (method, params = {}) => {
    switch (method) {
      case "people.list": {
        const { who } = paramsOf(method, params);
        return read(async ({ directory, desk, usedMessages }) => {
          const people = who ? await (await desk()).whoHas(who) : directory.all;
          return { people, used: await usedMessages(people) };
        });
      }
      case "people.suggest":
        return read(async (people) => ({ suggestions: await people.suggestions() }));
      case "people.put": {
        const { person, ifUpdatedAt } = paramsOf(method, params);
        return write(async ({ desk }) => settle(await (await desk()).put(person, AT_THE_MACHINE, ifUpdatedAt)));
      }
      case "people.delete": {
        const { id } = paramsOf(method, params);
        return write(async ({ desk }) => settle(await (await desk()).remove(id, AT_THE_MACHINE)));
      }
      case "people.link": {
        const { id, add = [], remove = [] } = paramsOf(method, params);
        return write(async ({ desk }) => settle(await (await desk()).link(id, { add, remove }, AT_THE_MACHINE)));
      }
      default:
        throw new CommandFailure("no-gateway", `${method} needs a running gateway.`);
    }
  };
}

function paramsOf<M extends "people.list" | "people.put" | "people.delete" | "people.link">(
  method: M,
  params: object,
): MethodParams<M> {
  const read = METHODS[method].params().safeParse(params);
  if (read.success) return read.data as MethodParams<M>;
  const [issue] = read.error.issues;
  throw new CommandFailure(
    "usage",
    `${issue?.path.join(".") || "It"} cannot be taken: ${issue?.message ?? "it is wrong"}.`,
  );
}

function settle<T>(outcome: PeopleOutcome<T>): T {
  if (outcome.kind === "refused") throw new CommandFailure("other", outcome.why);
  const { kind: _kind, ...done } = outcome;
  return done as T;
}
