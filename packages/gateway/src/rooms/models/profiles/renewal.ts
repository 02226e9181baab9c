// Renews the access token of a sign-in: once, however many calls need it, in whichever process.
import { defined } from "@chela/sdk/base";
import { createHash } from "node:crypto";
import { type Secret, GatewayError, type Clock, OneAtATime } from "@chela/sdk";
import type { AgentProfiles } from "./agent-profiles.ts";
import { waitForLock } from "../../../base/locks/lock-file.ts";
import type { OAuthRefresher, RenewedTokens } from "./refreshers.ts";
import { keepFields } from "./profile-vault.ts";
import { openPart, type StoredProfile } from "./stored-profile.ts";

/** A call takes a while to arrive. */
const MARGIN_MS = 30_000;
const PATIENCE_MS = 60_000;

export class Renewal {
  readonly #clock: Clock;
  readonly #refreshers: ReadonlyMap<string, OAuthRefresher>;
  readonly #turns = new OneAtATime();
  /** Given out by the provider, but not yet in the file: the old refresh token may be worthless already. */
  readonly #unsaved = new Map<string, RenewedTokens>();
  /** Access tokens that were refused before their time. */
  readonly #doubted = new Map<string, string>();

  constructor(clock: Clock, refreshers: readonly OAuthRefresher[]) {
    this.#clock = clock;
    this.#refreshers = new Map(refreshers.map((refresher) => [refresher.provider, refresher]));
  }

  canRenew(profile: StoredProfile): boolean {
    return profile.type === "oauth" && profile.refresh !== undefined && this.#refreshers.has(profile.provider);
  }

  /** The provider refused the token: renew it at the next use, unless it is another one by then. */
  doubt(agent: AgentProfiles, id: string): void {
    const profile = agent.find(id);
    if (profile?.secret && this.canRenew(profile)) this.#doubted.set(keyOf(agent, id), profile.secret.reveal());
  }

  /** The access token to use now. What is new is in the file before anybody uses it. Throws GatewayError. */
  currentToken(agent: AgentProfiles, id: string): Promise<Secret> {
    return this.#turns.run(keyOf(agent, id), async () => {
      const known = this.#freshToken(agent, id);
      if (known) return known;
      const name = createHash("sha256").update(id).digest("hex").slice(0, 12);
      const release = await waitForLock(`${agent.path}.refresh-${name}.lock`, this.#clock, PATIENCE_MS);
      if (!release) throw new GatewayError("MODEL_NETWORK", `another process is renewing the profile "${id}"`);
      try {
        return this.#freshToken(agent, id) ?? (await this.#renew(agent, id));
      } finally {
        release();
      }
    });
  }

  async #renew(agent: AgentProfiles, id: string): Promise<Secret> {
    const profile = agent.find(id);
    const refresher = profile && this.#refreshers.get(profile.provider);
    if (!refresher) throw new GatewayError("MODEL_AUTH", `the profile "${id}" is gone`);
    const key = keyOf(agent, id);
    const tokens = this.#unsaved.get(key) ?? (await refresher.refresh(profile));
    this.#unsaved.set(key, tokens);
    const { access, refresh } = tokens;
    const place = { agentId: agent.agentId, profileId: id, provider: profile.provider };
    const fields = await keepFields({ access, ...(refresh ? { refresh } : {}) }, place, agent.vault);
    await agent.edit((document) => {
      const rows = openPart(document, "profiles");
      const { expires, resourceUrl } = tokens;
      rows[id] = {
        ...(rows[id] as object | undefined),
        ...fields,
        expires,
        ...defined({ resourceUrl }),
      };
    });
    this.#unsaved.delete(key);
    this.#doubted.delete(key);
    // Read back, so that whoever keeps secrets out of the log knows this one before it is used.
    return agent.find(id)?.secret ?? tokens.access;
  }

  /** Another process may have renewed it meanwhile; the file tells. */
  #freshToken(agent: AgentProfiles, id: string): Secret | undefined {
    const { secret, expires = Infinity } = agent.find(id) ?? {};
    if (!secret || expires - MARGIN_MS <= this.#clock.now()) return undefined;
    return this.#doubted.get(keyOf(agent, id)) === secret.reveal() ? undefined : secret;
  }
}

function keyOf(agent: AgentProfiles, id: string): string {
  return `${agent.path}\n${id}`;
}
