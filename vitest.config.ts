// Tests run against the sources; the e2e ones run the built package, which `npm test` builds first.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Look at what is built the first time it is needed, or change what a whole process has in common. */
const NEEDS_A_FRESH_PROCESS = [
  "packages/gateway/src/rooms/config/lazy-schema.test.ts",
  "packages/gateway/test/flow/audit.test.ts",
  "packages/gateway/test/security/s-18-environment.test.ts",
  "packages/gateway/test/security/s-29-secrets.test.ts",
  "scripts/fuzz.test.ts",
];

/** What was on its way when a process was killed is told from the times at which others heard of it. */
const DURABILITY = ["chaos", "channels"].map((name) => `packages/gateway/test/durability/${name}.test.ts`);
/** Its clock is its own, so others may make it wait; one process computes for longer than anything else. */
const YEAR = "packages/gateway/test/durability/cron-year.test.ts";
/** One copy of the built package for all that start it. */
const PACKAGE = "packages/gateway/test/support/durability/package-place.ts";
/** Most tests wait more than they compute. */
const MANY = 3;
/** Between two that let a browser compute. */
const OTHERS = 2;

/**
 * The longest begins first, so that nothing waits for it in the end. Browsers compute all the time: side by side they wait for
 * each other, among others they fill their pauses.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const browsers = sorted.filter(({ moduleId }) => moduleId.includes("/packages/ui/test/"));
    const year = sorted.filter(({ moduleId }) => moduleId.endsWith(YEAR));
    const others = sorted.filter((file) => !browsers.includes(file) && !year.includes(file));
    const first = others.findIndex(({ project }) => project.name === browsers[0]?.project.name);
    for (const [at, browser] of browsers.entries()) others.splice(Math.max(0, first) + at * (OTHERS + 1), 0, browser);
    return [...year, ...others];
  }
}

export default defineConfig({
  resolve: { conditions: ["chela-source"] },
  ssr: { resolve: { conditions: ["chela-source"] } },
  test: {
    // Packages that the gateway asks Node for are those of the sources, too.
    execArgv: ["--conditions=chela-source"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Only a failure waits that long, also on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    reporters: ["minimal", "./scripts/failures-reporter.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["packages/*/src/**/*.test.ts"],
          exclude: NEEDS_A_FRESH_PROCESS,
          // Nothing outlives what made it: a process for each file would only cost time.
          isolate: false,
          maxWorkers: MANY,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          globalSetup: PACKAGE,
          include: ["packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [...DURABILITY, YEAR, ...NEEDS_A_FRESH_PROCESS],
          isolate: false,
          maxWorkers: MANY,
        },
      },
      {
        extends: true,
        test: {
          name: "fresh",
          globalSetup: PACKAGE,
          include: NEEDS_A_FRESH_PROCESS,
          maxWorkers: MANY,
        },
      },
      {
        extends: true,
        test: { name: "year", include: [YEAR], maxWorkers: MANY },
      },
      {
        extends: true,
        test: {
          name: "durability",
          globalSetup: PACKAGE,
          include: DURABILITY,
          // By themselves, so that nobody else makes them wait.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
        },
      },
    ],
  },
});
