// Sessions nobody uses any more are put away without anybody asking for it, and come back whole.
import { expect, test } from "vitest";
import { eventually, startTestGateway } from "../support/in-process.ts";
import { createSkippingClock } from "../support/durability/skipping-clock.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test("a session that was left alone for a month is archived by itself; the main one stays", async () => {
  const clock = createSkippingClock();
  await using gateway = await startTestGateway({ clock });
  const client = await gateway.connect();
  await client.agent("remember the plums", { sessionKey: "agent:main:old" });
  await client.agent("hello", { sessionKey: "agent:main:main" });
  const keys = async (): Promise<string[]> =>
    (await client.call("sessions.list", {})).sessions.map(({ key }: { key: string }) => key).toSorted();
  clock.skip(29 * DAY);
  await client.agent("still here", { sessionKey: "agent:main:young" });
  expect(await keys()).toEqual(["agent:main:main", "agent:main:old", "agent:main:young"]);
  clock.skip(2 * DAY);
  const left = ["agent:main:main", "agent:main:young"];
  await eventually("the old one is put away", async () => (await keys()).join() === left.join() || undefined);
  const { sessions } = await client.call("sessions.deleted", { key: "agent:main:old" });
  await client.call("sessions.restore", { id: sessions[0].id });
  const { messages } = await client.call("chat.history", { sessionKey: "agent:main:old" });
  expect(JSON.stringify(messages)).toContain("remember the plums");
});
