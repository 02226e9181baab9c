// What an account's settings mean, and how people and groups are written.
import { describe, expect, it } from "vitest";
import { signalChannel } from "./channel.ts";

const { configure, readId, readTarget } = signalChannel;
const none = () => undefined;
const UUID = "7ccae375-cd51-4c82-8b1e-7be3280aa485";

describe("the account", () => {
  it("runs signal-cli itself, unless told where one runs", () => {
    expect(configure({ account: "+1 (555) 010-0000" }, none)).toMatchObject({
      account: {
        number: "+15550100000",
        daemonUrl: "http://127.0.0.1:8080",
        daemon: { program: "signal-cli", listen: "127.0.0.1:8080", receiveMode: "on-connection" },
      },
    });
    for (const settings of [
      { account: "+15550100000", httpUrl: "10.0.0.2:9000/" },
      { account: "+15550100000", httpHost: "10.0.0.2", httpPort: 9000, autoStart: false },
      { httpUrl: "http://10.0.0.2:9000" },
    ]) {
      expect(configure(settings, none)).toMatchObject({
        account: { daemonUrl: "http://10.0.0.2:9000", daemon: undefined },
      });
    }
  });

  it("says what is missing or wrong", () => {
    for (const settings of [
      null,
      {},
      { account: "me" },
      { httpUrl: "ftp://x" },
      { account: "+15550100000", httpPort: 0 },
    ]) {
      expect(configure(settings, none)).toMatchObject({
        kind: "incomplete",
        why: expect.stringMatching(/signal/) as unknown,
      });
    }
  });
});

describe("people in lists", () => {
  it.each([
    ["+15550100001", "+15550100001"],
    ["15550100001", "+15550100001"],
    ["signal:+15550100001", "+15550100001"],
    [`uuid:${UUID.toUpperCase()}`, `uuid:${UUID}`],
    [UUID, `uuid:${UUID}`],
  ])("%s", (written, id) => {
    expect(readId(written)).toEqual({ kind: "id", id });
  });

  it("are never names", () => {
    for (const written of ["", " ", "Ada", "username:ada.01", "group:abc", "uuid:", "+0", "*"]) {
      expect(readId(written).kind).toBe("unusable");
    }
  });
});

describe("targets", () => {
  it.each([
    ["+15550100001", "+15550100001", "direct"],
    [`signal:uuid:${UUID}`, `uuid:${UUID}`, "direct"],
    ["group:VGhpc0lzQUdyb3VwSWQ=", "group:VGhpc0lzQUdyb3VwSWQ=", "group"],
    ["username:ada.01", "username:ada.01", "direct"],
    ["u:ada.01", "username:ada.01", "direct"],
  ])("%s", (written, to, kind) => {
    expect(readTarget(written)).toMatchObject({ kind: "target", target: { to }, chat: { kind } });
  });

  it("can be names that are looked up, and otherwise say what is wrong", () => {
    expect(readTarget("Lunch")).toEqual({ kind: "name", name: "Lunch" });
    for (const written of ["", "group:", "uuid:7", "12"]) expect(readTarget(written).kind).toBe("unusable");
  });
});
