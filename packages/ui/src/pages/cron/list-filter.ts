// Filter of the list of jobs, as the address says it.

export const SHOWN = ["all", "enabled", "disabled", "failed"] as const;
export type ShownJobs = (typeof SHOWN)[number];

export interface JobFilter {
  readonly search: string;
  readonly shown: ShownJobs;
  /** Counted from 0. */
  readonly page: number;
}

type Query = Readonly<Record<string, string>>;

export const PAGE_SIZE = 100;

export function readFilter({ q = "", show = "", page = "" }: Query): JobFilter {
  const shown = SHOWN.find((one) => one === show) ?? "all";
  return { search: q, shown, page: /^\d{1,6}$/.test(page) ? Number(page) : 0 };
}

export function writeFilter({ search, shown, page }: JobFilter): Query {
  return {
    ...(search ? { q: search } : {}),
    ...(shown === "all" ? {} : { show: shown }),
    ...(page > 0 ? { page: String(page) } : {}),
  };
}

export function isNarrow({ search, shown }: JobFilter): boolean {
  return search.trim() !== "" || shown !== "all";
}
