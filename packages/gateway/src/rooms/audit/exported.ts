// The trail as a file of lines that can be kept elsewhere, and the comparison of such a file with the trail.
import * as z from "zod";
import { AUDIT_ACTIONS, once, type AuditQuery, type AuditRecord } from "@chela/sdk";
import { linkOf, type AuditProblem, type AuditSource } from "./verify.ts";

/** The last line of a file: up to where the trail reached when it was written. */
interface ExportEnd {
  readonly head: { readonly seq: number; readonly hash: string };
  readonly count: number;
  readonly exportedAt: number;
}

const link = () => z.string().regex(/^[0-9a-f]{64}$/);
const recordSchema = once(() =>
  z.strictObject({
    seq: z.int().min(1),
    at: z.number(),
    action: z.enum(AUDIT_ACTIONS),
    actor: z.string(),
    target: z.string(),
    outcome: z.enum(["ok", "denied", "failed"]),
    agentId: z.string().optional(),
    sessionKey: z.string().optional(),
    channel: z.string().optional(),
    traceId: z.string().optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
    hash: link(),
  }),
);
const endSchema = once(() =>
  z.object({ head: z.object({ seq: z.int().min(0), hash: link() }), count: z.int(), exportedAt: z.number() }),
);

/** As much of the ledger as fits in memory at once. */
const PAGE = 500;
const MOST_PROBLEMS = 100;

/** Events in the order of the trail, a page at a time. */
export async function* readTrail(
  source: Pick<AuditSource, "audit">,
  filter: Omit<AuditQuery, "limit" | "order">,
): AsyncGenerator<readonly AuditRecord[]> {
  for (let afterSeq = filter.afterSeq ?? 0; ;) {
    const page = await source.audit({ ...filter, afterSeq, order: "oldest", limit: PAGE });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    afterSeq = last.seq;
  }
}

export interface ExportReport {
  readonly ok: boolean;
  /** Events of the file that are the same in the trail. */
  readonly same: number;
  /** Events of the file that the trail let go since. */
  readonly gone: number;
  readonly problems: readonly AuditProblem[];
}

/** What the file says must be in the trail, unless the trail let it go; what the trail has beyond it is newer. */
export async function compareExport(
  lines: AsyncIterable<string>,
  source: AuditSource,
  key?: Buffer,
): Promise<ExportReport> {
  const comparison = new Comparison(source, (await source.auditBase()).seq, key);
  for await (const line of lines) if (line.trim() !== "") await comparison.take(line);
  return comparison.finish();
}

class Comparison {
  readonly #source: AuditSource;
  readonly #baseSeq: number;
  readonly #problems: AuditProblem[] = [];
  readonly #misfits: number[] = [];
  #waiting: AuditRecord[] = [];
  #before: AuditRecord | undefined;
  #end: ExportEnd | undefined;
  #line = 0;
  #count = 0;
  #same = 0;
  #gone = 0;

  readonly #key: Buffer | undefined;

  constructor(source: AuditSource, baseSeq: number, key: Buffer | undefined) {
    this.#source = source;
    this.#baseSeq = baseSeq;
    this.#key = key;
  }

  async take(line: string): Promise<void> {
    this.#line += 1;
    const value = parsed(line);
    const end = endSchema().safeParse(value);
    if (end.success) {
      this.#end = end.data;
      return;
    }
    const read = recordSchema().safeParse(value);
    if (!read.success) return this.#tell("changed", 0, `Line ${this.#line} of the file is no event.`);
    const record = read.data as AuditRecord;
    this.#count += 1;
    const follows = this.#before?.seq === record.seq - 1;
    if (follows && this.#before && !this.#isLinked(record, this.#before)) this.#misfits.push(record.seq);
    this.#before = record;
    this.#waiting.push(record);
    if (this.#waiting.length >= PAGE) await this.#compare();
  }

  /** Made with the key, or before there was one. */
  #isLinked(record: AuditRecord, before: AuditRecord): boolean {
    return [undefined, this.#key].some((key) => linkOf(record, before, record.seq, key) === record.hash);
  }

  /** Without the key, an end of the file that was made with it fits nowhere: then the trail's own hashes have to do. */
  #tellMisfits(): void {
    const last = this.#before?.seq ?? 0;
    const [first = 0] = this.#misfits;
    const isKeyedEnd = !this.#key && this.#misfits.length > 1 && first + this.#misfits.length - 1 === last;
    if (isKeyedEnd) return;
    for (const seq of this.#misfits)
      this.#tell("changed", seq, `Event ${seq} of the file does not follow from the one before it.`);
  }

  async finish(): Promise<ExportReport> {
    this.#tellMisfits();
    await this.#compare();
    await this.#compareEnd();
    const problems = this.#problems.slice(0, MOST_PROBLEMS);
    return { ok: problems.length === 0, same: this.#same, gone: this.#gone, problems };
  }

  async #compare(): Promise<void> {
    const page = this.#waiting;
    this.#waiting = [];
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last) return;
    const found = new Map<number, string>();
    for await (const rows of readTrail(this.#source, { afterSeq: first.seq - 1, beforeSeq: last.seq + 1 }))
      for (const row of rows) found.set(row.seq, row.hash);
    for (const { seq, hash } of page) this.#judge(seq, hash, found.get(seq));
  }

  #judge(seq: number, hash: string, now: string | undefined): void {
    if (now === hash) this.#same += 1;
    else if (now !== undefined) this.#tell("changed", seq, `Event ${seq} is not the one in the file.`);
    else if (seq <= this.#baseSeq) this.#gone += 1;
    else this.#tell("missing", seq, `Event ${seq} of the file is not in the trail.`);
  }

  async #compareEnd(): Promise<void> {
    if (!this.#end) return this.#tell("cut", 0, "The last line of the file is missing: it is not whole.");
    const { head, count } = this.#end;
    if (count !== this.#count)
      this.#tell("missing", 0, `The file has ${this.#count} events, and says that it has ${count}.`);
    if (head.seq <= this.#baseSeq) return;
    const [row] = await this.#source.audit({ afterSeq: head.seq - 1, beforeSeq: head.seq + 1, limit: 1 });
    if (row?.hash !== head.hash)
      this.#tell("cut", head.seq, `Event ${head.seq}, with which the trail ended then, is not in it any more.`);
  }

  #tell(kind: AuditProblem["kind"], seq: number, says: string): void {
    this.#problems.push({ kind, seq, says });
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
