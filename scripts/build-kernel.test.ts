// The compiled scan of vectors is what its source compiles to.
import { expect, it } from "vitest";
import { ensureDebianPackage, warnNotTested } from "../packages/gateway/test/support/stages/debian-package.ts";
import { committedVersion, compileModule, compilerVersion, readCommitted } from "./build-kernel.ts";

const PATIENCE_MS = 600_000;

it(
  "the committed module is what its source compiles to (else run `node scripts/build-kernel.ts`)",
  { timeout: PATIENCE_MS },
  (context) => {
    const isThere = ensureDebianPackage("clang", "clang") && ensureDebianPackage("lld", "wasm-ld");
    const version = isThere ? compilerVersion() : "none";
    if (version !== committedVersion()) {
      warnNotTested(
        "the scan of vectors is compiled anew",
        `clang ${committedVersion()} is needed, here is ${version}`,
      );
      context.skip();
    }
    expect(compileModule()).toBe(readCommitted());
  },
);
