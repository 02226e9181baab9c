import { expect, test, vi } from "vitest";
import type { AuditRecord } from "./filter.ts";
import { TrailBook, type FetchEvents } from "./trail-book.ts";

const record = (seq: number): AuditRecord => ({
  seq,
  at: seq,
  action: "tool",
  actor: "gateway",
  target: "exec",
  outcome: "ok",
  hash: "",
});

/** A gateway whose trail a test writes. */
function createTrail(count: number) {
  const all = Array.from({ length: count }, (_, at) => record(at + 1));
  const fetch: FetchEvents = async ({ before = Infinity, after = 0, order, limit }) => {
    const found = all.filter(({ seq }) => seq > after && seq < before);
    const ordered = order === "oldest" ? found : found.toReversed();
    return {
      records: ordered.slice(0, limit),
      hasMore: ordered.length > limit,
      total: all.length,
      base: { seq: 0, hash: "" },
    };
  };
  const write = (more: number): void => {
    for (let at = 0; at < more; at++) all.push(record(all.length + 1));
  };
  return { fetch, write };
}

async function openBook(count: number) {
  const trail = createTrail(count);
  const book = new TrailBook(() => undefined);
  book.ask(trail.fetch);
  await vi.waitFor(() => expect(book.isBehind).toBe(false));
  return { book, trail };
}

test("the newest come first, and older ones on demand", async () => {
  const { book } = await openBook(150);
  expect([book.records[0]?.seq, book.records.length, book.total, book.hasMore]).toEqual([150, 100, 150, true]);
  book.more();
  book.more();
  await vi.waitFor(() => expect(book.records.length).toBe(150));
  expect([book.records.at(-1)?.seq, book.hasMore]).toEqual([1, false]);
});

test("what is new waits until it is wanted", async () => {
  const { book, trail } = await openBook(3);
  trail.write(2);
  book.look(() => false);
  await vi.waitFor(() => expect(book.newCount).toBe(2));
  expect(book.records.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  expect(book.total).toBe(5);
  trail.write(1);
  book.look(() => false);
  await vi.waitFor(() => expect(book.newCount).toBe(3));
  book.showNew();
  expect(book.records.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1]);
  expect(book.newCount).toBe(0);
});

test("what is new is shown at once to whoever does not read yet", async () => {
  const { book, trail } = await openBook(0);
  trail.write(2);
  book.look(() => true);
  await vi.waitFor(() => expect(book.records.map(({ seq }) => seq)).toEqual([2, 1]));
});

test("too much that is new begins the list anew", async () => {
  const { book, trail } = await openBook(1);
  trail.write(700);
  book.look(() => false);
  await vi.waitFor(() => expect(book.hasManyNew).toBe(true));
  book.showNew();
  await vi.waitFor(() => expect(book.records[0]?.seq).toBe(701));
  expect([book.records.length, book.newCount]).toEqual([100, 0]);
});

test("an answer to an earlier question is thrown away", async () => {
  const { book, trail } = await openBook(1);
  let answer = (): void => undefined;
  const slow = new Promise<void>((resolve) => (answer = resolve));
  book.ask(async (place) => {
    await slow;
    return trail.fetch(place);
  });
  book.ask(createTrail(7).fetch);
  await vi.waitFor(() => expect(book.records.length).toBe(7));
  answer();
  await slow;
  expect(book.records.length).toBe(7);
});

test("a failure is told, and trying again mends it", async () => {
  const { book, trail } = await openBook(150);
  book.ask(() => Promise.reject(new Error("busy")));
  await vi.waitFor(() => expect(book.failure?.message).toBe("busy"));
  expect(book.records.length).toBe(100);
  book.ask(trail.fetch);
  await vi.waitFor(() => expect([book.failure, book.isBehind]).toEqual([undefined, false]));
});
