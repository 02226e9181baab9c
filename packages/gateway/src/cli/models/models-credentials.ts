// Helpers of commands about sign-ins: which provider and profile are meant, and what is told when one is stored.
import { join } from "node:path";
import type { Clock } from "@chela/sdk";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { nearestWord } from "../../base/text/nearest.ts";
import { listProviders } from "../../rooms/models/catalog.ts";
import { AgentProfiles } from "../../rooms/models/profiles/agent-profiles.ts";
import type { NewProfile, ProfileView } from "../../rooms/models/room.ts";
import { commandClock } from "../offline/command-clock.ts";
import { wrapText } from "../../base/terminal/layout.ts";
import { withModels, type ModelsPlace } from "./with-models.ts";
import type { TypedInput } from "../../base/terminal/secret-input.ts";
import { createCommandLog, silentLog } from "../../base/terminal/command-log.ts";

export interface AuthParts {
  readonly clock: Clock;
  readonly input: TypedInput;
}

export function authParts(): AuthParts {
  return { clock: commandClock, input: process.stdin };
}

const NARROW = 80;

/** Works on the credentials of the agent that --agent names. */
export async function withAgent(call: CommandCall, work: (place: ModelsPlace) => Promise<void>): Promise<number> {
  const log = createCommandLog(call.terminal.note);
  await withModels(call, { agent: call.flags.text("agent"), log }, work);
  return 0;
}

/** Providers that take a credential, by id. */
export function providersOf({ config }: ModelsPlace): string[] {
  return listProviders(config)
    .filter(({ known }) => known?.api !== "demo")
    .map(({ id }) => id);
}

export function requireProvider(place: ModelsPlace, typed: string | undefined): string {
  const known = providersOf(place);
  const wanted = typed?.trim().toLowerCase() ?? "";
  const found = known.find((id) => id.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const all = `There are: ${known.join(", ")}.`;
  if (wanted === "") throw usageFailure("Which provider? Add --provider <name>.", wrapText(all, NARROW));
  const near = nearestWord(wanted, known);
  throw new CommandFailure("other", `There is no provider "${typed}".`, {
    fix: near
      ? `Did you mean ${near}?`
      : wrapText(`${all} Others are added under models.providers in the configuration.`, NARROW),
  });
}

/** A bare name belongs to the provider: "work" is "anthropic:work". */
export function chooseProfileId(provider: string, typed: string | undefined, usual: string): string {
  if (typed === undefined) return `${provider}:${usual}`;
  if (!/^[\w.@+:-]+$/.test(typed)) {
    throw usageFailure(`"${typed}" cannot be the id of a profile.`, "Ids are letters, digits and . _ @ + - :");
  }
  return typed.includes(":") ? typed : `${provider}:${typed}`;
}

export async function storeProfile(
  place: ModelsPlace,
  id: string,
  profile: NewProfile,
  { terminal }: CommandCall,
): Promise<void> {
  const { models, agentId } = place;
  const isNew = !models.profiles.view(agentId).some((one) => one.id === id && one.origin === "file");
  await models.profiles.add(agentId, id, profile);
  terminal.print(`${isNew ? "Stored" : "Replaced"} the profile ${id} of the agent ${agentId}.`);
  const order = readOrder(place, profile.provider);
  if (order && !order.ids.includes(id)) {
    terminal.note(`It is not used yet: the order of ${profile.provider} (${order.source}) does not name it.`);
    terminal.note(`\`chela models auth order set --provider ${profile.provider} …\` changes the order.`);
  } else terminal.print("A running gateway takes it up by itself. `chela models status` shows all.");
}

export interface ProfileOrder {
  readonly ids: readonly string[];
  readonly source: "auth-profiles.json" | "auth.order";
}

/** The order that somebody wrote for a provider; undefined when the gateway chooses. */
export function readOrder({ config, env, agentDir }: ModelsPlace, provider: string): ProfileOrder | undefined {
  const file = new AgentProfiles({
    path: join(agentDir, "auth-profiles.json"),
    clock: commandClock,
    log: silentLog,
    env: () => env,
    onSecret: () => {},
  });
  const own = file.order(provider);
  if (own) return { ids: own, source: "auth-profiles.json" };
  const shared = config.auth?.order?.[provider];
  return shared ? { ids: shared, source: "auth.order" } : undefined;
}

/** A profile of the agent's file; keys that lie elsewhere are changed there. */
export function requireStored({ models, agentId }: ModelsPlace, id: string): ProfileView {
  const all = models.profiles.view(agentId);
  const stored = all.filter(({ origin }) => origin === "file");
  const found = stored.find((one) => one.id === id);
  if (found) return found;
  const given = all.find((one) => one.id === id);
  if (given) {
    const where = given.origin === "env" ? "the environment" : "the configuration";
    throw new CommandFailure("other", `${id} is no stored profile: it is ${given.label ?? "a key"} in ${where}.`, {
      fix: "Change it there. A restart of the gateway clears what it remembers of it.",
    });
  }
  const names = stored.map((one) => one.id);
  const near = nearestWord(id, names);
  throw new CommandFailure("other", `The agent ${agentId} has no profile "${id}".`, {
    fix: near ? `Did you mean ${near}?` : names.length > 0 ? `It has: ${names.join(", ")}.` : "It has none at all.",
  });
}
