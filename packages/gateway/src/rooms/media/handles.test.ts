// Names that replies can send files by: only those of their own session, and nothing else in the world.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMediaWorld } from "./media-world.test-support.ts";

const SESSION = "agent:main:telegram:direct:1";

it("a handle leads to its file in its session, also after a restart", async () => {
  using world = openMediaWorld();
  const media = await world.take("a report", { direction: "outbound", name: "report.txt" });
  const handle = world.media.mintHandle(SESSION, media.id);
  expect(handle).toMatch(/^media:[0-9a-f]{64}\.[0-9a-f]{16}$/);
  expect(await world.media.resolveHandle(SESSION, handle)).toEqual(media);
  const later = world.again();
  expect(await later.resolveHandle(SESSION, handle)).toEqual(media);
  expect(later.mintHandle(SESSION, media.id)).toBe(handle);
});

it("a handle means nothing in another session, for another file, or with another key", async () => {
  using world = openMediaWorld();
  const [media, other] = [await world.take("a"), await world.take("b")];
  const handle = world.media.mintHandle(SESSION, media.id);
  expect(await world.media.resolveHandle("agent:main:telegram:direct:2", handle)).toBeUndefined();
  expect(await world.media.resolveHandle(SESSION, handle.replace(media.id, other.id))).toBeUndefined();
  using elsewhere = openMediaWorld();
  await elsewhere.take("a");
  expect(await elsewhere.media.resolveHandle(SESSION, handle)).toBeUndefined();
});

it("a handle means nothing once its file is gone", async () => {
  using world = openMediaWorld();
  const { id } = await world.take("a", { direction: "outbound" });
  const handle = world.media.mintHandle(SESSION, id);
  await world.media.sweep(world.clock.now() + 1e12);
  expect(await world.media.resolveHandle(SESSION, handle)).toBeUndefined();
});

it("whatever else a reply names leads nowhere", async () => {
  using world = openMediaWorld();
  const { id, path } = await world.take("a");
  const handle = world.media.mintHandle(SESSION, id);
  const named = [
    "/etc/passwd",
    "./x",
    "../x.png",
    "~/x.png",
    "x.png",
    path,
    id,
    `media:${id}`,
    `media:${id}.`,
    `media:${id}.${"0".repeat(16)}`,
    `${handle}0`,
    `${handle}\n`,
    ` ${handle}`,
    handle.toUpperCase(),
    handle.replace("media:", ""),
    `file://${path}`,
    "file:///etc/passwd",
    "http://127.0.0.1/x.png",
    "https://example.com/x.png",
    "\\\\server\\share\\x.png",
    "//server/share/x.png",
    "data:image/png;base64,AAAA",
    "C:\\x.png",
    "",
  ];
  const found = await Promise.all(named.map((name) => world.media.resolveHandle(SESSION, name)));
  expect(found.filter((media) => media !== undefined)).toEqual([]);
  expect(await world.media.resolveHandle(SESSION, handle)).toBeDefined();
});

it("the key is private, and one that is damaged is replaced", async () => {
  using world = openMediaWorld();
  const { id } = await world.take("a");
  const handle = world.media.mintHandle(SESSION, id);
  const path = join(world.stateDir, "credentials", "media.key");
  expect(readFileSync(path, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "broken");
  const later = world.again();
  expect(await later.resolveHandle(SESSION, handle)).toBeUndefined();
  const anew = later.mintHandle(SESSION, id);
  expect(anew).not.toBe(handle);
  expect(await later.resolveHandle(SESSION, anew)).toBeDefined();
});
