// Numbers of events: each client has its own, and whoever misses something sees a gap.
import { expect, test } from "vitest";
import { MAX_BUFFERED_BYTES, type Client } from "@chela/sdk/protocol";
import { Hub } from "./hub.ts";

interface TestClient extends Client {
  buffered: number;
  readonly told: Array<{ event: string; seq: number; payload: unknown; stateVersion?: unknown }>;
  readonly closed: string[];
}

function createClient(scopes: readonly string[] = ["operator.read"]): TestClient {
  const told: TestClient["told"] = [];
  const closed: string[] = [];
  return {
    connId: "c",
    role: "operator",
    scopes,
    caps: new Set(),
    method: "token",
    info: { id: "test", mode: "test" },
    buffered: 0,
    told,
    closed,
    send: (text) => void told.push(JSON.parse(text)),
    close: (_code, reason) => void closed.push(reason),
  };
}

test("a client's numbers count what it may hear, told to all or to it alone", () => {
  const hub = new Hub();
  const [reader, other] = [createClient(), createClient(["operator.pairing"])];
  hub.add(reader);
  hub.add(other);
  hub.broadcast("chat", { n: 1 }, { scope: "operator.read" });
  hub.broadcast("tick", { n: 2 }, { stateVersion: { presence: 1, health: 2 } });
  hub.tell([reader], "agent", { n: 3 });
  hub.broadcast("device.pair.requested", { n: 4 }, { scope: "operator.pairing" });
  hub.broadcast("tick", { n: 5 });
  expect(reader.told.map(({ seq, payload }) => [seq, payload])).toEqual([
    [1, { n: 1 }],
    [2, { n: 2 }],
    [3, { n: 3 }],
    [4, { n: 5 }],
  ]);
  expect(other.told.map(({ seq, payload }) => [seq, payload])).toEqual([
    [1, { n: 2 }],
    [2, { n: 4 }],
    [3, { n: 5 }],
  ]);
  expect(reader.told[1]).toEqual({
    type: "event",
    event: "tick",
    payload: { n: 2 },
    seq: 2,
    stateVersion: { presence: 1, health: 2 },
  });
  expect([hub.seqOf(reader), hub.seqOf(other)]).toEqual([4, 3]);
});

test("what a slow client misses uses up a number; what it must not miss ends its connection", () => {
  const hub = new Hub();
  const client = createClient();
  hub.add(client);
  hub.broadcast("tick", {});
  client.buffered = MAX_BUFFERED_BYTES + 1;
  hub.broadcast("tick", {}, { dropIfSlow: true });
  hub.tell([client], "agent", {});
  expect(client.closed).toEqual([]);
  client.buffered = 0;
  hub.broadcast("tick", {});
  expect(client.told.map(({ seq }) => seq)).toEqual([1, 4]);
  client.buffered = MAX_BUFFERED_BYTES + 1;
  hub.broadcast("shutdown", {});
  expect(client.closed).toEqual(["slow consumer"]);
});

test("who has left is told nothing", () => {
  const hub = new Hub();
  const client = createClient();
  hub.add(client);
  hub.remove(client);
  hub.tell([client], "agent", {});
  expect(client.told).toEqual([]);
});
