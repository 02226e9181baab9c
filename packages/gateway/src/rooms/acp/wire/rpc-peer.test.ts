// One end of JSON-RPC before another side that makes mistakes, or means harm.
import { expect, test } from "vitest";
import { RPC, RpcFault, RpcPeer } from "./rpc-peer.ts";

function openPeer(waiting = 0) {
  const lines: string[] = [];
  const complaints: string[] = [];
  const notices: string[] = [];
  const signals: AbortSignal[] = [];
  let hasEnded = false;
  const gate = Promise.withResolvers<string>();
  const peer = new RpcPeer(
    { write: (line) => void lines.push(line), waiting, end: () => void (hasEnded = true) },
    {
      request(method, params, { signal }) {
        signals.push(signal);
        if (method === "echo") return Promise.resolve(params);
        if (method === "wait") return gate.promise;
        if (method === "fault") return Promise.reject(new RpcFault(RPC.notFound, "not here", { fix: "look there" }));
        if (method === "bug") return Promise.reject(new TypeError("a secret detail"));
        return undefined;
      },
      notice: (method) => void notices.push(method),
      complain: (text) => void complaints.push(text),
    },
  );
  const say = (frame: unknown): void => peer.take(Buffer.from(`${JSON.stringify(frame)}\n`));
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return lines.map((line) => JSON.parse(line));
  };
  return { peer, say, settle, lines, complaints, notices, signals, gate, hasEnded: () => hasEnded };
}

test("a frame may be cut anywhere, also within a letter, and several may come at once", async () => {
  const { peer, settle } = openPeer();
  const bytes = Buffer.from(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "echo", params: { text: "grüße 🦀" } })}\n\n{"jsonrpc":"2.0","id":2,"method":"echo"}\n`,
  );
  for (const byte of bytes) peer.take(Buffer.from([byte]));
  expect(await settle()).toEqual([
    { jsonrpc: "2.0", id: 1, result: { text: "grüße 🦀" } },
    { jsonrpc: "2.0", id: 2, result: {} },
  ]);
});

test.each([
  ["no JSON", "hello\n", RPC.unreadable],
  ["nesting", `${"[".repeat(200)}${"]".repeat(200)}\n`, RPC.unreadable],
  ["a list", "[]\n", RPC.invalidRequest],
  ["another version", '{"jsonrpc":"1.0","id":1,"method":"echo"}\n', RPC.invalidRequest],
  ["an id that is none", '{"jsonrpc":"2.0","id":null,"method":"echo"}\n', RPC.invalidRequest],
  ["an object as id", '{"jsonrpc":"2.0","id":{},"method":"echo"}\n', RPC.invalidRequest],
])("%s is answered with a fault, and what follows is heard", async (_what, text, code) => {
  const { peer, say, settle } = openPeer();
  peer.take(Buffer.from(text));
  say({ jsonrpc: "2.0", id: 1, method: "echo", params: "on" });
  expect(await settle()).toMatchObject([
    { id: null, error: { code } },
    { id: 1, result: "on" },
  ]);
});

test("faults are told as they are, what was not foreseen without its words", async () => {
  const { say, settle, complaints } = openPeer();
  for (const [id, method] of ["fault", "bug", "toString"].entries()) say({ jsonrpc: "2.0", id, method });
  const answers = await settle();
  expect(answers.toSorted((one, other) => one.id - other.id)).toEqual([
    { jsonrpc: "2.0", id: 0, error: { code: RPC.notFound, message: "not here", data: { fix: "look there" } } },
    { jsonrpc: "2.0", id: 1, error: { code: RPC.internal, message: "something went wrong here" } },
    { jsonrpc: "2.0", id: 2, error: { code: RPC.unknownMethod, message: '"toString" is not a method here' } },
  ]);
  expect(complaints.join()).toContain("a secret detail");
});

test("a line without an end is not kept", async () => {
  const { peer, say, settle } = openPeer();
  const part = Buffer.alloc(1024 * 1024, "x");
  for (let count = 0; count < 40; count += 1) peer.take(part);
  peer.take(Buffer.from("\n"));
  say({ jsonrpc: "2.0", id: 1, method: "echo", params: "on" });
  expect(await settle()).toMatchObject([
    { id: null, error: { code: RPC.invalidRequest } },
    { id: 1, result: "on" },
  ]);
});

test("a request is taken back by its id; one id is one request at a time", async () => {
  const { say, settle, signals, gate } = openPeer();
  say({ jsonrpc: "2.0", id: "a", method: "wait" });
  say({ jsonrpc: "2.0", id: "a", method: "echo" });
  say({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "a" } });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  gate.resolve("late");
  expect(await settle()).toMatchObject([
    { id: "a", error: { code: RPC.invalidRequest } },
    { id: "a", result: "late" },
  ]);
});

test("answers are taken once, and by their id; those nobody waits for are noted", async () => {
  const { peer, say, complaints, notices } = openPeer();
  const answer = peer.request("ask", {});
  say({ jsonrpc: "2.0", id: 99, result: "made up" });
  say({ jsonrpc: "2.0", id: 1, result: "yes" });
  say({ jsonrpc: "2.0", id: 1, result: "twice" });
  say({ jsonrpc: "2.0", method: "told" });
  expect(await answer).toBe("yes");
  expect(complaints).toHaveLength(2);
  expect(notices).toEqual(["told"]);
});

test("whoever waits for a side that is gone is told, and nothing more is written", async () => {
  const { peer, lines } = openPeer();
  const answer = peer.request("ask", {});
  const failed = expect(answer).rejects.toThrow("the other side is gone");
  peer.close();
  await failed;
  peer.notify("later", {});
  await expect(peer.request("more", {})).rejects.toThrow("the other side is gone");
  expect(lines).toHaveLength(1);
});

test("a side that does not read is hung up on", () => {
  const { peer, hasEnded, lines } = openPeer(65 * 1024 * 1024);
  peer.notify("much", {});
  expect(hasEnded()).toBe(true);
  expect(lines).toEqual([]);
});
