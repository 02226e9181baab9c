// S-17: a command that somebody writes into the file of jobs does not become a job while agents could have written it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const DAILY = { kind: "every", everyMs: 86_400_000 };
const directory = createStateDirectory();
const stateDir = directory.path;
afterAll(() => directory[Symbol.dispose]());
const folder = join(stateDir, "cron");
const path = join(folder, "jobs.json");
const own = { id: "own", name: "own", schedule: DAILY, payload: { kind: "exec", command: ["true"] } };
const jobOf = (id: string, payload: Json): Json => ({ ...own, id, name: id, payload, sessionTarget: "isolated" });
const command = (id: string): Json => jobOf(id, { kind: "exec", command: ["touch", id] });
const question = (id: string): Json => jobOf(id, { kind: "agentTurn", message: "look" });
const namesOf = async (client: WireClient): Promise<string[]> =>
  ((await client.call("cron.list", { limit: 50 })).jobs as Json[]).map(({ name }) => String(name)).toSorted();

/** Behind the gateway's back, beside what is there. */
function writeMore(...jobs: Json[]): void {
  const { jobs: there = [] } = (readIfThere() ?? {}) as { jobs?: Json[] };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 1, jobs: [...there, ...jobs] }));
}

function readIfThere(): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

test("S-17: commands in the file of jobs are believed when no gateway ran, and when it wrote them itself", async () => {
  writeMore(command("before"));
  {
    await using gateway = await startTestGateway({ stateDir });
    const client = await gateway.connect();
    expect(await namesOf(client)).toEqual(["before"]);
    const { id } = await client.call("cron.add", { ...own, id: undefined });
    await eventually("it is written", () => (readFileSync(path, "utf8").includes('"own"') ? true : undefined));
    // As it is, with another command, and a new one.
    const { jobs } = readIfThere() as { jobs: Json[] };
    const changed = jobs.map((job) =>
      job["id"] === id ? { ...job, updatedAtMs: Date.now() + 60_000, payload: command("changed")["payload"] } : job,
    );
    writeFileSync(path, JSON.stringify({ version: 1, jobs: [...changed, command("evil"), question("asked")] }));
    await eventually("it is read", async () => ((await namesOf(client)).includes("asked") ? true : undefined));
    expect(await namesOf(client)).toEqual(["asked", "before", "own"]);
    expect(await client.call("cron.get", { id })).toMatchObject({ payload: { command: ["true"] } });
    const aside = readdirSync(folder).find((name) => name.startsWith("jobs.json.unreadable-")) ?? "";
    expect(readFileSync(join(folder, aside), "utf8")).toMatch(/evil.*while agents could run commands/s);
  }
  writeMore(command("after"));
  await using again = await startTestGateway({ stateDir });
  expect(await namesOf(await again.connect())).toEqual(["after", "asked", "before", "own"]);
});

test("S-17: nor where there was no job, and so no file, when the gateway began", async () => {
  await using gateway = await startTestGateway();
  const empty = gateway.stateDir;
  mkdirSync(join(empty, "cron"), { recursive: true });
  const written = { version: 1, jobs: [command("evil"), question("asked")] };
  writeFileSync(join(empty, "cron", "jobs.json"), JSON.stringify(written));
  const client = await gateway.connect();
  await client.call("cron.add", { ...own, id: undefined });
  expect(await namesOf(client)).toEqual(["asked", "own"]);
});
