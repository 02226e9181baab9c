// Where a finding lies, and whether its repair is asked about.
import { expect, it } from "vitest";
import { needsYes, sectionOf } from "./finding-place.ts";

it.each([
  ["tools.exec.security", "tools", true],
  ["channels.telegram.accounts[0].allowFrom", "channels", true],
  ["budgets", "budgets", true],
  ["/home/ada/.openclaw/openclaw.json", undefined, false],
  ["OPENCLAW_GATEWAY_TOKEN", undefined, true],
  ["node", undefined, true],
])("%s", (where, section, asks) => {
  expect([sectionOf({ where }), needsYes({ where })]).toEqual([section, asks]);
});
