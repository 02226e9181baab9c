// Windows of a long list: fetched when looked at, one answer at a time, again when old.
import { expect, test } from "vitest";
import { RowWindows, type FetchedRows } from "./row-windows.ts";

interface Call {
  readonly offset: number;
  readonly limit: number;
  answer(total?: number, name?: string): Promise<void>;
  fail(why: string): Promise<void>;
}

function longList() {
  const calls: Call[] = [];
  let changes = 0;
  const windows = new RowWindows<string>(() => (changes += 1));
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const fetch = (offset: number, limit: number): Promise<FetchedRows<string>> =>
    new Promise((resolve, reject) => {
      calls.push({
        offset,
        limit,
        answer: (total = 50_000, name = "row") => {
          const length = Math.max(0, Math.min(limit, total - offset));
          resolve({ rows: Array.from({ length }, (_, at) => `${name} ${offset + at}`), total });
          return settle();
        },
        fail: (why) => {
          reject(new Error(why));
          return settle();
        },
      });
    });
  const call = (at: number): Call => {
    const found = calls[at];
    if (!found) throw new Error(`nobody asked ${at + 1} times`);
    return found;
  };
  windows.ask(fetch);
  return { windows, calls, call, fetch, changes: () => changes };
}

test("the first window comes at once, others when they are looked at", async () => {
  const { windows, calls, call, changes } = longList();
  expect(windows.total).toBeUndefined();
  await call(0).answer();
  expect([windows.total, windows.row(0), windows.row(99), windows.row(100), changes()]).toEqual([
    50_000,
    "row 0",
    "row 99",
    undefined,
    1,
  ]);
  windows.show(10, 40);
  expect(calls).toHaveLength(1);
  windows.show(180, 220);
  expect(call(1)).toMatchObject({ offset: 100, limit: 200 });
  await call(1).answer();
  expect(windows.row(250)).toBe("row 250");
});

test("whoever drags through the list is given what they stop at", async () => {
  const { windows, calls, call } = longList();
  await call(0).answer();
  for (let row = 1000; row < 40_000; row += 500) windows.show(row, row + 20);
  expect(calls).toHaveLength(2);
  await call(1).answer();
  expect(call(2)).toMatchObject({ offset: 39_500, limit: 100 });
});

test("what is looked at is fetched again when it is old, the rest when somebody looks there", async () => {
  const { windows, calls, call } = longList();
  await call(0).answer();
  windows.show(100, 120);
  await call(1).answer();
  windows.refresh();
  expect(call(2)).toMatchObject({ offset: 100, limit: 100 });
  expect(windows.row(100)).toBe("row 100");
  // It became old once more while it was on its way.
  windows.refresh();
  await call(2).answer(50_000, "newer");
  await call(3).answer(50_000, "newest");
  expect([windows.row(100), windows.row(0)]).toEqual(["newest 100", "row 0"]);
  windows.show(0, 20);
  await call(4).answer(50_000, "newest");
  expect([windows.row(0), calls.length]).toEqual(["newest 0", 5]);
});

test("the rows before stay until another question is answered; late answers are thrown away", async () => {
  const { windows, call, fetch } = longList();
  await call(0).answer();
  windows.ask(fetch);
  windows.ask(fetch);
  expect([windows.isBehind, windows.row(5)]).toEqual([true, "row 5"]);
  await call(1).answer(3, "late");
  expect([windows.isBehind, windows.total]).toEqual([true, 50_000]);
  await call(2).answer(2, "found");
  expect([windows.isBehind, windows.total, windows.row(1), windows.row(2)]).toEqual([false, 2, "found 1", undefined]);
});

test("after a failure nobody asks again by themselves", async () => {
  const { windows, calls, call } = longList();
  await call(0).fail("no");
  windows.show(0, 20);
  expect([windows.failure?.message, calls.length]).toEqual(["no", 1]);
  windows.refresh();
  expect(windows.failure).toBeUndefined();
  await call(1).answer(1);
  expect(windows.row(0)).toBe("row 0");
});

test("a list that became shorter forgets what is behind its end", async () => {
  const { windows, call } = longList();
  await call(0).answer(300);
  windows.show(200, 299);
  await call(1).answer(300);
  windows.refresh();
  await call(2).answer(150);
  expect([windows.total, windows.row(250), windows.find((row) => row === "row 20")]).toEqual([150, undefined, 20]);
});
