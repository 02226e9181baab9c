// `chela sessions …` along the tree of a conversation.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

const home = new Household();
beforeAll(async () => void (await home.startGateway()));
afterAll(() => home[Symbol.asyncDispose]());

async function sessions(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela("sessions", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

it("names a point, goes back to it, and finds the way to the other branch", async () => {
  for (const text of ["say one", "say two"]) await home.chela("agent", "-m", text);
  expect(await sessions("checkpoint", "main", "half way")).toBe(
    'This point is named "half way". Come back with: chela sessions rewind main "half way"\n',
  );
  await home.chela("agent", "-m", "say three");
  expect(await sessions("rewind", "main", "half way")).toBe(
    'The conversation goes on after "say two". 2 messages left behind; nothing is lost, a switch leads back.\n',
  );
  expect(await sessions("rewind", "main")).toMatch(/goes on after "say one"/);
  expect(await sessions("rewind", "main", "--turns", "1")).toMatch(/goes on from its beginning/);
  await home.chela("agent", "-m", "say other");
  const shown = await sessions("branches", "main");
  expect(shown).toMatch(/\n\* +\w+ +just now +say other\n +(\w+) +just now +say three\nCheckpoints\n +half way +\w+/);
  const { branches } = JSON.parse(await sessions("branches", "main", "--json"));
  expect(await sessions("switch", "main", branches[1].entryId)).toMatch(/goes on after "say three"/);
});

it("gives a checkpoint another name, and takes it away", async () => {
  await sessions("checkpoint", "main", "for now");
  expect(await sessions("checkpoint", "main", "for now", "--rename", "for good")).toBe(
    '"for now" is called "for good" now.\n',
  );
  expect(await sessions("branches", "main")).toMatch(/Checkpoints\n +for good +\w+/);
  expect(await sessions("checkpoint", "main", "for good", "--remove")).toBe('"for good" is no checkpoint any more.\n');
  expect(await sessions("branches", "main")).not.toContain("for good");
});

it.each([
  [["checkpoint", "main", "gone", "--remove"], /"gone" is not known; checkpoints: half way/],
  [["checkpoint", "main", "half way", "--remove", "--rename", "x"], /either --rename or --remove/],
  [["branches", "agent:main:nobody"], /No session found: agent:main:nobody/],
  [["rewind", "main", "x", "--turns", "1"], /either where to go back, or how many messages/],
  [["switch", "main", "nowhere"], /"nowhere" is not known; checkpoints: half way/],
  [["checkpoint", "main", "x".repeat(65)], /must NOT have more than 64 characters/],
])("refuses `sessions %j`", async (args, says) => {
  const { code, stderr } = await home.chela("sessions", ...args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(says) });
});
