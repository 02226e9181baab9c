// What a tool told the agent, and the agent merely says again, is nothing that a conversation taught.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { remembering, writeNote } from "../support/stages/memory-stage.ts";
import type { WireClient } from "../support/wire-client.ts";

const LISTING = `-rw-r--r-- 1 root 2027-05-07 notes.txt
-rw-r--r-- 1 root 2027-10-17 plan.txt
Contact of the shop: orders@blue-harbor.example, Blue Harbor Ltd
The dentist is on 3 May. See https://shop.example/catalogue for more.
`;
const REPEATED = `Here it is: notes.txt is of 2027-05-07 and plan.txt of 2027-10-17.
The contact is orders@blue-harbor.example at Blue Harbor Ltd, and the dentist is on 3 May.
See https://shop.example/catalogue for more.`;

describe("what a tool told", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway({ config: remembering() });
    client = await gateway.connect();
    writeNote(gateway.stateDir, "listing.txt", LISTING);
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const subjects = async () =>
    (await client.call("memory.facts", {})).facts.map(({ subject }: { subject: string }) => subject);

  it("teaches nothing when the agent says it again; what the person says does, and so does what the agent adds", async () => {
    const { model } = gateway;
    model.script(callTool("read", { path: "listing.txt" }), say(REPEATED));
    await client.agent("What is in the listing?");
    model.script(say("The interview with Marta is on 12 June."));
    await client.agent("My accountant is called Rolf.");
    expect((await subjects()).toSorted()).toEqual(["Rolf", "interview with Marta"]);
  });
});
