// S-07: bodies of requests. Nothing of one is read before its head shows a proof, and strangers get little room for theirs.
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { MOUNT_PATH, listDoorRoutes } from "../support/security/door-routes.ts";
import { MOUNT_SECRET, openDoorStage } from "../support/security/door-stage.ts";
import { eventually } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

const MB = 1024 * 1024;
const STARTED = createFakeClock().now();
/** Everything the gateway says on one connection, until it hangs up. */
interface Knock {
  readonly socket: Socket;
  readonly said: () => string;
  status(): Promise<number>;
  readonly closed: Promise<unknown>;
}

function knock(port: number, head: readonly string[]): Knock {
  const socket = connect({ port, host: "127.0.0.1" });
  let said = "";
  socket.setEncoding("utf8").on("data", (text: string) => (said += text));
  socket.on("error", () => undefined);
  socket.write(`${head.join("\r\n")}\r\nhost: localhost\r\n\r\n`);
  return {
    socket,
    said: () => said,
    status: () => eventually("an answer", async () => Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]) || undefined),
    closed: once(socket, "close"),
  };
}

const headOf = (path: string, length: number, method = "POST", more: readonly string[] = []): string[] => [
  `${method} ${path} HTTP/1.1`,
  `content-length: ${length}`,
  "content-type: application/json",
  ...more,
];

test("S-07: every route that takes a body answers who shows no proof before the first byte of it, and hangs up", async () => {
  const clock = createFakeClock();
  await using stage = await openDoorStage({ clock });
  const routes = listDoorRoutes().filter(({ method }) => ["POST", "PUT", "PATCH", "DELETE"].includes(method));
  const doors = [
    ...routes.map(({ method, path }) => ({ method, path, port: stage.port })),
    { method: "POST", path: "/api/sessions/home", port: stage.scriptPort },
  ];
  expect(doors.map(({ path }) => path)).toEqual(expect.arrayContaining([MOUNT_PATH, "/hooks/agent", "/v1/responses"]));
  for (const { method, path, port } of doors) {
    const here = knock(port, headOf(path, 4 * MB, method));
    expect([method, path, await here.status()]).toEqual([
      method,
      path,
      expect.toSatisfy((code: number) => code >= 400),
    ]);
    // Who goes on sending is not listened to for long.
    await clock.advance(1_001);
    await here.closed;
  }
  countCases("S-07", doors.length);
});

test("S-07: who announces more than may come is refused before it comes", async () => {
  await using stage = await openDoorStage();
  const proofs: Array<[string, string]> = [
    [MOUNT_PATH, `x-mount: ${MOUNT_SECRET}`],
    ["/v1/chat/completions", `authorization: Bearer ${stage.gateway.token}`],
  ];
  for (const [path, proof] of proofs) {
    const here = knock(stage.port, headOf(path, 64 * MB, "POST", [proof]));
    expect([path, await here.status()]).toEqual([path, 413]);
    await here.closed;
  }
});

test("S-07: a body that does not come ends after thirty seconds", async () => {
  const clock = createFakeClock();
  await using stage = await openDoorStage({ clock });
  const here = knock(stage.port, headOf(MOUNT_PATH, 1000, "POST", [`x-mount: ${MOUNT_SECRET}`]));
  here.socket.write("{");
  const status = await eventually("it is told", async () => {
    await clock.advance(1_000);
    return here.said() === "" ? undefined : here.status();
  });
  expect([status, clock.now() - STARTED > 29_000]).toEqual([408, true]);
  await here.closed;
});

test("S-07: bodies under way have little room, of one address and of all, and whoever has been at it longest goes", async () => {
  const clock = createFakeClock();
  await using stage = await openDoorStage({ clock, door: { trustedProxies: ["127.0.0.1"] } });
  const before = readdirSync("/proc/self/fd").length;
  const begin = (ip: string): Knock => {
    const proof = [`x-mount: ${MOUNT_SECRET}`, `x-forwarded-for: ${ip}`];
    const one = knock(stage.port, headOf(MOUNT_PATH, MB, "POST", proof));
    // All but the last byte: it is never done.
    one.socket.write(Buffer.alloc(MB - 1));
    return one;
  };
  const answered = (from: readonly Knock[]): Knock[] => from.filter(({ said }) => said() !== "");
  const mine = Array.from({ length: 7 }, () => begin("198.51.100.1"));
  await eventually("three of one address are let go", async () => answered(mine).length === 3 || undefined);
  for (const one of answered(mine)) {
    expect(await one.status()).toBe(429);
    expect(one.said()).toMatch(/retry-after: \d+/i);
    expect(one.said()).toContain("Too many bytes are under way from this address");
  }
  const others = Array.from({ length: 60 }, (_, at) => begin(`198.51.100.${10 + at}`));
  const all = [...mine, ...others];
  await eventually("sixteen are left", async () => answered(all).length === all.length - 16 || undefined);
  const last = answered(others).map((one) => one.status());
  expect(new Set(await Promise.all(last))).toEqual(new Set([503]));
  // Somebody with a small body is served meanwhile.
  const answer = await stage.ask({
    method: "POST",
    path: MOUNT_PATH,
    headers: { "x-mount": MOUNT_SECRET, "x-forwarded-for": "198.51.100.9" },
    body: "{}",
  });
  expect(answer.status).toBe(200);
  await clock.advance(30_001);
  await Promise.all(all.map(({ closed }) => closed));
  // The connection of `ask` stays open, at both ends.
  await eventually("all are closed", async () => readdirSync("/proc/self/fd").length <= before + 2 || undefined);
  countCases("S-07", all.length);
});
