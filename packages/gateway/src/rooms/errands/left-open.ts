// What an earlier process left open, and which of it something here can carry out.
import { OPEN_ERRANDS, type ErrandRecord, type Ledger, type Logger } from "@chela/sdk";

const AT_ONCE = 500;

/** All of them before any sets out: what ends meanwhile would move the others to another page. */
export async function readOpen(ledger: Ledger): Promise<ErrandRecord[]> {
  const all: ErrandRecord[] = [];
  for (;;) {
    const query = { states: OPEN_ERRANDS, order: "oldest", limit: AT_ONCE, offset: all.length } as const;
    const page = await ledger.errands(query);
    all.push(...page);
    if (page.length < AT_ONCE) return all;
  }
}

/** Those who carry these out, before any of them goes on. Gives the kinds that can. */
export async function openHandlers(
  left: readonly ErrandRecord[],
  handlerOf: (kind: string) => Promise<unknown>,
  log: Logger,
): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  for (const [kind, ofKind] of Map.groupBy(left, (record): string => record.kind)) {
    const count = ofKind.length;
    await handlerOf(kind).then(
      () => kinds.add(kind),
      (error: unknown) =>
        log.error("work of an earlier process waits, because nothing can carry it out; a later start goes on with it", {
          kind,
          count,
          error: String(error),
        }),
    );
  }
  return kinds;
}
