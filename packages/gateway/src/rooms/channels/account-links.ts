// Links accounts that need a person for it: keeps what is under way, and tells each next step.
import { GatewayError, toGatewayError, type Clock, type LinkStep } from "@chela/sdk";
import type { AccountName, ChannelServices } from "./choose-account.ts";

/** A step somebody has to take. */
export type OpenStep = Exclude<LinkStep, { kind: "linked" }>;

export type LinkState =
  | { readonly kind: "linked" }
  | { readonly kind: "waiting"; readonly step?: OpenStep }
  /** It is over, and the account is not linked. */
  | { readonly kind: "ended"; readonly why: string };

interface Login {
  readonly abort: AbortController;
  readonly watchers: Set<() => void>;
  state: LinkState;
}

/** Nobody needs longer; a new attempt is one call away. */
const LOGIN_MS = 180_000;

export class AccountLinks {
  readonly #clock: Clock;
  readonly #logins = new Map<string, Login>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the first step, the end, or what there is after `timeoutMs`. One that is under way is gone on with. */
  async start(side: ChannelServices, name: AccountName, force: boolean, timeoutMs: number): Promise<LinkState> {
    const known = this.#logins.get(keyOf(name));
    if (known?.state.kind === "waiting" && !force) return this.#settled(known, timeoutMs);
    const connection = side.channels.connection({ channel: name.channel, account: name.accountId });
    if (connection && !force) return { kind: "linked" };
    known?.abort.abort();
    if (connection) await connection.logout?.();
    const login = await this.#begin(side, name);
    return this.#settled(login, timeoutMs);
  }

  /** Resolves when the account is linked, when that has ended, or when the step is another than `seen`. */
  async wait(name: AccountName, seen: string | undefined, timeoutMs: number): Promise<LinkState> {
    const login = this.#logins.get(keyOf(name));
    if (!login) return { kind: "ended", why: "Nobody is linking this account now." };
    const isNews = (): boolean =>
      login.state.kind !== "waiting" ||
      (seen !== undefined && login.state.step && wordOf(login.state.step) !== seen) === true;
    await this.#until(login, isNews, timeoutMs);
    return login.state;
  }

  async #begin(side: ChannelServices, name: AccountName): Promise<Login> {
    const { channel, accountId } = name;
    const { channel: code, account, host } = await side.channels.hostFor({ channel, account: accountId });
    if (!code.login)
      throw new GatewayError("CHANNEL_UNSUPPORTED", `${code.label} is not linked by a code or a picture`);
    const login: Login = { abort: new AbortController(), watchers: new Set(), state: { kind: "waiting" } };
    this.#logins.set(keyOf(name), login);
    const leave = side.onLinkStep(({ channel: ofChannel, account: ofAccount }, step) => {
      const isOurs = ofChannel === channel && ofAccount === accountId && login.state.kind === "waiting";
      if (isOurs && step.kind !== "linked") change(login, { kind: "waiting", step });
    });
    const cancel = this.#clock.after(LOGIN_MS, () => login.abort.abort());
    const link = async (): Promise<void> => code.login?.(account, host, login.abort.signal);
    void link()
      .then(
        () => {
          side.channels.reconnect({ channel, account: accountId });
          change(login, { kind: "linked" });
        },
        (error: unknown) => change(login, { kind: "ended", why: reasonOf(error, login.abort.signal) }),
      )
      .finally(() => {
        leave();
        cancel();
      });
    return login;
  }

  async #settled(login: Login, timeoutMs: number): Promise<LinkState> {
    await this.#until(login, () => login.state.kind !== "waiting" || login.state.step !== undefined, timeoutMs);
    return login.state;
  }

  #until(login: Login, isReady: () => boolean, timeoutMs: number): Promise<void> {
    if (isReady()) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        login.watchers.delete(look);
        resolve();
      };
      const look = (): void => void (isReady() && done());
      const cancel = this.#clock.after(timeoutMs, done);
      login.watchers.add(look);
    });
  }
}

/** What tells one step from another. */
export function wordOf(step: OpenStep): string {
  return step.kind === "qr" ? step.text : step.code;
}

function change(login: Login, state: LinkState): void {
  login.state = state;
  for (const look of login.watchers) look();
}

function reasonOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return "Nobody linked the account in time. Begin again.";
  return toGatewayError(error, "CHANNEL_OFFLINE").explain();
}

function keyOf({ channel, accountId }: AccountName): string {
  return `${channel}\n${accountId}`;
}
