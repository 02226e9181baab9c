// Commands while no gateway answers: what they do beside one that starts, beside each other, and when they are killed.
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "@chela/sdk/base";
import { acquireGatewayLock, stateLockPath } from "../../src/base/locks/gateway-lock.ts";
import { inspectLock } from "../../src/base/locks/holder.ts";
import { askOffline } from "../../src/cli/offline/ask-offline.ts";
import { openTerminal } from "../../src/base/terminal/terminal.ts";
import { Household } from "../support/durability/child-gateway.ts";

const NOBODY = { OPENCLAW_GATEWAY_PORT: "9" };

function lockOf({ stateDir }: Household) {
  return acquireGatewayLock({ stateDir, configPath: join(stateDir, "openclaw.json"), clock: systemClock });
}

it("while somebody else holds the ledger, files are changed all the same, and the ledger is left alone", async () => {
  await using home = new Household(NOBODY);
  const lock = lockOf(home);
  try {
    expect(await home.chela("people", "add", "ann")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^This needs the ledger for itself, and a gateway uses it: .*\nStop it with `chela gateway stop`/,
      ),
    });
    expect(await home.chela("credential", "add", "mail", "--env", "MAIL_KEY")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Kept as mail."),
      stderr: expect.stringMatching(/^This is not in the audit trail: This needs the ledger for itself/),
    });
    expect(await home.chela("hooks", "enable", "command-logger")).toMatchObject({ code: 0, stderr: "" });
  } finally {
    lock.release();
  }
  expect((await home.chela("credential", "list")).stdout).toContain("mail");
  expect(await home.chela("people", "add", "ann")).toMatchObject({ code: 0 });
});

it("of several at once each one that said so has done it", async () => {
  await using home = new Household(NOBODY);
  const names = ["ann", "bob", "cid", "dan"];
  const done = await Promise.all(names.map((name) => home.chela("people", "add", name)));
  for (const { code, stderr } of done) expect(code === 0 || stderr.includes("needs the ledger for itself")).toBe(true);
  const { people } = JSON.parse((await home.chela("people", "list", "--json")).stdout);
  const known = names.filter((_name, at) => done[at]?.code === 0);
  expect(known.length).toBeGreaterThan(0);
  expect(people.map(({ id }: { id: string }) => id).toSorted()).toEqual(known);
});

it("one that is killed leaves nothing half done, and no lock behind", async () => {
  await using home = new Household(NOBODY);
  expect(await home.chela("people", "add", "ann", "telegram:1")).toMatchObject({ code: 0 });
  const lockFile = stateLockPath(home.stateDir);
  for (const name of ["Ann A", "Ann B", "Ann C"]) {
    const program = home.start(["people", "edit", "ann", "--name", name]);
    // In the middle of its work: it holds the ledger.
    const isAtIt = () => inspectLock(lockFile, systemClock).kind === "held" || program.process.exitCode !== null;
    await expect.poll(isAtIt, { interval: 1, timeout: 20_000 }).toBe(true);
    await program.kill("SIGKILL");
    const { people } = JSON.parse((await home.chela("people", "list", "--json")).stdout);
    expect(people).toMatchObject([{ id: "ann", name: expect.stringMatching(/^ann$|^Ann [ABC]$/), ids: [{ id: "1" }] }]);
  }
  expect(await home.chela("people", "edit", "ann", "--name", "Ann")).toMatchObject({ code: 0 });
  const { records } = JSON.parse((await home.chela("audit", "list", "--action", "people", "--json")).stdout);
  expect(records[0]).toMatchObject({ actor: "cli", target: "ann" });
  expect(await home.chela("audit", "verify")).toMatchObject({ code: 0 });
});

it("what needs a gateway says so", async () => {
  await using home = new Household(NOBODY);
  const call = { env: { OPENCLAW_STATE_DIR: home.stateDir }, state: {}, terminal: openTerminal({}, false) };
  await expect(askOffline(call)("cron.list")).rejects.toThrow("cron.list needs a running gateway.");
});
