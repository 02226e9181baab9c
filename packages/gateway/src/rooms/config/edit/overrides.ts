// Values laid over the configuration while the gateway runs: nothing of them is written, a restart forgets them.
import { invalidConfig } from "./change.ts";
import { examineConfig } from "../read/examine.ts";
import { formatPath, parsePath, putAt, type JsonObject, type Path } from "./path.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import { redactValue } from "../secret-rules.ts";

export class Overrides {
  readonly #values = new Map<string, { readonly path: Path; readonly value: unknown }>();

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** Throws CONFIG_INVALID, and changes nothing then, when the configuration would not be a right one. */
  set(text: string, value: unknown, base: ChelaConfig): void {
    const path = parsePath(text);
    const candidate = this.#lay(base);
    putAt(candidate, path, value);
    const { findings, quarantined } = examineConfig(candidate);
    const wrong = [...findings, ...quarantined].map(({ path: at, message }) => ({ path: formatPath(at), message }));
    if (wrong.length > 0) throw invalidConfig(wrong);
    this.#values.set(formatPath(path), { path, value });
  }

  drop(text: string): boolean {
    return this.#values.delete(formatPath(parsePath(text)));
  }

  clear(): void {
    this.#values.clear();
  }

  /** By path, secrets replaced. */
  show(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#values].map(([text, { path, value }]) => [text, redactValue(value, path)] as const),
    );
  }

  over(base: ChelaConfig): ChelaConfig {
    if (this.isEmpty) return base;
    // What has no effect is not part of the config, whoever says it.
    return examineConfig(this.#lay(base)).config;
  }

  #lay(base: ChelaConfig): JsonObject {
    const laid = structuredClone(base) as JsonObject;
    for (const { path, value } of this.#values.values()) putAt(laid, path, value);
    return laid;
  }
}
