// Tests run against the sources; the e2e ones run the built package, which `npm test` builds first.
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["chela-source"] },
  ssr: { resolve: { conditions: ["chela-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["minimal"],
  },
});
