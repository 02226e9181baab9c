// What the gateway remembers of plugins, in its ledger: what was approved for which files, and what each registered last.
import * as z from "zod";
import { once, type Change, type Ledger, type Logger, type Parsed } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { ToldCatalogue } from "@chela/plugin-host/told";
import { Grant } from "./grant.ts";

const KEY = "plugins";

const Approval = () =>
  z.object({
    root: z.string(),
    digest: z.string(),
    grant: Grant(),
    approvedAt: z.number(),
    by: z.string(),
  });
export type Approval = z.infer<ReturnType<typeof Approval>>;

const Known = () => z.object({ root: z.string(), digest: z.string(), stamp: z.string(), catalogue: ToldCatalogue() });
export type KnownCatalogue = z.infer<ReturnType<typeof Known>>;

const Stored = once(() =>
  z.object({
    approvals: z.record(z.string(), Approval()),
    catalogues: z.record(z.string(), Known()),
    /** Off because its process fell too often, as its files were then. */
    fallen: z.record(z.string(), z.object({ digest: z.string(), at: z.number(), why: z.string() })),
  }),
);
type Stored = Parsed<typeof Stored>;

const NONE: Stored = { approvals: {}, catalogues: {}, fallen: {} };

export class PluginRecords {
  readonly #ledger: Pick<Ledger, "value" | "commit">;
  readonly #log: Logger;
  #stored: Stored = NONE;
  #written: Promise<unknown> = Promise.resolve();

  constructor(ledger: Pick<Ledger, "value" | "commit">, log: Logger) {
    this.#ledger = ledger;
    this.#log = log;
  }

  async load(): Promise<void> {
    const text = await this.#ledger.value(KEY);
    if (text === undefined) return;
    const read = Stored().safeParse(parseJson(text));
    if (read.success) this.#stored = read.data;
    else this.#log.error("what is remembered of plugins cannot be read; each has to be approved again", {});
  }

  approvalOf(id: string): Approval | undefined {
    return own(this.#stored.approvals, id);
  }
  catalogueOf(id: string): KnownCatalogue | undefined {
    return own(this.#stored.catalogues, id);
  }
  fallOf(id: string): { readonly digest: string; readonly at: number; readonly why: string } | undefined {
    return own(this.#stored.fallen, id);
  }

  approve(id: string, approval: Approval): Promise<void> {
    return this.#write(({ approvals, catalogues, fallen }) => ({
      approvals: { ...approvals, [id]: approval },
      catalogues,
      fallen: without(fallen, id),
    }));
  }
  forget(id: string): Promise<void> {
    return this.#write(({ approvals, catalogues, fallen }) => ({
      approvals: without(approvals, id),
      catalogues: without(catalogues, id),
      fallen: without(fallen, id),
    }));
  }
  learn(id: string, known: KnownCatalogue): Promise<void> {
    if (JSON.stringify(this.catalogueOf(id)) === JSON.stringify(known)) return Promise.resolve();
    return this.#write((stored) => ({ ...stored, catalogues: { ...stored.catalogues, [id]: known } }));
  }
  fell(id: string, fall: { digest: string; at: number; why: string }): Promise<void> {
    return this.#write((stored) => ({ ...stored, fallen: { ...stored.fallen, [id]: fall } }));
  }
  stood(id: string): Promise<void> {
    if (!this.fallOf(id)) return Promise.resolve();
    return this.#write((stored) => ({ ...stored, fallen: without(stored.fallen, id) }));
  }

  /** One after the other; it holds when it is on the disk. */
  #write(change: (stored: Stored) => Stored): Promise<void> {
    const writing = this.#written.then(async () => {
      const next = change(this.#stored);
      const put: Change = { kind: "value-put", key: KEY, value: JSON.stringify(next) };
      await this.#ledger.commit([put]);
      this.#stored = next;
    });
    this.#written = writing.catch(() => {});
    return writing;
  }
}

function own<T>(all: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(all, id) ? all[id] : undefined;
}

function without<T>(all: Readonly<Record<string, T>>, id: string): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => name !== id));
}
