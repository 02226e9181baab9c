// `chela channels login` at a gateway in this process, since no platform links accounts without a telephone.
import { expect, it } from "vitest";
import { renderUnicodeCompact } from "uqr";
import { withGateway } from "../../src/cli/connect/gateway-caller.ts";
import { login } from "../../src/rooms/channels/cli/channels.ts";
import { eventually, startTestGateway } from "../support/in-process.ts";
import { createOperatorChannel } from "../support/operator-channel.ts";

const plain = (text: string): string => text;

async function openStage() {
  const operated = createOperatorChannel();
  const gateway = await startTestGateway({
    channels: { fake: operated.channel },
    config: { channels: { fake: { token: "t" } } },
  });
  await operated.fake.untilConnected();
  operated.fake.cut({ why: "not linked", isFinal: true });
  const client = await gateway.connect();
  await eventually("it is stopped", async () => {
    const { channelAccounts } = await client.call("channels.status");
    return channelAccounts.fake[0].lastDisconnect;
  });
  const printed: string[] = [];
  const values: Record<string, string> = { url: gateway.url, token: gateway.token, channel: "fake" };
  const call = withGateway({
    path: ["channels", "login"],
    args: [],
    flags: { has: (name) => name in values, text: (name) => values[name], number: () => undefined, list: () => [] },
    terminal: {
      style: { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain },
      columns: 80,
      isInteractive: false,
      write: (text) => void printed.push(text),
      control: () => undefined,
      print: (text) => void printed.push(text),
      printJson: (value) => void printed.push(JSON.stringify(value)),
      note: (text) => void printed.push(text),
    },
    env: { HOME: gateway.stateDir, OPENCLAW_STATE_DIR: gateway.stateDir },
    state: {},
  });
  return { ...operated, call, printed, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

it("shows each picture in the terminal until one was scanned", async () => {
  await using stage = await openStage();
  const ended = login(stage.call);
  await eventually("the first picture", () => stage.printed.length >= 2);
  expect(stage.printed[0]).toBe(renderUnicodeCompact("qr-1"));
  expect(stage.printed[1]).toMatch(/^Scan this code with Fake/);
  stage.logins[0]!.show({ kind: "qr", text: "qr-next" });
  await eventually("the next picture", () => stage.printed.length >= 4);
  expect(stage.printed[2]).toBe(renderUnicodeCompact("qr-next"));
  stage.logins[0]!.succeed();
  expect(await ended).toBe(0);
  expect(stage.printed.at(-1)).toBe("Fake is linked.");
  await stage.fake.untilConnected();
});

it("fails with the reason when the platform refuses", async () => {
  await using stage = await openStage();
  const ended = login(stage.call);
  await eventually("a login", () => stage.logins[0]);
  stage.logins[0]!.fail(new Error("the telephone said no"));
  await expect(ended).rejects.toThrow("the telephone said no");
});
