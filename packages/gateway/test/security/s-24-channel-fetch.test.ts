// S-24: a channel fetches what the platform names, but nothing in private places that the operator did not configure.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Channel, ChannelHost } from "@chela/sdk";
import { createFakeChannel } from "@chela/sdk/testing";
import { startTestGateway } from "../support/in-process.ts";

async function openServer() {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    arrived.push(request.url ?? "");
    response.end("inside");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { arrived, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

test("S-24: an account reaches its own configured server, and another account does not", async () => {
  await using server = await openServer();
  const fake = createFakeChannel();
  const hosts = new Map<string, ChannelHost>();
  const channel: Channel = {
    ...fake.channel,
    start: (account, host) => (hosts.set(host.account, host), fake.channel.start(account, host)),
  };
  const accounts = { own: { token: "t", apiRoot: `${server.url}/bot` }, other: { token: "t" } };
  await using gateway = await startTestGateway({
    channels: { fake: channel },
    config: { channels: { fake: { accounts } } },
  });
  await Promise.all([fake.untilConnected("own"), fake.untilConnected("other")]);
  const answer = await hosts.get("own")?.fetch(`${server.url}/media/1`);
  expect([answer?.status, await answer?.text()]).toEqual([200, "inside"]);
  await expect(hosts.get("other")?.fetch(`${server.url}/media/2`)).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  await expect(hosts.get("own")?.fetch(`${gateway.http}/health`)).rejects.toMatchObject({ code: "FETCH_REFUSED" });
  expect(server.arrived).toEqual(["/media/1"]);
});
