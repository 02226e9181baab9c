// Opens who is who: what the ledger knows, what channels call an id, what people may spend.
import type { Channels } from "../rooms/channels/room.ts";
import type { House } from "./house.ts";
import { GatewayError, spenderName, type KnownPerson, type Person, type WrittenId } from "@chela/sdk";
import { lazy } from "../base/lazy.ts";
import { Budgets, type BudgetRule } from "../rooms/budgets/room.ts";
import {
  loadPeopleChanges,
  MessageQuotas,
  People,
  type OverQuota,
  type PersonSuggestion,
  type UsedMessages,
} from "../rooms/people/room.ts";

export interface PeopleNeeds extends Pick<House, "clock" | "config" | "ledger"> {
  /** Opened when somebody is written down, to read their ids. */
  channels(): Promise<{ readonly channels: Pick<Channels, "channel"> }>;
}

type PeopleChanges = InstanceType<Awaited<ReturnType<typeof loadPeopleChanges>>["PeopleChanges"]>;

export interface PeopleServices {
  readonly directory: People;
  readonly budgets: Budgets;
  /** The limits of the configuration, and those of people. */
  budgetRules(): readonly BudgetRule[];
  /** Counts a message; says why it must not pass. */
  takeQuota(runId: string, person: KnownPerson): Promise<OverQuota | undefined>;
  /** How many messages of those who have a limit of them are counted. */
  usedMessages(people: readonly Person[]): Promise<Record<string, UsedMessages>>;
  changes(): Promise<PeopleChanges>;
  /** Who the configuration links, and nobody has written down yet. */
  suggestions(): Promise<readonly PersonSuggestion[]>;
}

export function openPeople(house: PeopleNeeds): PeopleServices {
  const { clock, config, ledger } = house;
  const directory = new People(ledger);
  const budgetRules = (): readonly BudgetRule[] => {
    const written = config.current().budgets ?? [];
    return directory.budgets().length === 0 ? written : [...written, ...directory.budgets()];
  };
  const budgets = new Budgets({ rules: budgetRules, ledger, clock });
  const quotas = new MessageQuotas({
    ledger,
    clock,
    people: directory,
    async spentToday(id) {
      const name = spenderName({ id: "", person: { id, role: "guest" } });
      const states = await budgets.view({ agent: "", session: "", channel: "", person: name, job: "" });
      const own = states.find(({ limit }) => limit.scope === "person" && limit.name === name && limit.period === "day");
      return own?.spent.usd ?? 0;
    },
  });

  async function readId(channel: string, written: string): Promise<WrittenId | undefined> {
    try {
      return (await (await house.channels()).channels.channel(channel)).readId(written);
    } catch (error) {
      if (GatewayError.is(error) && error.code === "CHANNEL_UNKNOWN") return undefined;
      throw error;
    }
  }
  const room = lazy(loadPeopleChanges);
  const changes = lazy(async () => {
    const { PeopleChanges } = await room();
    return new PeopleChanges({ ledger, clock, people: directory, readId });
  });
  return {
    directory,
    budgets,
    budgetRules,
    takeQuota: (runId, { id }) => quotas.take(id, runId),
    usedMessages: (asked) => quotas.used(asked),
    changes,
    async suggestions() {
      const { suggestPeople } = await room();
      return suggestPeople(config.current().session?.identityLinks ?? {}, directory.all, readId);
    },
  };
}
