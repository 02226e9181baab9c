import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { createLog } from "../../base/log.ts";
import { Hub } from "../live/hub.ts";
import type { Client } from "@chela/sdk/protocol";
import { LogFollowers } from "./log-followers.ts";

/** A log, a hub, and how many listen to the log. */
function createScene() {
  const directory = mkdtempSync(join(tmpdir(), "chela-log-"));
  const clock = createFakeClock();
  const sink = createLog({ clock, level: "info", consoleLevel: "silent", file: () => join(directory, "log") });
  let listening = 0;
  const log: typeof sink = {
    ...sink,
    onLines(listener) {
      listening += 1;
      const leave = sink.onLines(listener);
      return () => {
        listening -= 1;
        leave();
      };
    },
  };
  const hub = new Hub();
  const connect = () => {
    const frames: Array<{ event: string; payload: { lines: string[]; skipped?: number } }> = [];
    const client: Client = {
      connId: `c${hub.clients.size}`,
      role: "operator",
      scopes: ["operator.read"],
      caps: new Set(),
      method: "token",
      info: { id: "test", mode: "ui" },
      buffered: 0,
      send: (text) => void frames.push(JSON.parse(text)),
      close: () => {},
    };
    hub.add(client);
    return { client, frames };
  };
  const write = (text: string): void => {
    log.info(text);
    log.flush();
  };
  const close = (): void => rmSync(directory, { recursive: true, force: true });
  const followers = new LogFollowers({ log, hub, clock });
  return { clock, hub, write, connect, followers, listening: () => listening, [Symbol.dispose]: close };
}

it("listens to the log once, however many follow, and not at all when the last has gone", async () => {
  using scene = createScene();
  const { followers, connect, hub, write, listening } = scene;
  const [one, two] = [connect(), connect()];
  expect(listening()).toBe(0);
  for (const { client } of [one, two]) followers.add(client).ready();
  expect(listening()).toBe(1);
  followers.remove(one.client);
  expect(listening()).toBe(1);
  hub.remove(two.client);
  write("nobody hears this");
  expect(listening()).toBe(0);
});

it("tells lines together, at most five times a second, and none before the client is ready", async () => {
  using scene = createScene();
  const { followers, connect, write, clock } = scene;
  const { client, frames } = connect();
  const follower = followers.add(client);
  write("one");
  await clock.advance(1000);
  expect(frames).toEqual([]);
  follower.ready();
  write("two");
  write("three");
  await clock.advance(199);
  expect(frames).toEqual([]);
  await clock.advance(1);
  expect(frames).toHaveLength(1);
  expect(frames[0]?.payload.lines.map((line) => JSON.parse(line).msg)).toEqual(["one", "two", "three"]);
});

it("says how many lines of a burst were left out", async () => {
  using scene = createScene();
  const { followers, connect, write, clock } = scene;
  const { client, frames } = connect();
  followers.add(client).ready();
  for (let at = 0; at < 2010; at++) write(`line ${at}`);
  await clock.advance(200);
  expect(frames[0]?.payload).toMatchObject({ skipped: 10 });
  expect(frames[0]?.payload.lines).toHaveLength(2000);
});
