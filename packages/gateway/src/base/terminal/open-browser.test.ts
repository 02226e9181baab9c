// Where a browser can be opened, and with what.
import { describe, expect, test } from "vitest";
import { findOpener, openBrowser } from "./open-browser.ts";

const URL = "http://127.0.0.1:18789/#code=abc";

describe("a browser is opened", () => {
  test.for([
    ["darwin", {}, ["/usr/bin/open", URL]],
    ["win32", {}, ["C:\\Windows\\System32\\rundll32.exe", "url.dll,FileProtocolHandler", URL]],
    ["linux", { DISPLAY: ":0" }, ["xdg-open", URL]],
    ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open", URL]],
    ["freebsd", { DISPLAY: ":0" }, ["xdg-open", URL]],
    ["linux", {}, undefined],
    ["linux", { DISPLAY: "" }, undefined],
    ["linux", { DISPLAY: "localhost:10.0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
    ["darwin", { SSH_TTY: "/dev/ttys001" }, undefined],
  ] as const)("on %s with %j by %j", ([platform, env, command]) => {
    const opener = findOpener(platform, env);
    expect(opener && [opener.program, ...opener.args(URL)]).toEqual(command);
  });

  test("only if the program for it is there", async () => {
    expect(await openBrowser({ program: "no-such-program-anywhere", args: (url) => [url] }, URL, {})).toBe(false);
    expect(await openBrowser({ program: process.execPath, args: () => ["--version"] }, URL, {})).toBe(true);
  });
});
