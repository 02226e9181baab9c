// All credentials of all agents: which may be tried for a model, how they fared, and how they are changed.
import { join } from "node:path";
import { type Secret, GatewayError, type Clock, type Logger, type ModelFailure, type ModelInfo } from "@chela/sdk";
import { accessGiven, accessStored } from "./access.ts";
import { AgentProfiles } from "./agent-profiles.ts";
import { Circuits } from "./circuit.ts";
import {
  isRestReason,
  restOf,
  statsAfterFailure,
  statsAfterSuccess,
  statsAfterUse,
  withoutRest,
  type CooldownRules,
} from "./cooldown.ts";
import { GivenStats } from "./given-stats.ts";
import { dropProfile, putOrder, putProfile, toRow, wakeProfile } from "./profile-edits.ts";
import { orderProfiles } from "./profile-order.ts";
import { ownEntries, type ProfileVault } from "./profile-vault.ts";
import { viewGiven, viewStored } from "./profile-views.ts";
import type {
  AccessOutcome,
  Availability,
  GivenKeys,
  NewProfile,
  Profile,
  ProfileSource,
  ProfileView,
  RestingProfile,
} from "./profile.ts";
import type { OAuthRefresher } from "./refreshers.ts";
import { Renewal } from "./renewal.ts";
import type { StoredProfile, UsageStats } from "./stored-profile.ts";

/** What the configuration says of providers and profiles. */
export interface ProfileRules {
  /** Providers whose given keys are worth a line in a list. */
  providers(): readonly string[];
  /** `auth.order` of the configuration. */
  order(provider: string): readonly string[] | undefined;
  /** The e-mail address that `auth.profiles` gives for a profile. */
  label(id: string): string | undefined;
  cooldowns(provider: string): CooldownRules;
  /** The address that calls of a provider are sent to. */
  addressOf?(provider: string): string | undefined;
}

export interface ProfileBookOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly refreshers: readonly OAuthRefresher[];
  readonly rules: ProfileRules;
  env(): Readonly<Record<string, string | undefined>>;
  /** Where an agent keeps its credentials; undefined when agents have no files here. */
  agentDir(agentId: string): string | undefined;
  /** The keys of a provider outside of the files. */
  givenKeys(provider: string): GivenKeys;
  onSecret(value: string): void;
  /** Where secrets are kept; in the files themselves without it. */
  readonly vault?: ProfileVault | undefined;
}

/** Failures that pass by themselves and say nothing about a credential. */
const TRANSIENT: readonly string[] = ["overloaded", "server-error", "network", "timeout", "malformed"];

export class ProfileBook implements ProfileSource {
  readonly #options: ProfileBookOptions;
  readonly #agents = new Map<string, AgentProfiles>();
  readonly #given = new GivenStats();
  readonly #circuits: Circuits;
  readonly #renewal: Renewal;

  constructor(options: ProfileBookOptions) {
    this.#options = options;
    this.#circuits = new Circuits(options.clock);
    this.#renewal = new Renewal(options.clock, options.refreshers);
  }

  look(agentId: string, model: ModelInfo, pinned?: string): Availability {
    const { clock, givenKeys } = this.#options;
    const given = givenKeys(model.provider);
    const stored = this.#ordered(agentId, model.provider, pinned);
    const profiles = [
      ...stored.filter((profile) => this.#isUsable(profile)).map(({ id }) => this.#make(agentId, model, id, "file")),
      ...(given.kind === "keys" ? given.keys : []).map(({ origin, key }) => {
        const profile = this.#make(agentId, model, `${model.provider}:${origin}`, origin);
        this.#meet(profile, key);
        return profile;
      }),
    ];
    if (profiles.length === 0 && given.kind === "not-needed") {
      profiles.push(this.#make(agentId, model, `${model.provider}:none`, "none"));
    }
    const ready: Profile[] = [];
    const shaky: Profile[] = [];
    const resting: RestingProfile[] = [];
    for (const profile of pinnedFirst(profiles, pinned)) {
      const stats = this.#statsOf(profile);
      const rest = restOf(stats, clock.now());
      if (rest) resting.push({ profile, until: rest.until, reason: rest.reason, lastUsed: stats.lastUsed });
      else if (this.#circuits.state(circuitKey(profile, model)) === "open") shaky.push(profile);
      else ready.push(profile);
    }
    const missing = profiles.length > 0 ? undefined : missingBecause(stored, given);
    return { ready, shaky, resting, ...(missing ? { missing } : {}) };
  }

  /** The secret of a profile, renewed where that is needed. Never throws. */
  async access(profile: Profile): Promise<AccessOutcome> {
    if (profile.origin === "none") return { kind: "ready", access: undefined };
    if (profile.origin !== "file") return accessGiven(profile, this.#options.givenKeys(profile.provider));
    return accessStored(profile, this.#agent(profile.agentId), this.#renewal);
  }

  begin(profile: Profile, model: ModelInfo): void {
    this.#circuits.begin(circuitKey(profile, model));
    const vaultId = profile.origin === "file" ? this.#agent(profile.agentId)?.find(profile.id)?.vaultId : undefined;
    if (vaultId !== undefined) this.#options.vault?.used(vaultId, `model ${model.provider}/${model.id}`);
    this.#note(profile, statsAfterUse(this.#statsOf(profile), this.#options.clock.now()));
  }

  succeed(profile: Profile, model: ModelInfo): void {
    this.#circuits.close(circuitKey(profile, model));
    this.#note(profile, statsAfterSuccess(this.#statsOf(profile), this.#options.clock.now()));
    if (profile.origin === "file") this.#agent(profile.agentId)?.noteGood(profile.provider, profile.id);
  }

  fail(profile: Profile, model: ModelInfo, failure: ModelFailure): void {
    const key = circuitKey(profile, model);
    if (TRANSIENT.includes(failure.reason)) return this.#circuits.fail(key);
    this.#circuits.close(key);
    const { reason } = failure;
    // Where no credential is needed, none can be worn out.
    if (!isRestReason(reason) || profile.origin === "none") return;
    const { clock, rules, log } = this.#options;
    const before = this.#statsOf(profile);
    const after = statsAfterFailure(before, { ...failure, reason }, rules.cooldowns(profile.provider), clock.now());
    if (after === before) return;
    this.#note(profile, after);
    const agent = profile.origin === "file" ? this.#agent(profile.agentId) : undefined;
    if (reason === "auth" && agent) this.#renewal.doubt(agent, profile.id);
    const until = restOf(after, clock.now())?.until ?? clock.now();
    // Not "the credential …": what follows that word in quotes is taken out of every line.
    log.warn(`Credential of ${profile.provider} rests until ${new Date(until).toISOString()}`, {
      profile: profile.id,
      agent: profile.agentId,
      reason,
    });
  }

  release(profile: Profile, model: ModelInfo): void {
    this.#circuits.release(circuitKey(profile, model));
  }

  view(agentId: string): ProfileView[] {
    const { clock, rules, givenKeys } = this.#options;
    const { label, providers } = rules;
    const agent = this.#agent(agentId);
    const stored = (agent?.list() ?? []).map((profile) =>
      viewStored(profile, {
        stats: agent?.statsOf(profile.id) ?? { errorCount: 0 },
        label: profile.email ?? label(profile.id),
        isExpired: !this.#isUsable(profile) && profile.secret !== undefined,
        now: clock.now(),
      }),
    );
    const given = providers().flatMap((provider) => {
      const found = givenKeys(provider);
      return (found.kind === "keys" ? found.keys : []).map(({ origin, source }) => {
        const id = `${provider}:${origin}`;
        const stats = this.#given.statsOf(givenName({ agentId, id }));
        return viewGiven({ id, provider, origin, source, stats, now: clock.now() });
      });
    });
    return [...stored, ...given];
  }

  async add(agentId: string, id: string, profile: NewProfile, address?: string): Promise<void> {
    const agent = this.#require(agentId);
    const row = await toRow(
      profile,
      { agentId, profileId: id, ...this.#bindingOf(profile, address) },
      this.#options.vault,
    );
    await agent.edit((document) => putProfile(document, id, row));
  }

  async remove(agentId: string, id: string): Promise<void> {
    const agent = this.#requireWith(agentId, [id]);
    const entries = ownEntries(agent.row(id), { agentId, profileId: id });
    await agent.edit((document) => dropProfile(document, id));
    if (entries.length > 0) await this.#options.vault?.drop(entries);
  }

  async setOrder(agentId: string, provider: string, ids: readonly string[]): Promise<void> {
    await this.#requireWith(agentId, ids).edit((document) => putOrder(document, provider, ids));
  }

  /** Lets a credential be tried again at once. */
  async clearCooldown(agentId: string, id: string): Promise<void> {
    const given = this.view(agentId).find((profile) => profile.id === id && profile.origin !== "file");
    if (given) {
      const name = givenName({ agentId, id });
      return this.#given.note(name, withoutRest(this.#given.statsOf(name)));
    }
    await this.#requireWith(agentId, [id]).edit((document) => wakeProfile(document, id));
  }

  /** Whether an agent has a profile of its own for a provider. */
  find(agentId: string, provider: string): string | undefined {
    return this.#ordered(agentId, provider, undefined).find((profile) => this.#isUsable(profile))?.id;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.flush();
  }

  #isUsable(profile: StoredProfile): boolean {
    if (this.#renewal.canRenew(profile)) return true;
    return profile.secret !== undefined && (profile.expires ?? Infinity) > this.#now();
  }

  #ordered(agentId: string, provider: string, pinned: string | undefined): StoredProfile[] {
    const agent = this.#agent(agentId);
    const profiles = agent?.list().filter((profile) => profile.provider === provider.toLowerCase()) ?? [];
    if (!agent || profiles.length === 0) return [];
    return orderProfiles(profiles, {
      pinned,
      listed: agent.order(provider) ?? this.#options.rules.order(provider),
      lastGood: agent.lastGood(provider),
      statsOf: (id) => agent.statsOf(id),
    });
  }

  #make(agentId: string, { provider }: ModelInfo, id: string, origin: Profile["origin"]): Profile {
    return { id, agentId, provider, origin };
  }

  #meet(profile: Profile, key: Secret): void {
    if (this.#given.meet(givenName(profile), key)) this.#options.onSecret(key.reveal());
  }

  #statsOf(profile: Profile): UsageStats {
    if (profile.origin === "file") return this.#agent(profile.agentId)?.statsOf(profile.id) ?? { errorCount: 0 };
    return this.#given.statsOf(givenName(profile));
  }

  #note(profile: Profile, stats: UsageStats): void {
    if (profile.origin === "file") this.#agent(profile.agentId)?.noteStats(profile.id, stats);
    else this.#given.note(givenName(profile), stats);
  }

  #agent(agentId: string): AgentProfiles | undefined {
    const { clock, log, env, agentDir, onSecret, vault } = this.#options;
    const directory = agentDir(agentId);
    if (directory === undefined) return undefined;
    const path = join(directory, "auth-profiles.json");
    const known = this.#agents.get(path);
    if (known) return known;
    const announce = (secret: Secret): void => onSecret(secret.reveal());
    const agent = new AgentProfiles({ path, clock, log, env, onSecret: announce, agentId, vault });
    this.#agents.set(path, agent);
    return agent;
  }

  /** A key goes where its provider is reached now, and nowhere else. Sign-ins are good at several addresses. */
  #bindingOf(profile: NewProfile, address?: string): { provider: string; origin?: string | undefined } {
    const { provider } = profile;
    return {
      provider,
      ...(profile.type === "api_key" ? { origin: address ?? this.#options.rules.addressOf?.(provider) } : {}),
    };
  }

  #require(agentId: string): AgentProfiles {
    const agent = this.#agent(agentId);
    if (agent) return agent;
    throw new GatewayError("PROFILE_STORE", `the agent "${agentId}" has no directory`);
  }

  #requireWith(agentId: string, ids: readonly string[]): AgentProfiles {
    const agent = this.#require(agentId);
    const stranger = ids.find((id) => !agent.find(id));
    if (stranger !== undefined) throw unknownProfile(agentId, stranger, this.view(agentId));
    return agent;
  }

  #now(): number {
    return this.#options.clock.now();
  }
}

function pinnedFirst(profiles: readonly Profile[], pinned: string | undefined): Profile[] {
  return [...profiles.filter(({ id }) => id === pinned), ...profiles.filter(({ id }) => id !== pinned)];
}

function missingBecause(stored: readonly StoredProfile[], given: GivenKeys): string | undefined {
  const [first] = stored;
  if (first) return `the credential "${first.id}" has expired or is empty; add it anew`;
  return given.kind === "missing" ? given.why : undefined;
}

function unknownProfile(agentId: string, id: string, known: readonly ProfileView[]): GatewayError {
  const names = known.map((profile) => `"${profile.id}"`).join(", ");
  return new GatewayError("PROFILE_UNKNOWN", `"${id}"; the agent "${agentId}" has ${names || "none"}`);
}

/** An outage of one model is none of another, even with the same key. */
function circuitKey(profile: Profile, model: ModelInfo): string {
  return `${profile.agentId}\n${profile.id}\n${model.id}`;
}

function givenName({ agentId, id }: { readonly agentId: string; readonly id: string }): string {
  return `${agentId}\n${id}`;
}
