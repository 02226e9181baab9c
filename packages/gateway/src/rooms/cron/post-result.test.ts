// Results are posted with a proof of their sender, again while there is hope, and nowhere else than where the operator said.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { createSafeFetch } from "../../base/http/safe-fetch.ts";
import { postResult } from "./room.ts";

const TOKEN = "token-of-the-operator";

interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function openPage(answer: (response: ServerResponse, count: number) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      answer(response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, received, [Symbol.dispose]: () => void server.close() };
}

/** Waits are over as soon as somebody waits. */
function impatientClock() {
  const clock = createFakeClock();
  const waits: number[] = [];
  return {
    waits,
    now: clock.now,
    steady: clock.steady,
    after(ms: number, task: () => void) {
      if (ms >= 600_000 || [1_000, 5_000, 30_000, 120_000].includes(ms)) {
        waits.push(ms);
        setImmediate(task);
      }
      return () => {};
    },
  };
}

function post(url: string, signal = new AbortController().signal) {
  const clock = impatientClock();
  const parts = { clock, fetch: createSafeFetch({ clock }), token: () => TOKEN };
  const sent = postResult({ url, key: "cron:job:1", body: { jobId: "job", status: "ok" }, signal }, parts);
  return { sent, clock };
}

describe("A result that is posted", () => {
  it("is signed, carries the token and names its run", async () => {
    using page = await openPage((response) => response.end());
    const { sent, clock } = post(page.url);
    expect(await sent).toEqual({ status: "delivered", receipts: [{ channel: "webhook", to: page.url }] });
    const [{ headers, body }] = page.received as [Received];
    expect(JSON.parse(body)).toEqual({ jobId: "job", status: "ok" });
    expect(headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      "idempotency-key": "cron:job:1",
      "content-type": "application/json",
    });
    const seconds = Math.floor(clock.now() / 1000);
    const expected = createHmac("sha256", TOKEN).update(`${seconds}.${body}`).digest("hex");
    expect(headers["x-chela-signature"]).toBe(`t=${seconds},v1=${expected}`);
  });

  it("is tried again while the page is in trouble, longer and longer, with the same key", async () => {
    using page = await openPage((response, count) => response.writeHead(count < 4 ? 503 : 204).end());
    const { sent, clock } = post(page.url);
    expect(await sent).toMatchObject({ status: "delivered" });
    expect(clock.waits).toEqual([1_000, 5_000, 30_000]);
    expect(new Set(page.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it("is given up after five more attempts", async () => {
    using page = await openPage((response) => response.writeHead(500).end());
    expect(await post(page.url).sent).toEqual({ status: "not-delivered", error: "The page answered with status 500." });
    expect(page.received).toHaveLength(6);
  });

  it("is not tried again when the page refuses it", async () => {
    using page = await openPage((response) => response.writeHead(404).end());
    expect(await post(page.url).sent).toMatchObject({ status: "not-delivered" });
    expect(page.received).toHaveLength(1);
  });

  it("does not follow where the page leads", async () => {
    using secret = await openPage((response) => response.end());
    using page = await openPage((response) => response.writeHead(302, { location: secret.url }).end());
    expect(await post(page.url).sent).toMatchObject({ status: "not-delivered" });
    expect(secret.received).toEqual([]);
  });

  it("is left to the next start when the gateway stops", async () => {
    using page = await openPage((response) => response.end());
    expect(await post(page.url, AbortSignal.abort()).sent).toBeUndefined();
    expect(page.received).toEqual([]);
  });
});
