// Tests run against the sources; the e2e ones run the built package, which `npm test` builds first.
import { defineConfig } from "vitest/config";

/** Looks at what is built the first time it is needed, so it has to be the first. */
const NEEDS_A_FRESH_PROCESS = ["packages/gateway/src/config/lazy-schema.test.ts"];

export default defineConfig({
  resolve: { conditions: ["chela-source"] },
  ssr: { resolve: { conditions: ["chela-source"] } },
  test: {
    // Most tests wait more than they compute.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Only a failure waits that long, also on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    reporters: ["minimal"],
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["packages/*/src/**/*.test.ts"],
          exclude: NEEDS_A_FRESH_PROCESS,
          // Nothing in a room outlives what made it: a process for each file would only cost time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["packages/*/test/**/*.test.ts", "scripts/**/*.test.ts", ...NEEDS_A_FRESH_PROCESS],
        },
      },
    ],
  },
});
