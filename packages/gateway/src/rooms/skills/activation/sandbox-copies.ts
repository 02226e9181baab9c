// Copies of an agent's skills, which its sandboxes see: exactly the files that were judged, and no way to change the skill.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Logger } from "@chela/sdk";
import { readTree } from "../reading/read-tree.ts";
import type { KnownSkill } from "../skills.ts";

/** Where sandboxes see them. */
const INSIDE = "/skills";

/** The SKILL.md of one, seen from inside. */
export function insidePlace({ name }: Pick<KnownSkill, "name">): string {
  return `${INSIDE}/${name}/SKILL.md`;
}

export class SandboxCopies {
  readonly #root: string;
  readonly #log: Logger;
  readonly #known = new Map<string, string>();

  constructor(root: string, log: Logger) {
    this.#root = root;
    this.#log = log;
  }

  /** Of one agent; there only once something was copied. */
  folderOf(agentId: string): string {
    return join(this.#root, agentId);
  }

  /** Cheap when nothing changed. A copy appears whole, or not at all. */
  bringUpToDate(agentId: string, ready: readonly KnownSkill[]): void {
    const key = JSON.stringify(ready.map(({ name, realDir, digest }) => [name, realDir, digest]));
    if (this.#known.get(agentId) === key) return;
    const folder = this.folderOf(agentId);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      if (!ready.some((skill) => skill.name === name)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    for (const skill of ready) this.#copy(folder, skill);
    this.#known.set(agentId, key);
  }

  #copy(folder: string, { name, realDir }: KnownSkill): void {
    const tree = readTree(realDir);
    if (tree.kind === "refused") return this.#log.warn("a skill is not seen in sandboxes", { name, why: tree.why });
    const [made, place] = [join(folder, `.${name}.new`), join(folder, name)];
    rmSync(made, { recursive: true, force: true });
    for (const [path, { bytes, isExecutable }] of tree.files) {
      const file = join(made, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, bytes);
      chmodSync(file, isExecutable ? 0o700 : 0o600);
    }
    rmSync(place, { recursive: true, force: true });
    if (existsSync(made)) renameSync(made, place);
  }
}
