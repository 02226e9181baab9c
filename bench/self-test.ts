// Checks the arithmetic of the bench itself: a wrong median would praise a slow gateway.
import { deepStrictEqual, ok, strictEqual, throws } from "node:assert";
import { atLeast, atMost, describeLimits, judge } from "./figure.ts";
import { readOptions } from "./options.ts";
import { median, percentile, slope, summarize } from "./statistics.ts";
import { formatNumber, formatTable } from "./table.ts";

export function checkBench(): void {
  strictEqual(median([3, 1, 2]), 2);
  strictEqual(median([4, 1, 3, 2]), 2.5);
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
  strictEqual(percentile(hundred, 0.95), 95);
  strictEqual(percentile([7], 0.95), 7);
  deepStrictEqual(summarize([1, 5, 3]), { median: 3, p95: 5, spread: 4 });
  throws(() => summarize([]), RangeError);
  ok(
    Math.abs(
      slope([
        [1, 10],
        [2, 12],
        [3, 14],
      ]) - 2,
    ) < 1e-9,
  );

  const figure = { metric: "m", unit: "ms", samples: [1, 2, 30] };
  strictEqual(judge({ ...figure, limits: [atMost(2)] }), "ok");
  strictEqual(judge({ ...figure, limits: [atMost(2), atMost(15, "p95")] }), "short");
  strictEqual(judge({ ...figure, limits: [atLeast(3)] }), "short");
  strictEqual(judge({ ...figure, samples: [], limits: [atMost(2)] }), "n/a");
  strictEqual(describeLimits([atMost(5), atMost(15, "p95")]), "≤ 5, p95 ≤ 15");

  strictEqual(formatNumber(1234.5), "1235");
  strictEqual(formatNumber(0.127), "0.13");
  const [head, , row] = formatTable([figure]).split("\n");
  strictEqual(head?.indexOf("unit"), row?.indexOf("ms"));
  ok(formatTable([figure], [{ ...figure, samples: [4] }]).includes("2.00"));

  const options = readOptions(["--only", "start,rpc", "--quick"]);
  ok(options !== "help");
  deepStrictEqual([...options.groups], ["start", "rpc"]);
  const usual = readOptions([]);
  const long = readOptions(["--long"]);
  ok(usual !== "help" && !usual.groups.has("soak"));
  ok(long !== "help" && long.groups.has("soak"));
  throws(() => readOptions(["--only", "nothing"]), /does not know "nothing"/);
}
