// Pairing of strangers: a code for whoever writes, and the person who runs the gateway approves it.
import { join } from "node:path";
import { GatewayError, type Clock, type Ids } from "@chela/sdk";
import { Alone } from "./alone.ts";
import { AllowStore, type AllowParts, type Approved } from "./allow-store.ts";
import { canonicalAccount } from "./file-names.ts";
import { Guesses, isSameCode, makeCode } from "./pairing-code.ts";
import { accountOf, isExpired, PendingRequests, type StoredRequest } from "./pending-requests.ts";

export interface PairingParts extends AllowParts {
  readonly ids: Ids;
  /** Somebody waits now who did not, or the other way round. */
  changed?(): void;
}

export interface PendingPairing {
  readonly channel: string;
  readonly account: string;
  readonly id: string;
  readonly code: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  /** What the sender says about themselves: for showing. */
  readonly meta: Readonly<Record<string, string>>;
}

export type PairingRequested =
  | { readonly kind: "new"; readonly code: string }
  /** Was told the code before. */
  | { readonly kind: "known"; readonly code: string };

export type NoSuchCode =
  | { readonly kind: "unknown" }
  | { readonly kind: "expired" }
  /** Too many wrong codes in a short time. */
  | { readonly kind: "too-many"; readonly retryAfterMs: number };

export type PairingApproved =
  | { readonly kind: "approved"; readonly id: string; readonly account: string; readonly isOwner: boolean }
  | NoSuchCode;

export type PairingRejected = { readonly kind: "rejected"; readonly id: string; readonly account: string } | NoSuchCode;

export interface ApproveOptions {
  readonly account?: string;
  /** "if-first": when nobody was ever approved here. Ask for that only if no owner is configured. Absent: no. */
  readonly owner?: "yes" | "if-first";
}

/** On each account of a channel. One more, and whoever has not written for the longest time has to ask again. */
const MAX_WAITING = 20;
/** A stranger who writes without a pause must not keep the disk busy. */
const NOTE_SEEN_EVERY_MS = 10_000;
const MAX_FACTS = 10;
const MAX_FACT_LENGTH = 200;

export class PairingStore {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #pending: PendingRequests;
  readonly #allowed: AllowStore;
  readonly #alone: Alone;
  readonly #guesses: Guesses;
  readonly #changed: () => void;

  constructor(parts: PairingParts) {
    this.#changed = () => parts.changed?.();
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#pending = new PendingRequests(parts);
    this.#allowed = new AllowStore(parts);
    this.#alone = new Alone(join(parts.directory, "pairing.lock"), parts.lock);
    this.#guesses = new Guesses(parts.clock);
  }

  /** Somebody unknown wrote. They keep their code as long as it is good. */
  async request(
    channel: string,
    account: string,
    id: string,
    meta: Readonly<Record<string, string | undefined>> = {},
  ): Promise<PairingRequested> {
    if (id.trim() === "" || id === "*")
      throw new GatewayError("ACCESS_STORE", "somebody without an id asks for access");
    const known = this.#find(channel, account, id);
    if (known && !this.#isStale(known)) return { kind: "known", code: known.code };
    return this.#alone.run(() => this.#note(channel, canonicalAccount(account), id, meta));
  }

  /** Who waits, oldest first. */
  list(channel?: string): PendingPairing[] {
    const found =
      channel === undefined
        ? this.#pending.everywhere()
        : this.#pending.live(channel).map((request) => ({ channel, request }));
    return found
      .map(({ channel: of, request }) => {
        const { id, code, createdAt, lastSeenAt, meta = {} } = request;
        return { channel: of, account: accountOf(request), id, code, createdAt, lastSeenAt, meta };
      })
      .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
  }

  /** Lets the sender in before the request is dropped: whatever happens between, approving again does no harm. */
  approve(channel: string, code: string, { account, owner }: ApproveOptions = {}): Promise<PairingApproved> {
    return this.#withCode(channel, code, account, (request) => {
      const of = accountOf(request);
      const isOwner = this.#allowed.approved(channel, of).owners.has(request.id) || this.#becomesOwner(owner);
      this.#allowed.add(channel, of, request.id, isOwner);
      this.#drop(channel, request);
      return { kind: "approved", id: request.id, account: of, isOwner };
    });
  }

  /** Forgets the request. The sender may ask again. */
  reject(channel: string, code: string, account?: string): Promise<PairingRejected> {
    return this.#withCode(channel, code, account, (request) => {
      this.#drop(channel, request);
      return { kind: "rejected", id: request.id, account: accountOf(request) };
    });
  }

  /** Ids as they were approved; they hold for direct chats with this account. The same sets until the file changes. */
  approved(channel: string, account: string): Approved {
    return this.#allowed.approved(channel, account);
  }

  owners(channel: string, account: string): ReadonlySet<string> {
    return this.approved(channel, account).owners;
  }

  /** Whether nobody was ever approved, on whatever channel. */
  get isEmpty(): boolean {
    return !this.#allowed.hasAnybody();
  }

  /** Takes an approval back; false when there was none. */
  remove(channel: string, account: string, id: string): Promise<boolean> {
    return this.#alone.run(() => this.#allowed.remove(channel, account, id));
  }

  #find(channel: string, account: string, id: string): StoredRequest | undefined {
    const of = canonicalAccount(account);
    return this.#pending.live(channel).find((request) => request.id === id && accountOf(request) === of);
  }

  #isStale({ lastSeenAt }: StoredRequest): boolean {
    return !(Math.abs(this.#clock.now() - Date.parse(lastSeenAt)) < NOTE_SEEN_EVERY_MS);
  }

  #note(
    channel: string,
    account: string,
    id: string,
    meta: Readonly<Record<string, string | undefined>>,
  ): PairingRequested {
    const live = this.#pending.live(channel);
    const now = new Date(this.#clock.now()).toISOString();
    const known = this.#find(channel, account, id);
    if (known) {
      const seen = { ...known, lastSeenAt: now };
      this.#pending.replace(
        channel,
        live.map((request) => (isSame(request, known) ? seen : request)),
      );
      return { kind: "known", code: known.code };
    }
    const code = this.#newCode(live);
    const facts = { ...tidy(meta), accountId: account };
    const kept = withRoomFor(account, live);
    this.#pending.replace(channel, [...kept, { id, code, createdAt: now, lastSeenAt: now, meta: facts }]);
    this.#changed();
    return { kind: "new", code };
  }

  #newCode(live: readonly StoredRequest[]): string {
    for (;;) {
      const code = makeCode(this.#ids);
      if (!live.some((request) => isSameCode(code, request.code))) return code;
    }
  }

  async #withCode<T>(
    channel: string,
    code: string,
    account: string | undefined,
    work: (request: StoredRequest) => T,
  ): Promise<T | NoSuchCode> {
    const retryAfterMs = this.#guesses.take();
    if (retryAfterMs > 0) return { kind: "too-many", retryAfterMs };
    return this.#alone.run(() => {
      const found = this.#withSameCode(channel, code, account);
      if (found.length === 0) return { kind: "unknown" };
      this.#guesses.giveBack();
      const request = found.find((one) => !isExpired(one, this.#clock));
      return request ? work(request) : { kind: "expired" };
    });
  }

  /** Every code is compared, so that the time it takes says nothing. */
  #withSameCode(channel: string, code: string, account: string | undefined): StoredRequest[] {
    const same = this.#pending.all(channel).filter((request) => isSameCode(code, request.code));
    return same.filter((request) => account === undefined || accountOf(request) === canonicalAccount(account));
  }

  #becomesOwner(owner: ApproveOptions["owner"]): boolean {
    return owner === "yes" || (owner === "if-first" && !this.#allowed.hasAnybody());
  }

  #drop(channel: string, request: StoredRequest): void {
    this.#pending.replace(
      channel,
      this.#pending.live(channel).filter((other) => !isSame(other, request)),
    );
    this.#changed();
  }
}

/** The newcomer always fits: strangers who fill the list must not keep a friend out. */
function withRoomFor(account: string, live: readonly StoredRequest[]): readonly StoredRequest[] {
  const theirs = live.filter((request) => accountOf(request) === account);
  const quietest = theirs.toSorted((one, other) => Date.parse(one.lastSeenAt) - Date.parse(other.lastSeenAt));
  const gone = new Set(quietest.slice(0, Math.max(0, theirs.length - MAX_WAITING + 1)));
  return live.filter((request) => !gone.has(request));
}

function isSame(one: StoredRequest, other: StoredRequest): boolean {
  return one.id === other.id && accountOf(one) === accountOf(other);
}

/** Strangers write this, and it is shown in terminals: short, and without signs that control them. */
function tidy(meta: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const facts = Object.entries(meta).flatMap(([name, value]) =>
    typeof value === "string"
      ? [[name, value.replace(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, MAX_FACT_LENGTH)] as const]
      : [],
  );
  return Object.fromEntries(facts.slice(0, MAX_FACTS));
}
