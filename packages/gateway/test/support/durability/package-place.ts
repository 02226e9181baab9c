// Where one copy of the built package lies for all test files of a run; it is made by the first that needs it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    readonly packagePlace: string;
  }
}

export default function providePlace(project: TestProject): () => void {
  const place = mkdtempSync(join(tmpdir(), "chela-package-"));
  project.provide("packagePlace", place);
  return () => rmSync(place, { recursive: true, force: true });
}
