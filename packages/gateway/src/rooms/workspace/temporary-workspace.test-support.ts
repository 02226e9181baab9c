// A workspace that is gone after the test, with an outside that must stay out.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryWorkspace extends Disposable {
  readonly directory: string;
  readonly outside: string;
  write(name: string, content: string | Uint8Array): void;
}

export function temporaryWorkspace(): TemporaryWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "chela-workspace-")));
  const directory = join(root, "workspace");
  const outside = join(root, "outside");
  mkdirSync(directory);
  mkdirSync(outside);
  return {
    directory,
    outside,
    write: (name, content) => writeFileSync(join(directory, name), content),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
