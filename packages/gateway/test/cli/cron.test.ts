// `chela cron …` against a running gateway: made, shown in words, changed, run and taken away.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

const home = new Household({ TZ: "UTC" });
beforeAll(async () => void (await home.startGateway()));
afterAll(() => home[Symbol.asyncDispose]());

async function chela(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela("cron", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

it("keeps jobs as a person speaks of them", async () => {
  expect(await chela("list", "--all")).toMatch(/^There are no jobs\. /);
  expect(await chela("list")).toMatch(/^There are no jobs\. /);
  const added = await chela(
    "add",
    "--name",
    "Brief",
    "--cron",
    "30 7 * * 1-5",
    "--tz",
    "Europe/Stockholm",
    "--message",
    "news",
  );
  expect(added).toMatch(
    /^Added: Brief \([0-9a-f-]{36}\), at 07:30 on weekdays \(Europe\/Stockholm\)\nnext: \w{3} 07:30 Europe\/Stockholm, in /,
  );
  expect(await chela("create", "--at", "tomorrow 9:00", "--system-event", "call mum")).toMatch(
    /next: \w{3} 09:00 UTC, in /,
  );
  expect(await chela("add", "--name", "Disk", "--every", "15m", "--exec", "echo fine")).toMatch(/every 15 minutes/);
  const listed = await chela("list");
  expect(listed).toMatch(/Brief +at 07:30 on weekdays/);
  expect(listed).toMatch(/Disk +every 15 minutes/);
  expect((await chela("next", "--count", "4")).trim().split("\n")).toHaveLength(4);

  expect(await chela("run", "Disk")).toMatch(/^Begun: Disk/);
  await expect.poll(() => chela("runs", "Disk")).toMatch(/Disk +ok +– +0 s +fine/);
  expect(await chela("edit", "Disk", "--every", "1h", "--name", "Disks")).toMatch(/^Changed: Disks \(.+\), every hour/);
  expect(await chela("disable", "Disks")).toMatch(/It does not run by itself/);
  expect(await chela("list")).not.toContain("Disks");
  expect(await chela("enable", "Disks")).toMatch(/next: /);
  const [id = ""] = /^[0-9a-f]{8}(?= +Disks)/m.exec(await chela("list")) ?? [];
  expect(await chela("rm", "Disks")).toBe("Removed: Disks.\n");
  expect(await chela("runs", id)).toMatch(/ok +– +0 s +fine/);
  expect(await chela("status")).toMatch(/^Jobs run by themselves.\n2 jobs; the next is due in /);
  expect(JSON.parse(await chela("list", "--json"))).toMatchObject({ total: 2 });
});

it.each<[string[], RegExp]>([
  [["add", "--message", "x"], /When\? Write --at/],
  [["add", "--every", "1h"], /What\? Write --message/],
  [["add", "--every", "1h", "--at", "noon", "--message", "x"], /cannot go together/],
  [["add", "--cron", "99 * * * *", "--message", "x"], /minute is "99"/],
  [["run", "nobody"], /There is no job "nobody"/],
  [["runs", "nobody"], /There is no job "nobody"/],
  [["rm", ""], /Which job\?/],
])("says what is wrong with %j", async (args, why) => {
  const { code, stderr } = await home.chela("cron", ...args);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(why);
});
