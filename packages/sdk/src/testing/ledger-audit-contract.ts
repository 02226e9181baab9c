// Contract tests for every ledger about the audit trail and people. Part of the ledger's contract.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { AUDIT_ORIGIN, auditText, type AuditEvent, type AuditQuery } from "../audit.ts";
import type { Ledger } from "../ledger.ts";
import type { Person } from "../people.ts";

const AT = Date.UTC(2026, 0, 15, 12);

const event = (target: string, over: Partial<AuditEvent> = {}): AuditEvent => ({
  at: AT,
  action: "tool",
  actor: "telegram:default:7",
  target,
  outcome: "ok",
  ...over,
});
const add = (target: string, over: Partial<AuditEvent> = {}) =>
  ({ kind: "audit-add", event: event(target, over) }) as const;
const person = (id: string, name: string): Person => ({
  id,
  name,
  role: "member",
  ids: [{ channel: "telegram", id: "7" }],
  createdAt: AT,
  updatedAt: AT,
});

type WithLedger = (work: (ledger: Ledger) => Promise<void>) => () => Promise<void>;

export function testAudit(name: string, withLedger: WithLedger): void {
  describe(`${name} keeps the ledger's promises: audit and people`, () => {
    it(
      "chains each event to the one before it",
      withLedger(async (ledger) => {
        expect(await ledger.auditBase()).toEqual({ seq: 0, hash: AUDIT_ORIGIN });
        await ledger.commit([add("read", { detail: { args: { path: "a" } } }), add("write", { traceId: "r1" })]);
        await ledger.commit([add("exec", { agentId: "main", sessionKey: "agent:main:main", channel: "telegram" })]);
        const rows = await ledger.audit({ limit: 10, order: "oldest" });
        expect(rows.map(({ seq, target }) => [seq, target])).toEqual([
          [1, "read"],
          [2, "write"],
          [3, "exec"],
        ]);
        let before = AUDIT_ORIGIN;
        for (const row of rows) {
          const text = auditText(before, row.seq, row, JSON.stringify(row.detail));
          expect(row.hash).toBe(createHash("sha256").update(text).digest("hex"));
          before = row.hash;
        }
      }),
    );
    it(
      "writes an event with the change it tells of, or neither",
      withLedger(async (ledger) => {
        const errand = { runId: "e", kind: "cron", owner: "j", agentId: "main", sessionKey: "s", work: {} } as const;
        const change = { kind: "errand-add", errand: { ...errand, dueAt: AT, createdAt: AT } } as const;
        await ledger.commit([change]);
        await expect(ledger.commit([add("lost"), change])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
        expect(await ledger.countAudit({})).toBe(0);
        await ledger.commit([add("first")]);
        expect(await ledger.audit({ limit: 1 })).toMatchObject([{ seq: 1, target: "first" }]);
      }),
    );
    it(
      "lets go of the oldest and goes on with the chain",
      withLedger(async (ledger) => {
        await ledger.commit(["a", "b", "c"].map((target) => add(target)));
        const [, second] = await ledger.audit({ limit: 3, order: "oldest" });
        await ledger.commit([{ kind: "audit-forget", upTo: 2 }]);
        expect(await ledger.auditBase()).toEqual({ seq: 2, hash: second?.hash });
        expect((await ledger.audit({ limit: 9 })).map(({ target }) => target)).toEqual(["c"]);
        await ledger.commit([{ kind: "audit-forget", upTo: 3 }, add("d")]);
        const [last] = await ledger.audit({ limit: 1 });
        const base = await ledger.auditBase();
        expect(base.seq).toBe(3);
        expect(last?.seq).toBe(4);
        const text = auditText(base.hash, 4, event("d"), "{}");
        expect(last?.hash).toBe(createHash("sha256").update(text).digest("hex"));
      }),
    );
    it.each<[string, Omit<AuditQuery, "limit">, string[]]>([
      ["everything, newest first", {}, ["config.x", "exec", "read"]],
      ["one action", { actions: ["config"] }, ["config.x"]],
      ["what was denied", { outcomes: ["denied", "failed"] }, ["exec"]],
      ["one actor", { actor: "cli" }, ["config.x"]],
      ["one agent", { agentId: "main" }, ["exec"]],
      ["one conversation", { sessionKey: "agent:main:main" }, ["exec"]],
      ["one channel", { channel: "irc" }, ["exec"]],
      ["one run", { traceId: "r1" }, ["read"]],
      ["words of the target", { search: "CONFIG" }, ["config.x"]],
      ["words of the details", { search: "secret.txt" }, ["read"]],
      ["a time", { from: AT + 1, to: AT + 2 }, ["exec"]],
      ["what follows", { afterSeq: 1, order: "oldest" }, ["exec", "config.x"]],
      ["what came before", { beforeSeq: 3 }, ["exec", "read"]],
    ])("finds %s", (_what, query, targets) =>
      withLedger(async (ledger) => {
        const place = { agentId: "main", sessionKey: "agent:main:main", channel: "irc" };
        await ledger.commit([
          add("read", { traceId: "r1", detail: { path: "secret.txt" } }),
          add("exec", { at: AT + 1, outcome: "denied", ...place }),
          add("config.x", { at: AT + 2, action: "config", actor: "cli" }),
        ]);
        expect((await ledger.audit({ ...query, limit: 10 })).map(({ target }) => target)).toEqual(targets);
        const { order: _order, ...asked } = query;
        expect(await ledger.countAudit(asked)).toBe(targets.length);
      })(),
    );
    it(
      "keeps people by their id",
      withLedger(async (ledger) => {
        await ledger.commit([
          { kind: "person-put", person: person("b", "Bea") },
          { kind: "person-put", person: person("a", "Zoe") },
        ]);
        await ledger.commit([{ kind: "person-put", person: person("a", "Ann") }]);
        expect(await ledger.people()).toEqual([person("a", "Ann"), person("b", "Bea")]);
        await ledger.commit([{ kind: "person-delete", id: "a" }]);
        expect((await ledger.people()).map(({ id }) => id)).toEqual(["b"]);
      }),
    );
  });
}
