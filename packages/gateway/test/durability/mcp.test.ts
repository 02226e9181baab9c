// The process is killed while an MCP server starts and while a tool of one runs: nothing is lost, nothing repeated, nobody left behind.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { questionText, startModelServer, type PlannedCall } from "../support/durability/durability-model.ts";
import { createWorkshop, eventually, type StateDirectory } from "../support/durability/durability-workshop.ts";
import { smallServer } from "../support/mcp/mcp-servers.ts";

const plans = new Map<string, readonly PlannedCall[][]>();
const model = await startModelServer({ calls: (question, step) => plans.get(question)?.[step] ?? [] });
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

const SESSION = "agent:main:main";
let states = 0;

async function createState(env: Record<string, string> = {}): Promise<{ state: StateDirectory; notes: string }> {
  const notes = join(workshop.directory, `notes-${(states += 1)}`);
  const small = smallServer({ env: { NOTES: notes, ...env } });
  return { state: await workshop.createState({ config: { mcp: { servers: { small } } } }), notes };
}

const linesOf = (notes: string, start: string): string[] =>
  existsSync(notes)
    ? readFileSync(notes, "utf8")
        .split("\n")
        .filter((line) => line.startsWith(start))
    : [];

/** Processes of servers that were ever started here, and whatever else has its program, as long as they live. */
function living(notes: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(`NOTES=${notes}`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

const none = (notes: string) => eventually("nobody is left behind", () => living(notes).length === 0 || undefined);

test.skipIf(process.platform !== "linux")(
  "a kill while a server starts leaves nobody behind, and the question is answered afterwards",
  async () => {
    const { state, notes } = await createState({ STAYS: "1" });
    const first = workshop.start(state);
    const client = await first.connect();
    const probing = client.request("mcp.probe", { name: "small" }).catch(() => undefined);
    await eventually("it is being started", () => linesOf(notes, "started").length > 0 || undefined);
    await first.kill();
    await probing;
    await none(notes);
    const second = workshop.start(state);
    const again = await second.connect();
    await again.call("mcp.approve", { name: "small" });
    plans.set("q1", [[{ name: "small__echo", arguments: { text: "here" } }]] as unknown as PlannedCall[][]);
    const params = { sessionKey: SESSION, message: questionText("q1", 1), idempotencyKey: "q1" };
    await again.call("chat.send", params);
    expect(await again.call("agent.wait", { runId: "q1", timeoutMs: 20_000 })).toMatchObject({ status: "ok" });
    expect(linesOf(notes, "called echo")).toHaveLength(1);
    await second.kill("SIGTERM");
    await none(notes);
  },
  60_000,
);

test.skipIf(process.platform !== "linux")(
  "a kill while a tool runs repeats no call and leaves nobody behind",
  async () => {
    const { state, notes } = await createState({ STAYS: "1" });
    const first = workshop.start(state);
    const client = await first.connect();
    await client.call("mcp.approve", { name: "small" });
    plans.set("q2", [[{ name: "small__hang", arguments: {} }]] as unknown as PlannedCall[][]);
    await client.call("chat.send", { sessionKey: SESSION, message: questionText("q2", 1), idempotencyKey: "q2" });
    await eventually("it runs", () => linesOf(notes, "hangs").length > 0 || undefined);
    await first.kill();
    await none(notes);
    const second = workshop.start(state);
    const again = await second.connect();
    expect(await again.call("agent.wait", { runId: "q2", timeoutMs: 20_000 })).toMatchObject({ status: "ok" });
    expect(linesOf(notes, "called hang")).toHaveLength(1);
    const { messages } = await again.call("chat.history", { sessionKey: SESSION, limit: 10 });
    expect(JSON.stringify(messages)).toContain("Whether it took effect is not known");
    await second.kill("SIGTERM");
    await none(notes);
  },
  60_000,
);

test.skipIf(process.platform !== "linux")(
  "two hundred turns, and starts in between, have one process at a time and leave none",
  async () => {
    const { state, notes } = await createState();
    for (let life = 0; life < 4; life += 1) {
      const gateway = workshop.start(state);
      const client = await gateway.connect();
      if (life === 0) await client.call("mcp.approve", { name: "small" });
      for (let turn = 0; turn < 50; turn += 1) {
        const name = `qt${life}-${turn}`;
        plans.set(name, [[{ name: "small__echo", arguments: { text: name } }]] as unknown as PlannedCall[][]);
        await client.call("chat.send", {
          sessionKey: `${SESSION}-${turn % 5}`,
          message: questionText(name, 1),
          idempotencyKey: name,
        });
        expect(await client.call("agent.wait", { runId: name, timeoutMs: 20_000 })).toMatchObject({ status: "ok" });
      }
      expect(linesOf(notes, "started").length).toBeLessThanOrEqual(life + 1);
      await gateway.kill(life % 2 === 0 ? "SIGKILL" : "SIGTERM");
      await none(notes);
    }
    expect(linesOf(notes, "called echo")).toHaveLength(200);
  },
  120_000,
);
