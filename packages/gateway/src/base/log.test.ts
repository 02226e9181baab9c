// The log goes on when its file cannot be written, and comes back to it when it can.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@chela/sdk/testing";
import { afterAll, expect, test } from "vitest";
import { createLog } from "./log.ts";

const root = mkdtempSync(join(tmpdir(), "chela-log-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a log file that cannot be written is reported once and used again later", async () => {
  const clock = createFakeClock(1_000_000);
  const told: string[] = [];
  const place = join(root, "logs");
  writeFileSync(place, "a file where the directory should be");
  const log = createLog({
    clock,
    level: "info",
    consoleLevel: "silent",
    console: (text) => told.push(text),
    file: () => join(place, "today.log"),
  });
  for (const text of ["first", "second"]) {
    log.info(text);
    await clock.advance(1_000);
  }
  expect(told).toEqual([expect.stringContaining("cannot be written")]);
  rmSync(place);
  mkdirSync(place);
  await clock.advance(60_000);
  log.info("third");
  await clock.advance(1_000);
  expect(readFileSync(join(place, "today.log"), "utf8")).toContain('"msg":"third"');
  expect(told).toHaveLength(1);
});

test("a line can be read by OpenClaw's own clients as well as by ours, and no form of it holds a secret", async () => {
  const clock = createFakeClock(1_000_000);
  const path = join(root, "both-forms.log");
  const log = createLog({ clock, level: "info", consoleLevel: "silent", file: () => path });
  const secret = 'pass"word\\with-quotes';
  log.addSecret(secret);
  log.child({ subsystem: "post" }).warn("not delivered", { to: "ann", why: `it said ${secret}` });
  log.info("plain");
  log.flush();
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ level: "warn", msg: "not delivered", to: "ann", time: "1970-01-01T00:16:40.000Z" });
  expect(lines[0]).toMatchObject({
    0: '{"subsystem":"post"}',
    1: "not delivered",
    2: { to: "ann", why: "it said [redacted]" },
    _meta: { logLevelId: 4, logLevelName: "WARN", date: "1970-01-01T00:16:40.000Z" },
  });
  expect(lines[1]).toMatchObject({ 0: "plain", _meta: { logLevelName: "INFO" } });
  expect(lines[1]).not.toHaveProperty("1");
  expect(readFileSync(path, "utf8")).not.toContain("word");
});
