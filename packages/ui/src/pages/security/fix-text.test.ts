// Which part of an advice is a command.
import { expect, it } from "vitest";
import { partsOfFix } from "./fix-text.ts";

const commandsIn = (fix: string): string[] =>
  partsOfFix(fix).flatMap(({ kind, text }) => (kind === "command" ? [text] : []));

it.each([
  ["chela config set gateway.auth.mode token", ["chela config set gateway.auth.mode token"]],
  ["chmod 600 '/home/ada/my files/openclaw.json'", ["chmod 600 '/home/ada/my files/openclaw.json'"]],
  ["If nobody needs it: chela config set gateway.bind loopback", ["chela config set gateway.bind loopback"]],
  [
    "Restart it without --bind: chela gateway stop, then chela gateway run",
    ["chela gateway stop", "chela gateway run"],
  ],
  ["Stop it now: chela gateway stop. Then report it.", ["chela gateway stop"]],
  ["chela credential import moves them into the vault.", ["chela credential import"]],
  ["sudo chown 1000 /srv/state, or run the gateway as that user.", ["sudo chown 1000 /srv/state"]],
  [
    `chela config set budgets '[{ "scope": "all", "period": "day", "usd": 5 }]'`,
    [`chela config set budgets '[{ "scope": "all", "period": "day", "usd": 5 }]'`],
  ],
  [
    String.raw`chela approvals allowlist remove 'a'\''b c', and allow single commands when you are asked.`,
    [String.raw`chela approvals allowlist remove 'a'\''b c'`],
  ],
  [
    "chela config unset tools.x, or chela security audit --fix --yes",
    ["chela config unset tools.x", "chela security audit --fix --yes"],
  ],
  ["Start it (`systemctl start docker`), then log in again.", ["systemctl start docker"]],
  ["Name the people who may approve, by id.", []],
])("in %j", (fix, commands) => {
  expect(commandsIn(fix)).toEqual(commands);
});

it("leaves no word out", () => {
  const fix = "Read it, then chela hooks enable greeter, or chela hooks disable greeter";
  expect(
    partsOfFix(fix)
      .map(({ text }) => text)
      .join(""),
  ).toBe(fix);
});
