// Addresses within the page of memory. They name the agent only where it is not the default one.
import { writeRoute } from "../../app/route.ts";

export interface ChosenAgent {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

export type Query = Readonly<Record<string, string>>;

/** What is empty is left out. */
export function queryOf({ id, isDefault }: ChosenAgent, query: Query = {}): Query {
  const all = Object.entries({ ...query, agent: isDefault ? "" : id });
  return Object.fromEntries(all.filter(([, value]) => value !== ""));
}

export function linkTo(agent: ChosenAgent, rest: readonly string[] = [], query: Query = {}): string {
  return writeRoute("memory", rest, queryOf(agent, query));
}
