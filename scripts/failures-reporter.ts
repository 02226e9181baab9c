// Writes down which tests failed, for `scripts/test.ts`, which tries their files again.
import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** The file to write them to is named in here. */
export const FAILURES = "CHELA_TEST_FAILURES";

export interface FailedFile {
  readonly file: string;
  readonly project: string;
  /** None where the file itself could not be loaded. */
  readonly tests: readonly string[];
}

export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[FAILURES];
    if (path === undefined) return;
    const failed = modules.filter((module) => module.state() === "failed").map(failedFile);
    writeFileSync(path, JSON.stringify(failed));
  }
}

function failedFile(module: TestModule): FailedFile {
  const tests = [...module.children.allTests("failed")].map(({ fullName }) => fullName);
  return { file: module.relativeModuleId, project: module.project.name, tests };
}
