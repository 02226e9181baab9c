// The recipes of the guide for what a part hands in, followed to the letter: each file is written as it stands there and works.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { DoctorCheck, HolderCall, HttpRoute, RunningService, SecurityCheck, SecurityFacts } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Services } from "../../src/house/contributed/services.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/extend.md"), "utf8");
const copy = mkdtempSync(join(tmpdir(), "chela-recipes-"));
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the file of a recipe exports; its second step is one line for the contribution. */
async function follow<T>(heading: string, line: string): Promise<T> {
  const recipe = guide.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const [, path = ""] = /`(packages\/gateway\/[^`]+\.ts)`/.exec(recipe) ?? [];
  const [code = "", more = ""] = [...recipe.matchAll(/^ {3}```ts\n(.*?)^ {3}```$/gms)].map((match) => match[1] ?? "");
  expect(more.trim()).toContain(line);
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code.replaceAll(/^ {3}/gm, ""));
  return (await import(pathToFileURL(file).href)) as T;
}

const people = (...names: string[]) => ({ people: { directory: { all: names } } });

test("a service", async () => {
  type Made = { countPeople(house: object): RunningService };
  const { countPeople } = await follow<Made>("Add a service that runs by itself", "services: [{ open:");
  const noted: unknown[] = [];
  const log = { info: (...said: unknown[]) => noted.push(said), error: () => {} };
  const house = { clock: createFakeClock(), log: log as never, ...people("ada", "bob") };
  const services = new Services(house, [
    { id: "people", says: "", services: [{ open: async () => countPeople(house) }] },
  ]);
  await services.open();
  await services.start();
  await house.clock.advance(3_600_000);
  await services.close();
  await house.clock.advance(3_600_000);
  expect(noted).toEqual([["people", { known: 2 }]]);
});

test("an HTTP route", async () => {
  type Made = { PEOPLE_ROUTE: HttpRoute<object> };
  const { PEOPLE_ROUTE } = await follow<Made>("Add an HTTP route", "routes: [PEOPLE_ROUTE]");
  const server = createServer((request, response) => {
    void PEOPLE_ROUTE.handle({ request, response } as HolderCall, people("ada"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/people/count`);
  expect(await answer.json()).toEqual({ count: 1 });
  expect(PEOPLE_ROUTE).toMatchObject({ auth: "bearer", path: "/people/count" });
  server.close();
});

test("a check of chela doctor", async () => {
  type Made = { checks: ReadonlyArray<DoctorCheck<object>> };
  const { checks } = await follow<Made>("Add a check of `chela doctor`", "doctor: async () =>");
  const ledger = createMemoryLedger();
  const look = async () => Promise.all(checks.map((check) => check.look({ ledger }, {} as never)));
  expect(await look()).toEqual([[]]);
});

test("a check of the security audit", async () => {
  type Made = { checks: readonly SecurityCheck[] };
  const { checks } = await follow<Made>("Add a check of the security audit", "securityChecks: async () =>");
  const channels = [{ at: "channels.irc", isOpenToStrangers: true }, { at: "channels.slack" }];
  const found = checks.flatMap((check) => check.look({ channels } as unknown as SecurityFacts));
  expect(found).toMatchObject([{ id: "strangers:channels.irc", where: "channels.irc" }]);
});
