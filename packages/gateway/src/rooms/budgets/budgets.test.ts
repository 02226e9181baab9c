import { describe, expect, it } from "vitest";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { Budgets, type BudgetRule, type Spender } from "./room.ts";

const spender: Spender = { agent: "main", session: "agent:main:main", channel: "webchat", person: "ann", job: "" };
/** A dollar per million of tokens in, two for those out. */
const call = { inputTokens: 1000, inputPrice: 1e-6, outputPrice: 2e-6, maxTokens: 4000 };
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function createStage(rules: readonly BudgetRule[]) {
  const ledger = createMemoryLedger();
  const clock = createFakeClock(new Date(2026, 0, 15, 12).getTime());
  const spend = (usd: number, of: Partial<Spender> = {}) => {
    const { agent, session, ...rest } = { ...spender, ...of };
    const whose = { agentId: agent, sessionKey: session, ...rest, runId: "r", provider: "p", model: "m" };
    const cost = { input: usd, output: 0, cacheRead: 0, cacheWrite: 0 };
    return ledger.commit([{ kind: "usage-add", usage: { ...whose, ...noUsage, input: 100, at: clock.now(), cost } }]);
  };
  return { budgets: new Budgets({ rules: () => rules, ledger, clock }), ledger, clock, spend };
}

async function reserve(budgets: Budgets, who: Spender = spender, estimate = call) {
  await budgets.prepare(who);
  return budgets.reserve(who, estimate);
}

describe("Budgets", () => {
  it("let everything pass when there are none", async () => {
    expect(await reserve(createStage([]).budgets)).toMatchObject({ kind: "granted", maxTokens: 4000, warnings: [] });
  });

  it("count what was spent before the start", async () => {
    const { budgets, spend } = createStage([{ usd: 1 }]);
    await spend(1);
    expect(await reserve(budgets)).toMatchObject({
      kind: "denied",
      why: expect.stringMatching(/daily limit has no room.*\$1\.00 of \$1\.00.*midnight/),
    });
  });

  it("shorten an answer that would pass the limit", async () => {
    const { budgets } = createStage([{ usd: 0.003 }]);
    expect(await reserve(budgets)).toMatchObject({ kind: "granted", maxTokens: 1000 });
  });

  it("never grant more than there is to 32 calls side by side", async () => {
    const { budgets } = createStage([{ usd: 0.05 }, { scope: "agent", tokens: 40_000 }]);
    const grants = await Promise.all(Array.from({ length: 32 }, () => reserve(budgets)));
    const granted = grants.filter((grant) => grant.kind === "granted");
    const tokens = granted.reduce((sum, grant) => sum + call.inputTokens + grant.maxTokens, 0);
    const usd = granted.reduce((sum, grant) => sum + call.inputTokens * 1e-6 + grant.maxTokens * 2e-6, 0);
    expect(granted.length).toBeGreaterThan(2);
    expect(granted.length).toBeLessThan(32);
    expect(tokens).toBeLessThanOrEqual(40_000);
    expect(usd).toBeLessThanOrEqual(0.05 + 1e-12);
  });

  it("give back what a call did not need, once", async () => {
    const { budgets } = createStage([{ tokens: 5000 }]);
    const first = await reserve(budgets);
    expect(await reserve(budgets)).toMatchObject({ kind: "denied" });
    if (first.kind === "granted") for (let times = 0; times < 3; times++) first.settle({ usd: 0, tokens: 1200 });
    expect(await budgets.view(spender)).toMatchObject([{ spent: { tokens: 1200 } }]);
    expect(await reserve(budgets)).toMatchObject({ kind: "granted", maxTokens: 2800 });
  });

  it("warn once when most is spent", async () => {
    const { budgets, spend } = createStage([{ usd: 1 }]);
    await spend(0.85);
    expect(await reserve(budgets)).toMatchObject({ warnings: [expect.stringMatching(/^⚠️ 85 % of the daily limit/)] });
    expect(await reserve(budgets)).toMatchObject({ warnings: [] });
  });

  it("start anew with the next day", async () => {
    const { budgets, spend, clock } = createStage([{ usd: 1 }]);
    await spend(1);
    expect(await reserve(budgets)).toMatchObject({ kind: "denied" });
    clock.advance(13 * 3600_000);
    expect(await reserve(budgets)).toMatchObject({ kind: "granted" });
  });

  it.each([
    [{ scope: "person", usd: 1 } as const, { person: "bob" }, "denied"],
    [{ scope: "person", name: "ann", usd: 1 } as const, { person: "bob" }, "granted"],
    [{ scope: "person", usd: 1 } as const, { person: "" }, "granted"],
    [{ scope: "channel", name: "webchat", period: "month", usd: 1 } as const, {}, "denied"],
    [{ scope: "job", period: "total", usd: 1 } as const, { job: "j" }, "denied"],
    [{ scope: "session", usd: 1 } as const, { session: "agent:main:other" }, "denied"],
  ])("hold %j for %j: %s", async (rule, whose, kind) => {
    const { budgets, spend } = createStage([rule]);
    await spend(2, whose);
    expect(await reserve(budgets, { ...spender, ...whose })).toMatchObject({ kind });
  });

  it("keep each spender's limit apart", async () => {
    const { budgets, spend } = createStage([{ scope: "agent", usd: 1 }]);
    await spend(1, { agent: "greedy" });
    expect(await reserve(budgets, { ...spender, agent: "greedy" })).toMatchObject({ kind: "denied" });
    expect(await reserve(budgets)).toMatchObject({ kind: "granted" });
  });
});
