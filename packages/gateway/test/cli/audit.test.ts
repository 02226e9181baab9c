// `chela audit …`: with a running gateway, without one, and after somebody changed the ledger in between.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditRecord } from "@chela/sdk";
import { openDatabase } from "../../src/rooms/ledger/room.ts";
import { Household, type Program } from "../support/durability/child-gateway.ts";

const home = new Household();
const kept = join(home.stateDir, "kept.jsonl");
let gateway: Program;

beforeAll(async () => {
  ({ program: gateway } = await home.startGateway());
  await home.chela("agent", "-m", "hello");
});
afterAll(() => home[Symbol.asyncDispose]());

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela("audit", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}
const listed = async (...args: string[]): Promise<AuditRecord[]> =>
  JSON.parse(await run("list", "--json", ...args)).records;

it("shows what happened, the newest first, as people and as programs read it", async () => {
  const text = await run("list", "--action", "login", "--action", "model");
  expect(text).toMatch(/^TIME \(UTC\) +ACTOR +ACTION +TARGET +OUTCOME\n/);
  expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +device:[0-9a-f]+… +login +operator +ok/);
  const [newest] = await listed("--action", "login");
  expect(newest).toMatchObject({ action: "login", outcome: "ok", detail: { mode: "cli" } });
  expect(await listed("--action", "model", "--since", "1h")).toHaveLength(1);
  expect(await listed("--until", "2020-01-01")).toEqual([]);
  expect(await listed("--denied")).toEqual([]);
  expect(await run("list", "--actor", "nobody")).toBe("There are no such events.\n");
});

it("shows what one run did", async () => {
  const [model] = await listed("--action", "model");
  const rows = await listed("--trace", String(model?.traceId));
  expect(rows.map(({ action }) => action)).toContain("delivery");
});

it.each([
  [["list", "--since", "yesterday"], /--since yesterday is no time: write how long ago/],
  [["list", "--action", "nonsense"], /tool/],
  [["verify", "--against", "/not/there"], /There is no file/],
])("says what is wrong with %j", async (args, words) => {
  const { code, stderr } = await home.chela("audit", ...args);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(words);
});

it("verifies, and writes a file that only its owner may read", async () => {
  expect(await run("verify")).toMatch(
    /^The audit trail is whole: \d+ events \(1 to \d+\)\.\nIts last hash is [0-9a-f]{64}\n$/,
  );
  expect(await run("export", "--to", kept)).toMatch(
    /^Wrote \d+ events to .*kept\.jsonl\. Keep its last line: the hash is [0-9a-f]{64}\n$/,
  );
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  const lines = readFileSync(kept, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.at(-1)).toMatchObject({ count: lines.length - 1, head: { seq: lines.length - 1 } });
  expect(await run("verify", "--against", kept)).toMatch(/The file agrees with it: \d+ events are the same\./);
  const { code, stderr } = await home.chela("audit", "export", "--to", kept);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
});

it("does the same without a gateway, and finds what was changed meanwhile", async () => {
  await gateway.kill("SIGTERM");
  expect(await run("verify", "--against", kept)).toContain("The file agrees with it");
  expect((await listed("--limit", "2")).length).toBe(2);
  expect((await run("export")).trimEnd().split("\n").at(-1)).toContain('"head"');
  const database = openDatabase(join(home.stateDir, "ledger.sqlite"));
  database.exec("UPDATE audit SET actor = 'nobody' WHERE seq = 2");
  database.close();
  const { code, stdout } = await home.chela("audit", "verify");
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(
      /^The audit trail is not as it was written: 1 problem in [^]*\n {2}Event 2 does not follow/,
    ),
  });
  const asJson = await home.chela("audit", "verify", "--json");
  expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, problems: [{ kind: "changed", seq: 2 }] });
  writeFileSync(kept, readFileSync(kept, "utf8").replace('"login"', '"model"'));
  expect((await home.chela("audit", "verify", "--against", kept)).stdout).toContain("The file does not agree with it");
});
