// Who is listed as being here, and for how long.
import { createFakeClock } from "@chela/sdk/testing";
import { expect, it } from "vitest";
import { Presence } from "./presence.ts";

const LATER_MS = 6 * 60_000;

function createPresence() {
  const clock = createFakeClock();
  const presence = new Presence(clock, "1.0.0");
  const hosts = () => presence.list().flatMap(({ reason, host = "" }) => (reason === "self" ? [] : [host]));
  return { clock, presence, hosts };
}

it("whoever is connected is listed however long ago they came", async () => {
  const { clock, presence, hosts } = createPresence();
  presence.enter("a", { host: "browser", reason: "connect" });
  await clock.advance(LATER_MS);
  expect(hosts()).toEqual(["browser"]);
});

it("whoever left is listed for a while", async () => {
  const { clock, presence, hosts } = createPresence();
  presence.enter("a", { host: "browser", reason: "connect" });
  presence.leave("a");
  expect(hosts()).toEqual(["browser"]);
  await clock.advance(LATER_MS);
  expect(hosts()).toEqual([]);
});

it("a beacon that is not repeated is forgotten", async () => {
  const { clock, presence, hosts } = createPresence();
  presence.put("b", { host: "elsewhere" });
  await clock.advance(LATER_MS);
  expect(hosts()).toEqual([]);
});
