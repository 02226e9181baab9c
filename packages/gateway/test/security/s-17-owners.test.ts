// S-17: who is an owner is believed of the gateway and its command line, not of whoever writes a file while agents run.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeChannel, say } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

const CONFIG = { channels: { fake: { token: "t", dmPolicy: "pairing" } }, messages: { queue: { mode: "followup" } } };

async function open(stateDir: string) {
  const fake = createFakeChannel();
  const gateway = await startTestGateway({ stateDir, channels: { fake: fake.channel } });
  await fake.untilConnected();
  return { fake, gateway };
}

type Opened = Awaited<ReturnType<typeof open>>;
let count = 0;

/** Whether somebody who speaks is offered what is for owners. */
async function isOwner({ fake, gateway }: Opened, from: string): Promise<boolean> {
  const words = `it is me ${(count += 1)}`;
  gateway.model.script(say("fine"));
  await fake.say(words, { from, id: words });
  const asked = await eventually("an answer", () =>
    gateway.model.requests.find(({ messages }) => JSON.stringify(messages.at(-1)).includes(words)),
  );
  return asked.tools.some(({ name }) => name === "gateway");
}

function write(gateway: Pick<TestGateway, "stateDir">, name: string, ids: readonly string[]): void {
  const folder = join(gateway.stateDir, "credentials");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify({ version: 1, allowFrom: ids, owners: ids }));
}

test("S-17: whoever is written into a list while the gateway runs may speak, and is no owner, by either name of the file", async () => {
  using state = createStateDirectory(CONFIG);
  const opened = await open(state.path);
  await using _gateway = opened.gateway;
  write(opened.gateway, "fake-allowFrom.json", ["bob"]);
  expect(await isOwner(opened, "bob")).toBe(false);
  write(opened.gateway, "fake-default-allowFrom.json", ["carol"]);
  expect(await isOwner(opened, "carol")).toBe(false);
  expect(opened.gateway.readLog()).toContain("was changed by somebody else while agents could run commands");
  countCases("S-17", 2);
});

test("S-17: an owner who was written in before a start is one, after it or after a kill nobody new is", async () => {
  using state = createStateDirectory(CONFIG);
  write({ stateDir: state.path }, "fake-allowFrom.json", ["ann"]);
  const first = await open(state.path);
  expect(await isOwner(first, "ann")).toBe(true);
  write(first.gateway, "fake-allowFrom.json", ["ann", "bob"]);
  expect(await isOwner(first, "bob")).toBe(false);
  await first.gateway[Symbol.asyncDispose]();
  const second = await open(state.path);
  await using _gateway = second.gateway;
  expect([await isOwner(second, "ann"), await isOwner(second, "bob")]).toEqual([true, false]);
  countCases("S-17", 2);
});

test("S-17: an owner made by an approval stays one; to take files away makes nobody else one", async () => {
  using state = createStateDirectory(CONFIG);
  const opened = await open(state.path);
  await using _gateway = opened.gateway;
  const approve = async (from: string): Promise<void> => {
    await opened.fake.say("hello", { from, id: `hello-${from}` });
    const admin = await opened.gateway.connect();
    const { requests } = await eventually("they wait", async () => {
      const found = await admin.call("pairing.list", { channel: "fake" });
      return found.requests.length > 0 ? found : undefined;
    });
    await admin.call("pairing.approve", { channel: "fake", code: requests[0].code });
  };
  await approve("ann");
  expect(await isOwner(opened, "ann")).toBe(true);
  rmSync(join(opened.gateway.stateDir, "credentials"), { recursive: true });
  await approve("mallory");
  expect(await isOwner(opened, "mallory")).toBe(false);
  countCases("S-17", 1);
});
