// Answers of somebody who stands before Telegram: they must not count as Telegram's own word.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createTransport } from "./transport.ts";

async function ask(status: number, body: string): Promise<unknown> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const transport = createTransport();
  try {
    const { port } = server.address() as AddressInfo;
    const call = { body: "{}", signal: new AbortController().signal };
    return await (await transport.fetch(`http://127.0.0.1:${port}/bot/getMe`, call)).json();
  } finally {
    transport.close();
    server.close();
  }
}

it.each([401, 403, 404, 409])(
  "a page with status %s does not say that the token or the chat is no good",
  async (status) => {
    expect(await ask(status, "<h1>nginx</h1>")).toMatchObject({ ok: false, error_code: 502 });
  },
);

it("what Telegram itself says is taken as it is, and so is the status of other pages", async () => {
  const refused = { ok: false, error_code: 401, description: "Unauthorized" };
  expect(await ask(401, JSON.stringify(refused))).toEqual(refused);
  expect(await ask(413, "too large")).toMatchObject({ ok: false, error_code: 413 });
});
