// Checks the chain of the audit trail: every event against the one before it, its beginning, its end, and its anchor.
import { defined } from "@chela/sdk/base";
import { AUDIT_ORIGIN, auditText, type AuditBase, type AuditRecord, type Ledger } from "@chela/sdk";
import { hashOf } from "../../base/files/key-file.ts";
import type { ReadHead } from "./head-file.ts";
import { FORGOTTEN } from "./retention.ts";

/** Where the trail is read from. */
export type AuditSource = Pick<Ledger, "audit" | "auditBase">;

export interface AuditProblem {
  readonly kind: "changed" | "moved" | "missing" | "lost" | "added" | "base" | "cut" | "anchor";
  /** The event it is about; the first one of several. */
  readonly seq: number;
  /** The last one of several. */
  readonly to?: number;
  readonly says: string;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly checked: number;
  /** The numbers of the first and the last event; 0 when there is none. */
  readonly from: number;
  readonly to: number;
  /** The hash of the last event: whoever keeps it elsewhere can prove later that nothing before it was changed. */
  readonly head: string;
  readonly problems: readonly AuditProblem[];
}

const PAGE = 500;
const MOST_PROBLEMS = 100;
/** So many events are not written without an anchor. */
const ANCHORED_FROM = 1_000;
const MOST_ROUNDS = 3;

/** What is known besides the trail and its anchor. */
export interface AuditKnowledge {
  /** By which hashes are made since there is one. */
  readonly key?: Buffer | undefined;
  /** The event this process wrote last. */
  readonly known?: AuditBase | undefined;
}

export async function verifyTrail(
  source: AuditSource,
  anchor: ReadHead,
  knowledge: AuditKnowledge = {},
): Promise<AuditReport> {
  for (let round = 1; ; round++) {
    const base = await source.auditBase();
    const report = await new Check(source, base, knowledge).run(anchor);
    // Old events may have been let go meanwhile: that is no fault of those that were looked for.
    if (report.ok || round >= MOST_ROUNDS || (await source.auditBase()).seq === base.seq) return report;
  }
}

/** An event that does not follow from the one before it. */
interface Misfit {
  readonly row: AuditRecord;
  readonly before: AuditBase;
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** One walk along the chain. */
class Check {
  readonly #source: AuditSource;
  readonly #base: AuditBase;
  readonly #misfits: Misfit[] = [];
  readonly #gaps: Gap[] = [];
  readonly #problems: AuditProblem[] = [];
  /** About the trail itself. */
  readonly #notes: AuditRecord[] = [];
  #last: AuditBase;
  #first = 0;
  #checked = 0;
  #anchored: string | undefined;
  /** The first event whose hash was made with the key: none after it may be without. */
  #keyedFrom: number | undefined;
  readonly #knowledge: AuditKnowledge;

  constructor(source: AuditSource, base: AuditBase, knowledge: AuditKnowledge) {
    this.#source = source;
    this.#base = base;
    this.#knowledge = knowledge;
    this.#last = base;
  }

  async run(anchor: ReadHead): Promise<AuditReport> {
    await this.#findAdded();
    for (;;) {
      const rows = await this.#source.audit({ afterSeq: this.#last.seq, order: "oldest", limit: PAGE });
      for (const row of rows) this.#look(row, anchor);
      if (rows.length < PAGE) break;
      // Others have work to do, too.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const keyedFrom = anchor.kind === "head" ? anchor.head.keyedFrom : undefined;
    if (keyedFrom !== undefined && !this.#knowledge.key) this.#tellKeyMissing(keyedFrom);
    else this.#tellMisfits();
    this.#tellGaps();
    this.#checkBase();
    this.#checkAnchor(anchor);
    this.#checkKnown();
    const problems = this.#problems.toSorted((one, other) => one.seq - other.seq).slice(0, MOST_PROBLEMS);
    const to = this.#checked > 0 ? this.#last.seq : 0;
    return {
      ok: problems.length === 0,
      checked: this.#checked,
      from: this.#first,
      to,
      head: this.#last.hash,
      problems,
    };
  }

  /** What stands before the beginning was let go long ago, so somebody put it there. */
  async #findAdded(): Promise<void> {
    const rows = await this.#source.audit({ beforeSeq: this.#base.seq + 1, order: "oldest", limit: MOST_PROBLEMS });
    for (const { seq } of rows)
      this.#tell("added", seq, `Event ${seq} stands before the beginning of the trail (${this.#base.seq + 1}).`);
  }

  #look(row: AuditRecord, anchor: ReadHead): void {
    const before = this.#last;
    this.#checked += 1;
    this.#first ||= row.seq;
    if (row.seq !== before.seq + 1) this.#gaps.push({ from: before.seq + 1, to: row.seq - 1 });
    else if (!this.#follows(row, before, anchor)) this.#misfits.push({ row, before });
    if (row.action === "audit") this.#notes.push(row);
    if (anchor.kind === "head" && anchor.head.seq === row.seq) this.#anchored = row.hash;
    this.#last = row;
  }

  /** With the key; without it only such events as were written before there was one. */
  #follows(row: AuditRecord, before: AuditBase, anchor: ReadHead): boolean {
    const { key } = this.#knowledge;
    if (key && linkOf(row, before, row.seq, key) === row.hash) {
      this.#keyedFrom ??= row.seq;
      return true;
    }
    const since = this.#keyedFrom ?? (anchor.kind === "head" ? anchor.head.keyedFrom : undefined);
    return (since === undefined || row.seq < since) && linkOf(row, before, row.seq) === row.hash;
  }

  #tellKeyMissing(from: number): void {
    this.#misfits.length = 0;
    this.#tell(
      "anchor",
      from,
      `The file identity/audit.key is missing, so whether events from ${from} on were changed cannot be told.`,
    );
  }

  /** What this very process wrote last has to be there still. */
  #checkKnown(): void {
    const { known } = this.#knowledge;
    const last = this.#last;
    if (!known || (known.seq === last.seq && known.hash === last.hash) || known.seq < last.seq) return;
    const which = `The end was cut off or replaced while the gateway ran: it wrote event ${known.seq}`;
    this.#tell("cut", Math.min(last.seq + 1, known.seq), `${which}, and the trail ends with ${last.seq}.`, known.seq);
  }

  #tellMisfits(): void {
    const told = new Set<number>();
    const few = this.#misfits.slice(0, MOST_PROBLEMS);
    for (const { now, was } of movedPairs(few, this.#knowledge.key)) {
      told.add(was).add(now);
      this.#tell("moved", was, `Event ${was} is out of its place: it stands as event ${now} now.`);
    }
    for (const run of runsOf(few)) {
      const [{ row: first } = { row: undefined }] = run;
      const last = run.at(-1)?.row;
      if (!first || !last || run.some(({ row }) => told.has(row.seq))) continue;
      if (first === last) {
        const before = first.seq > this.#base.seq + 1 ? `, or event ${first.seq - 1} was replaced` : "";
        this.#tell(
          "changed",
          first.seq,
          `Event ${first.seq} does not follow from the one before it: it was changed${before}.`,
        );
      } else {
        const which = `Events ${first.seq} to ${last.seq} do not follow from each other`;
        this.#tell("changed", first.seq, `${which}: event ${first.seq} was changed or replaced.`, last.seq);
      }
    }
  }

  #tellGaps(): void {
    for (const { from, to } of this.#gaps) {
      const rebuilt = this.#notes.find(({ target, seq }) => target === "ledger" && seq > to);
      const which = from === to ? `Event ${from} is` : `Events ${from} to ${to} are`;
      const why = rebuilt ? `; the ledger was damaged and rebuilt at ${timeOf(rebuilt)}, which may be why` : "";
      this.#tell(rebuilt ? "lost" : "missing", from, `${which} missing${why}.`, to === from ? undefined : to);
    }
  }

  /** Where old events were let go, the trail itself says up to which one. */
  #checkBase(): void {
    const { seq, hash: link } = this.#base;
    const said = this.#notes.findLast(({ target }) => target === FORGOTTEN)?.detail;
    const expected = said ? { seq: Number(said["seq"]), hash: String(said["hash"]) } : { seq: 0, hash: AUDIT_ORIGIN };
    if (expected.seq === seq && expected.hash === link) return;
    const begins = `The trail begins behind event ${seq}`;
    const shouldBegin = `it should begin behind event ${expected.seq}`;
    const why = expected.seq === seq ? "with a hash that is not the one of that event" : shouldBegin;
    this.#tell("base", seq + 1, `${begins}, ${why}: its first events were taken away or replaced.`);
  }

  #checkAnchor(anchor: ReadHead): void {
    for (const { seq, at, detail } of this.#notes.filter(({ target }) => target === "head")) {
      const expected = (detail?.["expected"] ?? {}) as { seq?: number };
      const when = `When the gateway looked at ${timeOf({ at })}`;
      const what =
        expected.seq === undefined
          ? `the end could not be trusted: ${String(detail?.["why"] ?? "its anchor was not there")}`
          : `event ${expected.seq} had been taken away or replaced with what followed it`;
      this.#tell("cut", seq, `${when}, ${what}.`);
    }
    const last = this.#last.seq;
    if (anchor.kind === "unreadable") this.#tell("anchor", last, `The file audit.head cannot be read: ${anchor.why}.`);
    const isKeyed = this.#keyedFrom !== undefined;
    if (anchor.kind === "head" && isKeyed && !anchor.isSealed)
      this.#tell("anchor", last, "The file audit.head was not written by the gateway: it does not have its seal.");
    if (anchor.kind === "none" && (isKeyed || last >= ANCHORED_FROM))
      this.#tell("anchor", last, "The file audit.head is missing, so whether the end was cut off cannot be told.");
    if (anchor.kind !== "head") return;
    const { seq, hash: link } = anchor.head;
    if (seq > last) {
      const rebuilt = this.#notes.findLast(({ target }) => target === "ledger");
      const why = rebuilt ? ` The ledger was damaged and rebuilt at ${timeOf(rebuilt)}, which may be why.` : "";
      this.#tell(
        "cut",
        last + 1,
        `The end is missing: event ${seq} was written, and the trail ends with ${last}.${why}`,
        seq,
      );
    } else if (seq < this.#base.seq) return;
    else if ((seq === this.#base.seq ? this.#base.hash : this.#anchored) !== link) {
      this.#tell(
        "anchor",
        seq,
        `Event ${seq} is not the one that audit.head names: it, or what stood before it, was replaced.`,
      );
    }
  }

  #tell(kind: AuditProblem["kind"], seq: number, says: string, to?: number): void {
    this.#problems.push({ kind, seq, ...defined({ to }), says });
  }
}

/** The hash an event has at this place. */
export function linkOf(row: AuditRecord, before: AuditBase, seq: number, key?: Buffer): string {
  return hashOf(auditText(before.hash, seq, row, JSON.stringify(row.detail ?? {})), key);
}

/** Events that fit where another one stands: they were exchanged. */
function movedPairs(
  misfits: readonly Misfit[],
  key: Buffer | undefined,
): Array<{ readonly now: number; readonly was: number }> {
  return misfits.flatMap(({ row }) => {
    const fits = ({ before, row: { seq } }: Misfit): boolean =>
      [undefined, key].some((one) => linkOf(row, before, seq, one) === row.hash);
    const place = misfits.find((other) => other.row !== row && fits(other));
    return place ? [{ now: row.seq, was: place.row.seq }] : [];
  });
}

/** Misfits that stand beside each other have one cause. */
function runsOf(misfits: readonly Misfit[]): Misfit[][] {
  const runs: Misfit[][] = [];
  for (const misfit of misfits) {
    const run = runs.at(-1);
    if (run && run.at(-1)?.row.seq === misfit.row.seq - 1) run.push(misfit);
    else runs.push([misfit]);
  }
  return runs;
}

function timeOf({ at }: { readonly at: number }): string {
  return Number.isFinite(at) && Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : "an unknown time";
}
