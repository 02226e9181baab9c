// The way of a message as docs/ARCHITECTURE.md tells it is the way through the code: it is short, and each step is where it says.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const GATEWAY = "packages/gateway/src";
const page = readFileSync(join(ROOT, "docs/ARCHITECTURE.md"), "utf8");

interface Step {
  readonly number: number;
  readonly name: string;
  readonly file: string;
}

const steps: readonly Step[] = [...page.matchAll(/^\| +(\d+) \| `(\w+)` +\| `([^`]+)` +\|/gm)].map(
  ([, number, name = "", file = ""]) => ({ number: Number(number), name, file }),
);

/** `rooms/<room>` and `flow`, whatever lies below them; a channel is its own folder of its package. */
function roomOf(file: string): string {
  return /^packages\/channels\/src\/[^/]+|^rooms\/[^/]+|^[^/]+/.exec(file)?.[0] ?? "";
}

/** The page names files of the gateway as they are called there. */
function placeOf(file: string): string {
  return join(ROOT, file.startsWith("packages/") ? file : join(GATEWAY, file));
}

describe("the way of a message", () => {
  test("is told in at most twenty steps, which change rooms at most sixteen times", () => {
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, at) => at + 1));
    expect(steps.length).toBeGreaterThan(12);
    expect(steps.length).toBeLessThanOrEqual(20);
    const changes = steps.filter(({ file }, at) => at > 0 && roomOf(file) !== roomOf(steps[at - 1]?.file ?? ""));
    expect(changes.length).toBeLessThanOrEqual(16);
  });

  test.each(steps.map((step) => [step.name, step.file] as const))("%s stands in %s", (name, file) => {
    const text = readFileSync(placeOf(file), "utf8");
    expect(text).toMatch(new RegExp(`function\\*? ${name}[(<]|^  (?:async )?\\*?${name}[(<]`, "m"));
  });
});

test("every file of the gateway and its channels that the page names is there", () => {
  const named = [...page.matchAll(/`((?:packages|rooms|flow|house|base|server|cli)\/[\w./-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(placeOf(path)))).toEqual([]);
});
