// S-31: who asks and does not read the answers is shown out before they fill the memory.
import { expect, test } from "vitest";
import { MAX_BUFFERED_BYTES } from "@chela/sdk/protocol";
import { eventually, startTestGateway } from "../support/in-process.ts";

test("S-31: answers nobody reads are kept up to a limit", async () => {
  await using gateway = await startTestGateway();
  const [greedy, modest] = await Promise.all([gateway.connect(), gateway.connect()]);
  const params = { agentId: "main", name: "USER.md" };
  await modest.call("agents.files.set", { ...params, content: "x".repeat(1_900_000) });
  greedy.stopReading();
  // Twice the limit, so that what the kernel keeps for both sides does not matter.
  for (let sent = 0; sent < 2 * MAX_BUFFERED_BYTES; sent += 1_900_000)
    greedy.sendText(JSON.stringify({ type: "req", id: `r${sent}`, method: "agents.files.get", params }));
  await eventually("the slow reader is shown out", () => gateway.readLog().includes("was shown out") || undefined);
  await eventually("it is gone", () => gateway.readLog().includes("client left") || undefined);
  greedy.readOn();
  await greedy.closed;
  expect((await modest.request("health")).ok).toBe(true);
});
