// S-07: guessing costs, waiting takes no room from others, and memory stays bounded.
import type { ClientAddress } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { describe, expect, it } from "vitest";
import {
  createRateLimiter,
  createWaitingRoom,
  parseAddressList,
  readPreauthLimits,
  resolveClient,
  type RateLimiter,
} from "./index.ts";

function from(peerAddress: string): ClientAddress {
  return resolveClient({ peerAddress, headers: { host: "localhost" }, trustedProxies: parseAddressList([]) });
}

const PAGE = "http://localhost:5173";
const guesser = (ip: string, isPage = false) => ({ client: from(ip), foreignPage: isPage ? PAGE : undefined });

function failOnce(limiter: RateLimiter, ip: string, isPage = false): boolean {
  const attempt = limiter.begin("shared-secret", guesser(ip, isPage));
  if (attempt.kind === "allowed") attempt.fail();
  return attempt.kind === "allowed";
}

const failTimes = (limiter: RateLimiter, ip: string, times: number, hasOrigin = false): number =>
  Array.from({ length: times }, () => failOnce(limiter, ip, hasOrigin)).filter(Boolean).length;

describe("S-07 the rate limit", () => {
  it("locks an address out for five minutes after ten failures in a minute", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock);
    expect(failTimes(limiter, "192.0.2.1", 50)).toBe(10);
    expect(limiter.begin("shared-secret", guesser("192.0.2.1"))).toEqual({ kind: "limited", retryAfterMs: 300_000 });
    expect(failTimes(limiter, "192.0.2.2", 1)).toBe(1);
    await clock.advance(299_999);
    expect(failTimes(limiter, "192.0.2.1", 1)).toBe(0);
    await clock.advance(1);
    expect(failTimes(limiter, "192.0.2.1", 1)).toBe(1);
  });

  it("lets failures that are spread out pass", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock);
    for (let count = 0; count < 100; count++) {
      expect(failOnce(limiter, "192.0.2.1")).toBe(true);
      await clock.advance(7_000);
    }
  });

  it("counts guesses that are still being looked at", () => {
    const limiter = createRateLimiter(createFakeClock());
    const open = Array.from({ length: 1_000 }, () => limiter.begin("shared-secret", guesser("192.0.2.1")));
    const allowed = open.flatMap((attempt) => (attempt.kind === "allowed" ? [attempt] : []));
    expect(allowed).toHaveLength(10);
    // Good ones give their place back, and no lockout was caused by being many.
    for (const attempt of allowed) attempt.succeed();
    expect(failOnce(limiter, "192.0.2.1")).toBe(true);
  });

  it("forgets failures after a success, and one failure when it is forgiven", () => {
    const limiter = createRateLimiter(createFakeClock());
    failTimes(limiter, "192.0.2.1", 9);
    const good = limiter.begin("shared-secret", guesser("192.0.2.1"));
    if (good.kind === "allowed") good.succeed();
    expect(failTimes(limiter, "192.0.2.1", 50)).toBe(10);
    limiter.forgive("shared-secret", guesser("192.0.2.1"));
    expect(failTimes(limiter, "192.0.2.1", 50)).toBe(1);
  });

  it("counts kinds of secret apart", () => {
    const limiter = createRateLimiter(createFakeClock());
    failTimes(limiter, "192.0.2.1", 10);
    expect(limiter.begin("device-token", guesser("192.0.2.1")).kind).toBe("allowed");
  });

  it("does not count this machine, but does count its browser and whoever hides behind a proxy", () => {
    const limiter = createRateLimiter(createFakeClock());
    expect(failTimes(limiter, "127.0.0.1", 100)).toBe(100);
    expect(failTimes(limiter, "127.0.0.1", 100, true)).toBe(10);
    expect(failTimes(limiter, "::1", 100, true)).toBe(0);
    const headers = { host: "localhost", "x-forwarded-for": "127.0.0.1" };
    const hidden = resolveClient({ peerAddress: "127.0.0.1", headers, trustedProxies: parseAddressList([]) });
    const tries = Array.from({ length: 100 }, () =>
      limiter.begin("shared-secret", { client: hidden, foreignPage: undefined }),
    );
    expect(tries.filter((attempt) => attempt.kind === "allowed")).toHaveLength(10);
  });

  it("counts this machine too when told so", () => {
    const limiter = createRateLimiter(createFakeClock(), { exemptLoopback: false });
    expect(failTimes(limiter, "127.0.0.1", 100)).toBe(10);
  });

  it("treats a whole IPv6 network as one guesser", () => {
    const limiter = createRateLimiter(createFakeClock());
    const used = Array.from({ length: 100 }, (_, index) => failOnce(limiter, `2001:db8:1:2::${index.toString(16)}`));
    expect(used.filter(Boolean)).toHaveLength(10);
    expect(failOnce(limiter, "2001:db8:1:3::1")).toBe(true);
  });

  it("has a budget for everybody together", async () => {
    const clock = createFakeClock();
    const limiter = createRateLimiter(clock);
    const all = Array.from({ length: 3_000 }, (_, index) => failOnce(limiter, `10.0.${index >> 8}.${index & 255}`));
    expect(all.filter(Boolean)).toHaveLength(1_000);
    expect(failOnce(limiter, "127.0.0.1")).toBe(true);
    await clock.advance(60_000);
    expect(failOnce(limiter, "10.9.9.9")).toBe(true);
  });

  it.each([[0], [-5], [Number.NaN]])("cannot be switched off by a limit of %d", (maxAttempts) => {
    const limiter = createRateLimiter(createFakeClock(), { maxAttempts });
    expect(failTimes(limiter, "192.0.2.1", 100)).toBeLessThanOrEqual(10);
  });

  it("remembers at most ten thousand guessers", () => {
    const limiter = createRateLimiter(createFakeClock());
    for (let index = 0; index < 12_000; index++)
      failOnce(limiter, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    expect(limiter.size).toBe(10_000);
  });
});

describe("S-07 the waiting room", () => {
  const limits = readPreauthLimits({});

  it("has the documented limits, and a shorter time for tests", () => {
    expect(limits).toEqual({ maxTotal: 512, maxPerIp: 64, maxBytes: 65_536, timeoutMs: 10_000 });
    expect(readPreauthLimits({ OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS: "50" }).timeoutMs).toBe(50);
    for (const text of ["", "0", "-1", "abc", "1.5"]) {
      expect(readPreauthLimits({ OPENCLAW_TEST_HANDSHAKE_TIMEOUT_MS: text }).timeoutMs).toBe(10_000);
    }
  });

  it("lets a newcomer in however many idle sockets there are, and closes the oldest", () => {
    const room = createWaitingRoom(createFakeClock(), limits);
    const closed: number[] = [];
    for (let index = 0; index < 2_000; index++) room.enter(from("127.0.0.1"), () => closed.push(index));
    expect(room.size).toBe(512);
    expect(closed).toEqual(Array.from({ length: 2_000 - 512 }, (_, index) => index));
  });

  it("makes one address pay for its own crowd", () => {
    const room = createWaitingRoom(createFakeClock(), limits);
    const closed: string[] = [];
    room.enter(from("192.0.2.1"), () => closed.push("first"));
    for (let index = 0; index < 200; index++) room.enter(from("192.0.2.2"), () => closed.push("crowd"));
    expect(room.size).toBe(65);
    expect(new Set(closed)).toEqual(new Set(["crowd"]));
  });

  it("closes after the time is up, once, and not those who were let in", async () => {
    const clock = createFakeClock();
    const room = createWaitingRoom(clock, limits);
    const ends: string[] = [];
    room.enter(from("192.0.2.1"), (why) => ends.push(why));
    const good = room.enter(from("192.0.2.1"), () => ends.push("good"));
    good.leave();
    good.leave();
    expect(room.size).toBe(1);
    await clock.advance(10_000);
    expect(ends).toEqual(["timeout"]);
    expect(room.size).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  it("counts bytes over all frames", () => {
    const visitor = createWaitingRoom(createFakeClock(), limits).enter(from("192.0.2.1"), () => undefined);
    expect(visitor.receive(65_000)).toBe("ok");
    expect(visitor.receive(536)).toBe("ok");
    expect(visitor.receive(1)).toBe("too-much");
  });

  it("stays consistent when people leave in any order", () => {
    const room = createWaitingRoom(createFakeClock(), { ...limits, maxTotal: 8, maxPerIp: 3 });
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const here = new Set<{ leave(): void }>();
    for (let step = 0; step < 5_000; step++) {
      const someone = [...here][random(here.size + 1)];
      if (someone && random(2) === 0) {
        here.delete(someone);
        someone.leave();
      } else {
        const visitor = room.enter(from(`192.0.2.${random(5)}`), () => here.delete(visitor));
        here.add(visitor);
      }
      expect(room.size).toBe(here.size);
      expect(room.size).toBeLessThanOrEqual(8);
    }
  });
});
