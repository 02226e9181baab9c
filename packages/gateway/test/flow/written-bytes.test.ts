// What a turn costs the disk: the pages of the ledger it changes, counted in the log they are written to.
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { startTestGateway } from "../support/in-process.ts";

const TURNS = 60;
/** A page of the ledger and what stands before it in the log. */
const FRAME = 1024 + 24;

test.for([
  { what: "one conversation", sessions: 1, pages: 28 },
  { what: "twenty conversations", sessions: 20, pages: 28 },
])("a turn in $what changes no more than $pages pages of the ledger", async ({ sessions, pages }) => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const turn = async (at: number): Promise<void> => {
    gateway.model.script(say("All is well here."));
    const sessionKey = `agent:main:talk-${at % sessions}`;
    const { runId } = await client.call("chat.send", {
      sessionKey,
      message: `How is it going? ${at}`,
      idempotencyKey: `run-${crypto.randomUUID()}`,
    });
    expect(await client.call("agent.wait", { runId })).toMatchObject({ status: "ok" });
  };
  // The first turns open their conversations.
  for (let at = 0; at < sessions; at++) await turn(at);
  const log = join(gateway.stateDir, "ledger.sqlite-wal");
  const before = statSync(log).size;
  for (let at = 0; at < TURNS; at++) await turn(at);
  expect((statSync(log).size - before) / FRAME / TURNS).toBeLessThan(pages);
});
