// Names the tests that passed only when they were tried again, with what went wrong before: each of them hides something.
import type { Reporter, TestModule } from "vitest/node";

export default class UnsteadyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky !== true) continue;
        const [error] = test.result().errors ?? [];
        process.stdout.write(`UNSTEADY: ${module.relativeModuleId} > ${test.fullName}\n  ${error?.message ?? ""}\n`);
      }
    }
  }
}
