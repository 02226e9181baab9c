// The recipes for a page and a language in the guide, followed to the letter in a copy of the control page, built and looked at.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, Stage, TOKEN } from "./support/stage.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/extend.md"), "utf8");
const GERMAN_FRAME = "packages/ui/src/words/de/app.ts";
const GERMAN_PAGE = "packages/ui/src/words/de/pages/models.ts";
const SPANISH_PAGE = "packages/ui/src/words/es/pages/models.ts";
/** The compiler looks at all of the page, and other tests run beside it. */
const PATIENCE_MS = 180_000;

interface Step {
  readonly path: string;
  readonly text: string;
}

/** The numbered steps of a recipe that name a file: the first one named, and the code that follows. */
function stepsOf(heading: string): Step[] {
  const recipe = guide.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return recipe.split(/^\d+\. /m).flatMap((step) => {
    const path = [...step.matchAll(/`(packages\/ui\/[^`<>*]+\.ts)`/g)][0]?.[1];
    const code = /^ {3}```ts\n(.*?)^ {3}```$/ms.exec(step)?.[1];
    return path && code ? [{ path, text: code.replaceAll(/^ {3}/gm, "") }] : [];
  });
}

/** What the page is made of, where nobody minds changes. */
function copyPage(): string {
  const copy = mkdtempSync(join(tmpdir(), "chela-recipes-"));
  for (const name of ["src", "public", "index.html", "package.json", "tsconfig.json", "vite.config.ts"]) {
    cpSync(join(root, "packages/ui", name), join(copy, "packages/ui", name), { recursive: true });
  }
  cpSync(join(root, "tsconfig.json"), join(copy, "tsconfig.json"));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

function follow(copy: string, { path, text }: Step): void {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  const isLine = !text.startsWith("//");
  writeFileSync(file, isLine ? readFileSync(file, "utf8").replace("titles = {\n", `$&  ${text}`) : text);
}

/** The complaints of the compiler. */
async function compile(copy: string): Promise<string> {
  const tsc = join(root, "node_modules/.bin/tsc");
  // One of its checkers: several find out the same things, each for itself.
  return promisify(execFile)(tsc, ["-p", "packages/ui", "--checkers", "1"], { cwd: copy }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

async function build(copy: string): Promise<string> {
  const out = join(copy, "page");
  const env = { ...process.env, NODE_ENV: "production" };
  const vite = join(root, "node_modules/.bin/vite");
  await promisify(execFile)(vite, ["build", "packages/ui", "--outDir", out, "--logLevel", "warn"], { cwd: copy, env });
  return out;
}

const ofPage = stepsOf("Add a page to the control page");
const ofLanguage = stepsOf("Add a language to the control page");

test("the recipes name every file, and what stands in it", () => {
  expect(ofPage.map(({ path }) => path)).toEqual([
    "packages/ui/src/pages/models/spec.ts",
    "packages/ui/src/pages/models/words.ts",
    "packages/ui/src/pages/models/page.ts",
    GERMAN_PAGE,
    GERMAN_FRAME,
  ]);
  expect(ofLanguage.map(({ path }) => path)).toEqual([
    "packages/ui/src/words/pt/language.ts",
    "packages/ui/src/words/pt/pages/models.ts",
  ]);
});

describe("a copy with a page and a language more", () => {
  let copy: string;
  beforeAll(() => {
    copy = copyPage();
    for (const step of [...ofPage, ...ofLanguage]) follow(copy, step);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test("compiles, but for a language that lacks a text", { timeout: PATIENCE_MS }, async () => {
    const lacking = join(copy, SPANISH_PAGE);
    writeFileSync(lacking, readFileSync(join(copy, GERMAN_PAGE), "utf8").replace(/^ {2}none: .*\n/m, ""));
    const complaints = (await compile(copy)).split("\n").filter((line) => line.includes("error TS"));
    rmSync(lacking);
    expect(complaints).toEqual([expect.stringMatching(/^packages\/ui\/src\/words\/es\/pages\/models\.ts.*'none'/)]);
  });

  test.skipIf(!HAS_BROWSER)(
    "shows the page, in the language where it has words for it",
    { timeout: PATIENCE_MS },
    async () => {
      const page = await build(copy);
      await using stage = await Stage.open({
        gateway: { auth: { mode: "token", token: TOKEN }, controlUi: { root: page } },
      });
      const see = async (locale: string, title: string, text: string): Promise<string> => {
        const seen = await stage.page({ locale });
        await seen.getByRole("link", { name: title, exact: true }).click();
        await seen.getByRole("heading", { name: title, level: 1 }).waitFor();
        await seen.getByText(text).waitFor();
        return seen.evaluate(() => document.documentElement.lang);
      };
      expect(await see("en-US", "Models", "Test, reads up to 200K tokens at once")).toBe("en");
      expect(await see("de-DE", "Modelle", "Test, liest bis zu 200.000 Token auf einmal")).toBe("de");
      // Nothing but this page was translated so far.
      expect(await see("pt-BR", "Models", "Test, lê até 200 mil tokens de uma vez")).toBe("pt");
      expect(await see("es-ES", "Models", "Test, reads up to 200 mil tokens at once")).toBe("es");
      expect(stage.complaints).toEqual([]);
    },
  );
});
