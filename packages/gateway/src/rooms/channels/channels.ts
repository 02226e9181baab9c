// All channels of this gateway: which accounts run, their connections, and what operators see of them.
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  Secret,
  GatewayError,
  toGatewayError,
  type AccountAbout,
  type Address,
  type Channel,
  type ChannelConnection,
  type ChannelEvent,
  type ChannelHost,
  type Configured,
  type LinkStep,
  type Logger,
  type Received,
} from "@chela/sdk";
import type { House } from "../../house/house.ts";
import { AccountRunner, type AccountStatus } from "./account-runner.ts";
import {
  accountSettings,
  accountsOf,
  configuredChannels,
  defaultAccountOf,
  type AccountSettings,
  type ChannelsView,
} from "./accounts.ts";
import { allChannels, type ChannelEntry } from "./index.ts";

/** What of the house channels live on. */
export type ChannelsHouse = Pick<House, "clock" | "ids"> & {
  /** Channels beside those of the table, by id. */
  readonly extraChannels?: Readonly<Record<string, Channel>>;
  readonly log: Logger & Pick<House["log"], "redact">;
  readonly config: Pick<House["config"], "effectiveEnv"> & { current(): ChannelsView };
  readonly ledger: Pick<House["ledger"], "value" | "commit">;
  readonly mounts: Pick<House["mounts"], "serve">;
  readonly paths: Pick<House["paths"], "stateDir">;
};

/** What others do with what channels bring. */
export interface ChannelsParts {
  random(): number;
  receive(address: Address, event: ChannelEvent): Promise<Received>;
  connected(address: Address, connection: ChannelConnection): void;
  /** The status of an account is another one now. */
  changed(): void;
  link(address: Address, step: LinkStep): void;
  /** For one account: what is configured for it may lie in a private network. */
  fetchFor(settings: () => unknown): ChannelHost["fetch"];
}

/** What is known of an account before it runs. */
interface Prepared {
  readonly settings: AccountSettings;
  readonly code?: Channel;
  readonly account?: unknown;
  readonly about?: AccountAbout | undefined;
  /** Why it cannot run. */
  readonly why?: string;
  /** Changes exactly when the connection has to be made anew. */
  readonly print: string;
}

interface Account {
  settings: AccountSettings;
  about?: AccountAbout | undefined;
  readonly status: () => AccountStatus;
  readonly runner?: AccountRunner;
  readonly print: string;
}

export class Channels {
  readonly #house: ChannelsHouse;
  readonly #parts: ChannelsParts;
  readonly #loaded = new Map<string, Promise<Channel>>();
  readonly #traits = new Map<string, Channel["traits"]>();
  /** By channel, then by account. */
  readonly #accounts = new Map<string, Map<string, Account>>();
  #changing: Promise<void> = Promise.resolve();

  constructor(house: ChannelsHouse, parts: ChannelsParts) {
    this.#house = house;
    this.#parts = parts;
  }

  /** Starts, stops and restarts accounts until they are what the configuration says. Others are left alone. */
  apply(): Promise<void> {
    const applied = this.#changing.then(() => this.#apply());
    // One that failed does not keep the next from being applied.
    this.#changing = applied.catch(() => {});
    return applied;
  }

  async stop(): Promise<void> {
    await this.#changing;
    const accounts = [...this.#accounts.values()].flatMap((channel) => [...channel.values()]);
    await Promise.all(accounts.map(({ runner }) => runner?.stop()));
  }

  /** The channel's own code. Throws CHANNEL_UNKNOWN, CHANNEL_PACKAGE. */
  channel(id: string): Promise<Channel> {
    const known = this.#loaded.get(id);
    if (known) return known;
    const { extraChannels: others = {} } = this.#house;
    const extra = Object.hasOwn(others, id) ? others[id] : undefined;
    const found = extra ? Promise.resolve(extra) : entryOf(id).load();
    const loading = found.then((channel) => (this.#traits.set(id, channel.traits), channel));
    this.#loaded.set(id, loading);
    // A package that is missing now may be there later.
    loading.catch(() => this.#loaded.delete(id));
    return loading;
  }

  /** Of a channel that is loaded. */
  traits(id: string): Channel["traits"] | undefined {
    return this.#traits.get(id);
  }

  connection({ channel, account }: Address): ChannelConnection | undefined {
    return this.#accounts.get(channel)?.get(account)?.runner?.connection;
  }

  /** Like `connection`, but says why there is none. */
  requireConnection(address: Address): ChannelConnection {
    const connection = this.connection(address);
    if (connection) return connection;
    const { channel, account } = address;
    const found = this.#accounts.get(channel)?.get(account);
    if (!found) throw new GatewayError("CHANNEL_UNKNOWN", `${channel} has no account "${account}"`);
    const { lastError } = found.status();
    throw new GatewayError("CHANNEL_OFFLINE", `${channel} (${account})${lastError ? `: ${lastError}` : ""}`);
  }

  get ids(): string[] {
    return [...this.#accounts.keys()];
  }

  accountIds(channel: string): string[] {
    return [...(this.#accounts.get(channel)?.keys() ?? [])];
  }

  defaultAccount(channel: string): string {
    return defaultAccountOf(this.#house.config.current(), channel);
  }

  settings({ channel, account }: Address): AccountSettings["settings"] | undefined {
    return this.#accounts.get(channel)?.get(account)?.settings.settings;
  }

  status(channel: string): AccountStatus[] {
    return [...(this.#accounts.get(channel)?.values() ?? [])].map(({ status, about }) => ({ ...status(), ...about }));
  }

  /** Connects anew, after somebody logged in or out. */
  reconnect({ channel, account }: Address): void {
    const found = this.#accounts.get(channel)?.get(account);
    if (!found) return;
    if (found.status().running) found.runner?.reconnect();
    else found.runner?.start();
  }

  noteOutbound({ channel, account }: Address): void {
    this.#accounts.get(channel)?.get(account)?.runner?.note("outbound");
  }

  /** What the channel would say to an account's settings. Nothing is kept. */
  async examine({ channel, account }: Address, settings: AccountSettings["settings"]): Promise<Configured<unknown>> {
    return (await this.channel(channel)).configure(settings, (name) => this.#envFor(account, name));
  }

  /** What a channel is given to act for this account outside a connection, such as to link it. */
  async hostFor({ channel, account }: Address): Promise<{ channel: Channel; account: unknown; host: ChannelHost }> {
    const code = await this.channel(channel);
    const settings = accountsOf(this.#house.config.current(), channel).find((one) => one.account === account)?.settings;
    const configured = code.configure(settings ?? {}, (name) => this.#envFor(account, name));
    if (configured.kind === "incomplete") throw new GatewayError("CHANNEL_SETTINGS", `${channel}: ${configured.why}`);
    const host = { ...this.#host({ channel, account }), alive: () => {}, report: () => {} };
    return { channel: code, account: configured.account, host };
  }

  async #apply(): Promise<void> {
    const config = this.#house.config.current();
    const wanted = new Map(configuredChannels(config).map((id) => [id, accountsOf(config, id)]));
    for (const id of this.#accounts.keys()) if (!wanted.has(id)) wanted.set(id, []);
    await Promise.all([...wanted].map(([id, accounts]) => this.#applyChannel(id, accounts)));
  }

  async #applyChannel(id: string, accounts: readonly AccountSettings[]): Promise<void> {
    const now = this.#accounts.get(id) ?? new Map<string, Account>();
    const wanted = await Promise.all(accounts.map((one) => this.#prepare(one)));
    const kept = new Set(wanted.map(({ settings }) => settings.account));
    for (const [account, { runner }] of now) {
      if (kept.has(account)) continue;
      await runner?.stop();
      now.delete(account);
    }
    if (wanted.length === 0) return void this.#accounts.delete(id);
    this.#accounts.set(id, now);
    await Promise.all(wanted.map((one) => this.#applyAccount(one, now)));
  }

  /** An account is never without settings: what is heard while it connects anew is judged by the new ones. */
  async #applyAccount(wanted: Prepared, now: Map<string, Account>): Promise<void> {
    const { account } = wanted.settings;
    const running = now.get(account);
    // Who may write is asked anew with every message: such a change needs no new connection.
    if (running) Object.assign(running, { settings: wanted.settings, about: wanted.about });
    if (running?.print === wanted.print) return;
    await running?.runner?.stop();
    now.set(account, this.#begin(wanted));
  }

  async #prepare(settings: AccountSettings): Promise<Prepared> {
    const { channel, account, isEnabled } = settings;
    if (!isEnabled) return { settings, print: "off" };
    try {
      const code = await this.channel(channel);
      const configured = code.configure(settings.settings, (name) => this.#envFor(account, name));
      if (configured.kind === "incomplete") return { settings, why: configured.why, print: configured.why };
      const { account: found, about } = configured;
      return { settings, code, account: found, about, print: printOf(found) };
    } catch (thrown) {
      const why = toGatewayError(thrown, "CHANNEL_SETTINGS").explain();
      return { settings, why, print: why };
    }
  }

  #begin({ settings, code, account, about, why, print }: Prepared): Account {
    const { channel, account: accountId, isEnabled } = settings;
    const log = this.#house.log.child({ channel, account: accountId });
    if (!code) {
      if (why) log.warn("the account cannot be used", { why });
      const state = { enabled: isEnabled, configured: why === undefined, ...(why ? { lastError: why } : {}) };
      return { settings, print, status: () => ({ ...NOT_RUNNING, accountId, ...state }) };
    }
    const address = { channel, account: accountId };
    const runner = new AccountRunner({
      channel: code,
      account,
      accountId,
      clock: this.#house.clock,
      log,
      random: () => this.#parts.random(),
      host: () => this.#host(address, () => runner.note("inbound")),
      connected: (connection) => this.#parts.connected(address, connection),
      changed: () => this.#parts.changed(),
      redact: (text) => this.#house.log.redact(text),
    });
    runner.start();
    return { settings, about, print, runner, status: () => runner.status };
  }

  /** What is kept in the environment belongs to the default account. */
  #envFor(account: string, name: string): string | undefined {
    return account === "default" ? this.#house.config.effectiveEnv()[name] : undefined;
  }

  #host(address: Address, heard: () => void = () => {}): Omit<ChannelHost, "alive" | "report"> {
    const { channel, account } = address;
    const { clock, ids, log, ledger, mounts, paths } = this.#house;
    const directory = join(paths.stateDir, "credentials", safeName(channel), safeName(account));
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const valueKey = (name: string) => `channel:${channel}:${account}:${name}`;
    return {
      account,
      clock,
      ids,
      log: log.child({ channel, account }),
      directory,
      receive: (event) => (heard(), this.#parts.receive(address, event)),
      link: (step) => this.#parts.link(address, step),
      recall: (name) => ledger.value(valueKey(name)),
      remember: (name, value) => ledger.commit([{ kind: "value-put", key: valueKey(name), value }]),
      serve: (path, receiver) => mounts.serve(path, receiver),
      fetch: this.#parts.fetchFor(() => accountSettings(this.#house.config.current(), channel, account)),
    };
  }
}

const NOT_RUNNING: Omit<AccountStatus, "accountId"> = {
  enabled: true,
  configured: false,
  linked: false,
  running: false,
  connected: false,
  reconnectAttempts: 0,
};

export function entryOf(id: string): ChannelEntry {
  const known = allChannels();
  const found = known.find((entry) => entry.id === id);
  if (found) return found;
  throw new GatewayError("CHANNEL_UNKNOWN", `"${id}" (known: ${known.map((entry) => entry.id).join(", ")})`);
}

/** Secrets do not show when they are written down, but a new token needs a new connection. */
function printOf(account: unknown): string {
  const open = function (this: Record<string, unknown>, key: string, value: unknown): unknown {
    const raw = this[key];
    return raw instanceof Secret ? raw.reveal() : value;
  };
  return createHash("sha256").update(JSON.stringify(account, open)).digest("hex");
}

/** Accounts are named by people; a name must not lead out of its directory. */
function safeName(name: string): string {
  const safe = name.toLowerCase().replace(/[^a-z0-9_.@+-]/g, "_");
  return /^\.+$/.test(safe) || safe === "" ? "_" : safe;
}
