// The trail as it is written: soon, together, never silently lost, and never by the thousand for one who knocks.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GatewayError, type Change, type Ledger, type Logger } from "@chela/sdk";
import { createFakeClock, createMemoryLedger, type FakeClock } from "@chela/sdk/testing";
import { AuditTrail, auditChange, refusedLoginEvent, type NewAuditEvent } from "./room.ts";

const login = (actor: string): NewAuditEvent => ({ action: "login", actor, target: "operator", outcome: "ok" });

let stateDir: string;
let ledger: Ledger;
let clock: FakeClock;
let trail: AuditTrail;
let errors: string[];
let tellings: number;
let commits: number;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "chela-trail-"));
  ledger = createMemoryLedger();
  clock = createFakeClock();
  [errors, tellings, commits] = [[], 0, 0];
  const log = { debug() {}, info() {}, warn() {}, error: (text: string) => void errors.push(text) };
  trail = new AuditTrail({
    ledger,
    clock,
    stateDir,
    log: log as unknown as Logger,
    changed: () => void (tellings += 1),
  });
  ledger.onCommit((note) => void (commits += note.commits.length));
});
afterEach(async () => {
  await trail.close();
  rmSync(stateDir, { recursive: true, force: true });
});

const actors = async (): Promise<string[]> =>
  (await ledger.audit({ limit: 100, order: "oldest" })).map(({ actor }) => actor);

function failing(work: (commit: Ledger["commit"]) => Ledger["commit"]): () => void {
  const { commit } = ledger;
  ledger.commit = work(commit.bind(ledger));
  return () => void (ledger.commit = commit);
}
const full = () => failing(() => async () => Promise.reject(new GatewayError("STORE_FULL", "no room")));

describe("what is noted", () => {
  it("is committed together within a tenth of a second, with the time it happened", async () => {
    trail.note(login("one"));
    await clock.advance(60);
    trail.note(login("two"));
    expect(commits).toBe(0);
    await clock.advance(40);
    expect(await actors()).toEqual(["one", "two"]);
    expect(commits).toBe(1);
    const [one, two] = await ledger.audit({ limit: 2, order: "oldest" });
    expect((two?.at ?? 0) - (one?.at ?? 0)).toBe(60);
  });

  it("is written when the gateway stops", async () => {
    trail.note(login("one"));
    await trail.close();
    expect(await actors()).toEqual(["one"]);
  });

  it("is kept, loudly, until it can be written, and stays in order", async () => {
    const repair = full();
    trail.note(login("one"));
    await clock.advance(100);
    trail.note(login("two"));
    expect(errors.join()).toContain("could not be written");
    repair();
    await clock.advance(5000);
    expect(await actors()).toEqual(["one", "two"]);
  });

  it("tells of more than can be kept", async () => {
    const repair = full();
    for (let one = 0; one <= 10_000; one++) trail.note(login(`l${one}`));
    expect(errors.join()).toContain("too many wait");
    repair();
    await trail.flush();
    expect(await ledger.countAudit({})).toBe(10_000);
  });

  it("is told to those who look on, at once and then every two seconds", async () => {
    for (let round = 0; round < 10; round++) {
      trail.note(login("one"));
      await trail.flush();
    }
    expect(tellings).toBe(1);
    await clock.advance(2000);
    expect(tellings).toBe(2);
    await clock.advance(10_000);
    expect(tellings).toBe(2);
    await ledger.commit([auditChange(login("two"), 1)]);
    expect(tellings).toBe(3);
  });
});

describe("what must be safe before anybody is told", () => {
  it("is waited for", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    failing((commit) => async (changes: readonly Change[]) => promise.then(() => commit(changes)));
    trail.noteAtOnce(login("one"));
    let isSettled = false;
    const waiting = trail.settled().then(() => (isSettled = true));
    await new Promise((done) => setImmediate(done));
    expect(isSettled).toBe(false);
    resolve();
    await waiting;
    expect(await actors()).toEqual(["one"]);
  });

  it("is told when it could not be written, and written later", async () => {
    const repair = full();
    trail.noteAtOnce(login("one"));
    await expect(trail.settled()).rejects.toMatchObject({ code: "AUDIT_WRITE" });
    repair();
    // Whoever comes later did nothing that is not written.
    await trail.settled();
    await clock.advance(5000);
    expect(await actors()).toEqual(["one"]);
  });
});

it("knows in whose name something is done, until it is done", async () => {
  expect(trail.actor).toBeUndefined();
  const later = trail.inNameOf("device:3", async () => {
    await clock.advance(1);
    return trail.actor;
  });
  expect(trail.actor).toBeUndefined();
  expect(await later).toBe("device:3");
  const inside = trail.inNameOf("device:1", () => [
    trail.actor,
    trail.inNameOf("device:2", () => trail.actor),
    trail.actor,
  ]);
  expect(inside).toEqual(["device:1", "device:2", "device:1"]);
  expect(() =>
    trail.inNameOf("device:1", () => {
      throw new Error("broken");
    }),
  ).toThrow("broken");
  expect(trail.actor).toBeUndefined();
});

describe("those who are turned away", () => {
  const refused = (ip: string) => refusedLoginEvent({ surface: "ws", ip, why: "unauthorized" });

  it("are written down twenty a minute, and counted beyond that", async () => {
    for (let one = 0; one < 50; one++) trail.refusedLogins.add(refused(`192.0.2.${one}`));
    await clock.advance(1000);
    expect(await ledger.countAudit({ outcomes: ["denied"] })).toBe(20);
    await clock.advance(60_000);
    const [last] = await ledger.audit({ limit: 1 });
    expect(last).toMatchObject({ actor: "many", outcome: "denied", detail: { count: 30 } });
    expect(await ledger.countAudit({})).toBe(21);
    trail.refusedLogins.add(refused("192.0.2.99"));
    await clock.advance(100);
    expect((await ledger.audit({ limit: 1 }))[0]?.actor).toBe("address:192.0.2.99");
  });

  it("are counted when the gateway stops", async () => {
    for (let one = 0; one < 23; one++) trail.refusedLogins.add(refused("192.0.2.1"));
    await trail.close();
    expect((await ledger.audit({ limit: 1 }))[0]).toMatchObject({ actor: "many", detail: { count: 3 } });
  });
});

describe("a credential", () => {
  const uses = async () =>
    (await ledger.audit({ limit: 10, order: "oldest" })).map(({ target, detail }) => [target, detail]);

  it("that is used again and again leaves a row at first, and then every ten minutes", async () => {
    for (let one = 0; one < 5; one++) trail.credentials.used("openai", "models.providers.openai");
    trail.credentials.used("openai", "tools.web.search");
    await trail.flush();
    const first = { step: "used", for: "models.providers.openai", times: 1 };
    expect(await uses()).toEqual([
      ["openai", first],
      ["openai", { ...first, for: "tools.web.search" }],
    ]);
    await clock.advance(10 * 60_000);
    trail.credentials.used("openai", "models.providers.openai");
    await trail.flush();
    expect((await uses()).at(-1)).toEqual(["openai", { ...first, times: 5 }]);
  });

  it("is counted to the end when the gateway stops", async () => {
    for (let one = 0; one < 3; one++) trail.credentials.used("openai", "a");
    await trail.close();
    expect((await uses()).map(([, detail]) => (detail as { times: number }).times)).toEqual([1, 2]);
  });

  it("is one of many that are remembered", async () => {
    for (let one = 0; one < 600; one++) trail.credentials.used(`c${one}`, "a");
    trail.credentials.used("c599", "a");
    trail.credentials.used("c0", "a");
    await trail.flush();
    expect(await ledger.countAudit({})).toBe(601);
  });
});

describe("the anchor", () => {
  const head = () => JSON.parse(readFileSync(join(stateDir, "audit.head"), "utf8")) as { seq: number; hash: string };
  const write = (count: number) =>
    ledger.commit(Array.from({ length: count }, (_, one) => auditChange(login(`l${one}`), one)));

  it("is written with the first event, after a thousand, after a minute, and at the end; only its owner may read it", async () => {
    await write(1);
    await clock.advance(0);
    expect(head().seq).toBe(1);
    await write(999);
    await clock.advance(1);
    expect(head().seq).toBe(1);
    await write(1);
    await clock.advance(0);
    expect(head().seq).toBe(1001);
    expect(statSync(join(stateDir, "audit.head")).mode & 0o777).toBe(0o600);
    await write(5);
    await clock.advance(60_000);
    expect(head().seq).toBe(1006);
    await write(1);
    await trail.close();
    expect(head()).toEqual({ seq: 1007, hash: (await ledger.audit({ limit: 1 }))[0]?.hash });
  });
});
