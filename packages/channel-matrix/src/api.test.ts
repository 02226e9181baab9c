// Who answered: the homeserver, or somebody who stands before it.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { openApi, type ApiResult } from "./api.ts";

async function ask(status: number, body: string): Promise<ApiResult> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const api = openApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, createFakeClock());
  try {
    return await api.call({ method: "GET", path: "/client/v3/sync" });
  } finally {
    api.close();
    server.closeAllConnections();
    server.close();
  }
}

it.each([
  [400, "<h1>nginx</h1>", false],
  [403, "", false],
  [404, '{"message":"no route"}', false],
  [504, "<h1>nginx</h1>", true],
])("a page with status %s is not the homeserver's word", async (status, body, mayHaveArrived) => {
  expect(await ask(status, body)).toMatchObject({ kind: "unreachable", mayHaveArrived });
});

it.each([
  [400, '{"errcode":"M_UNKNOWN"}', "M_UNKNOWN"],
  [401, '{"errcode":"M_UNKNOWN_TOKEN","error":"over"}', "M_UNKNOWN_TOKEN"],
  [413, "<h1>nginx</h1>", "M_UNKNOWN"],
])("a refusal with status %s is one", async (status, body, code) => {
  expect(await ask(status, body)).toMatchObject({ kind: "refused", status, code });
});
