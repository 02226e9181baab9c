// The memory keeper is a process of its own: it is there while it has something to do, and gone within a minute after.
import { expect, it } from "vitest";
import { createFakeClock, say, type FakeClock } from "@chela/sdk/testing";
import { eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { endKeepers, found, keepersOf, remembering, writeNote } from "../support/stages/memory-stage.ts";
import type { WireClient } from "../support/wire-client.ts";

const MINUTE = 60_000;

interface House {
  readonly gateway: TestGateway;
  readonly client: WireClient;
  readonly clock: FakeClock;
}

it.each([
  [
    "a note was looked for",
    async ({ gateway, client }: House) => {
      writeNote(gateway.stateDir, "memory/boat.md", "# Boat\n\nThe winter berth is in Kappeln.\n");
      expect(await found(client, "winter berth")).toMatchObject([{ path: "memory/boat.md" }]);
    },
  ],
  [
    "a conversation was learned from",
    async ({ gateway, client, clock }: House) => {
      gateway.model.script(say("Noted."));
      await client.agent("My sister is called Marta.");
      // What the gateway does by itself some time after somebody talked is done, too.
      await clock.advance(MINUTE);
      expect(JSON.stringify((await client.call("memory.facts", {})).facts)).toContain("Marta");
    },
  ],
])("a minute after %s, no process of its memory is left", async (_what, work) => {
  await endKeepers();
  const clock = createFakeClock();
  await using gateway = await startTestGateway({ config: remembering(), clock });
  await work({ gateway, client: await gateway.connect(), clock });
  expect(keepersOf()).toHaveLength(1);
  await clock.advance(MINUTE);
  await eventually("the keeper has ended", () => keepersOf().length === 0);
});
