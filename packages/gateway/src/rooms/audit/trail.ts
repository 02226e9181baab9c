// Writes what is no commit of its own into the audit trail, and keeps the anchor by which a cut end is noticed.
import { AsyncLocalStorage } from "node:async_hooks";
import { GatewayError, type Change, type Clock, type Ledger, type Logger } from "@chela/sdk";
import { auditChange, type NewAuditEvent } from "./events.ts";
import { credentialEvent, pairingEvent, type CredentialFacts, type PairingFacts } from "./door-events.ts";
import { createCredentialUses, type CredentialUses } from "./credential-uses.ts";
import { readHead, writeHead, type AuditHead, type AuditKey, type ReadHead } from "./head-file.ts";
import { createRefusedLogins, type RefusedLogins } from "./refused-logins.ts";
import { forgetOld } from "./retention.ts";
import type { AuditReport } from "./verify.ts";

export interface TrailParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly stateDir: string;
  /** By which the ledger makes the hashes of the trail; undefined for a trail without one. */
  readonly auditKey?: AuditKey | undefined;
  /** Something was written; told now and then. */
  changed(): void;
}

/** What is noted is committed together after this time. */
const WAIT_MS = 100;
/** The trail goes on in memory while nothing can be written; more than this is not kept. */
const MOST_WAITING = 10_000;
const AGAIN_MS = 5_000;
const ANCHOR_EVERY = 1_000;
const ANCHOR_AFTER_MS = 60_000;
/** From here on a keyed trail has an anchor, however its gateway ended. */
const SURELY_ANCHORED = 50;
const TELL_EVERY_MS = 2_000;

export class AuditTrail {
  readonly #parts: TrailParts;
  readonly refusedLogins: RefusedLogins;
  readonly credentials: CredentialUses;
  #waiting: Change[] = [];
  #cancelFlush: (() => void) | undefined;
  #cancelAnchor: (() => void) | undefined;
  #flushing: Promise<void> = Promise.resolve();
  /** Settles when what must be safe before anybody is told is safe; rejects when it could not be written. */
  #urgent: Promise<void> | undefined;
  #sinceAnchor = 0;
  #hasLooked = false;
  /** Whether this process has written the anchor: from its first event on there is one. */
  #hasAnchored = false;
  readonly #actors = new AsyncLocalStorage<string>();
  #isTelling = false;
  #hasNews = false;
  #isClosed = false;
  readonly #leave: () => void;

  constructor(parts: TrailParts) {
    this.#parts = parts;
    this.refusedLogins = createRefusedLogins(parts.clock, (event) => this.note(event));
    this.credentials = createCredentialUses(parts.clock, (event) => this.note(event));
    this.#leave = parts.ledger.onCommit(({ commits }) => this.#followed(commits));
  }

  /** For what happens without a commit, such as a login: it is in the ledger a moment later. */
  note(event: NewAuditEvent): void {
    this.#add(event);
    this.#flushIn(WAIT_MS);
  }

  /** For what must be in the ledger before somebody is told that it was done: `settled` waits for it. */
  noteAtOnce(event: NewAuditEvent): void {
    this.#add(event);
    const written = this.flush();
    const before = this.#urgent;
    const all = before ? Promise.all([before, written]).then(() => {}) : written;
    this.#urgent = all;
    // Whoever was told to wait for it waits by now.
    const clear = (): void => {
      if (this.#urgent === all) this.#urgent = undefined;
    };
    all.then(clear, clear);
  }

  /** What was done with a credential, as `noteAtOnce`. */
  noteCredential(facts: CredentialFacts): void {
    this.noteAtOnce(credentialEvent(facts));
  }

  /** Who was given a key or lost it, as `noteAtOnce`. */
  notePairing(facts: PairingFacts): void {
    this.noteAtOnce(pairingEvent(facts));
  }

  /** Whether there is anything `settled` would wait for. */
  get isUnsettled(): boolean {
    return this.#urgent !== undefined;
  }

  /** Resolves when everything of `noteAtOnce` is in the ledger. Throws AUDIT_WRITE when it could not be written. */
  async settled(): Promise<void> {
    if (!this.#urgent) return;
    try {
      await this.#urgent;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new GatewayError("AUDIT_WRITE", detail, { cause: error });
    }
  }

  /** What `work` does, at once and later, is done by this one. */
  inNameOf<T>(actor: string, work: () => T): T {
    return this.#actors.run(actor, work);
  }

  /** Who does what is being done right now, where that is known. */
  get actor(): string | undefined {
    return this.#actors.getStore();
  }

  /** Checks the whole chain; takes a moment for each ten thousand events. */
  async verify(): Promise<AuditReport> {
    await this.flush().catch(() => {});
    const { verifyTrail } = await import("./verify.ts");
    const { ledger, stateDir } = this.#parts;
    const key = this.#parts.auditKey?.key;
    return verifyTrail(ledger, readHead(stateDir, key), { key, known: await ledger.auditHead() });
  }

  /** Lets go of what is older than this. Returns how many events went. */
  async forgetBefore(time: number): Promise<number> {
    await this.flush();
    return forgetOld(this.#parts.ledger, time, this.#parts.clock.now());
  }

  flush(): Promise<void> {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const writing = this.#flushing.catch(() => {}).then(() => this.#write());
    this.#flushing = writing;
    // Whoever waits for it meets the failure; nobody has to.
    writing.catch(() => {});
    return writing;
  }

  /** Writes what is left, and the anchor. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.refusedLogins.flush();
    this.credentials.flush();
    await this.flush().catch(() => {});
    this.#isClosed = true;
    this.#cancelFlush?.();
    this.#cancelAnchor?.();
    this.#leave();
    if (this.#sinceAnchor > 0) await this.#anchor();
  }

  #add(event: NewAuditEvent): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#parts.log.error("an event is missing in the audit trail: too many wait to be written", { ...event });
      return;
    }
    this.#waiting.push(auditChange(event, this.#parts.clock.now()));
  }

  #flushIn(ms: number): void {
    if (this.#isClosed) return;
    this.#cancelFlush ??= this.#parts.clock.after(ms, () => void this.flush().catch(() => {}));
  }

  async #write(): Promise<void> {
    const changes = this.#waiting;
    this.#waiting = [];
    if (changes.length === 0) return;
    try {
      await this.#parts.ledger.commit(changes);
    } catch (error) {
      this.#waiting = [...changes, ...this.#waiting];
      const waiting = this.#waiting.length;
      this.#parts.log.error("the audit trail could not be written; it is tried again", {
        waiting,
        error: String(error),
      });
      this.#flushIn(AGAIN_MS);
      throw error;
    }
  }

  #followed(commits: ReadonlyArray<readonly Change[]>): void {
    let added = 0;
    for (const changes of commits) for (const { kind } of changes) if (kind === "audit-add") added += 1;
    if (added === 0) return;
    this.#sinceAnchor += added;
    if (this.#sinceAnchor >= ANCHOR_EVERY || !this.#hasAnchored) this.#anchorIn(0);
    else if (!this.#cancelAnchor) this.#anchorIn(ANCHOR_AFTER_MS);
    this.#hasNews = true;
    if (!this.#isTelling) this.#tell();
  }

  #tell(): void {
    this.#isTelling = this.#hasNews && !this.#isClosed;
    if (!this.#isTelling) return;
    this.#hasNews = false;
    this.#parts.changed();
    this.#parts.clock.after(TELL_EVERY_MS, () => this.#tell());
  }

  #anchorIn(ms: number): void {
    this.#cancelAnchor?.();
    this.#cancelAnchor = this.#parts.clock.after(ms, () => {
      this.#cancelAnchor = undefined;
      void this.#anchor();
    });
  }

  /** Never rejects. */
  async #anchor(): Promise<void> {
    const { ledger, stateDir, log } = this.#parts;
    const key = this.#parts.auditKey?.key;
    try {
      const [last] = await ledger.audit({ limit: 1 });
      const known = await ledger.auditHead();
      if (known && known.hash !== last?.hash) {
        // The next event tells of it in the trail itself; until then the anchor stays where it is.
        log.error("the audit trail was changed from outside: its last event is not the one that was written", {
          seq: known.seq,
        });
        return;
      }
      if (!last) return;
      this.#sinceAnchor = 0;
      this.#hasAnchored = true;
      const broken = await this.#lostAnchor(last);
      if (broken) await ledger.commit([auditChange(broken, this.#parts.clock.now())]);
      const [head = last] = broken ? await ledger.audit({ limit: 1 }) : [last];
      const before = readHead(stateDir, key);
      const since = before.kind === "head" && before.isSealed ? before.head.keyedFrom : undefined;
      writeHead(stateDir, { seq: head.seq, hash: head.hash, ...(key ? { keyedFrom: since ?? head.seq } : {}) }, key);
    } catch (error) {
      log.error("the anchor of the audit trail could not be written", { error: String(error) });
    }
  }

  /** An anchor that is not in the trail any more tells of a cut; before it is moved, the trail itself has to tell. */
  async #lostAnchor(last: AuditHead): Promise<NewAuditEvent | undefined> {
    const { ledger, stateDir, log, auditKey } = this.#parts;
    const read = readHead(stateDir, auditKey?.key);
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      const why = auditKey && !auditKey.isNew ? whyNotOurs(read, last) : undefined;
      if (why !== undefined) {
        log.error("the anchor of the audit trail is not the one the gateway wrote", { why });
        return { action: "audit", actor: "gateway", target: "head", outcome: "failed", detail: { expected: {}, why } };
      }
    }
    if (read.kind !== "head") return undefined;
    const { seq, hash } = read.head;
    const base = await ledger.auditBase();
    if (seq < base.seq) return undefined;
    const [row] = seq === base.seq ? [base] : await ledger.audit({ afterSeq: seq - 1, beforeSeq: seq + 1, limit: 1 });
    if (row?.hash === hash) return undefined;
    log.error("the audit trail was changed from outside: an event it held is not there any more", { seq });
    return lostAnchorEvent(read.head, row);
  }
}

/** An anchor that a gateway with this key would not have left. */
function whyNotOurs(read: ReadHead, last: AuditHead): string | undefined {
  if (read.kind === "unreadable") return `audit.head could not be read: ${read.why}`;
  if (read.kind === "head") return read.isSealed ? undefined : "audit.head had no seal";
  // A gateway that was killed with its very first events has left none.
  return last.seq >= SURELY_ANCHORED ? "audit.head was missing" : undefined;
}

function lostAnchorEvent(expected: AuditHead, found: AuditHead | undefined): NewAuditEvent {
  const detail = { expected: { seq: expected.seq, hash: expected.hash }, found: found?.hash ?? null };
  return { action: "audit", actor: "gateway", target: "head", outcome: "failed", detail };
}
