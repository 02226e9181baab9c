// Debian's browser, without a window.
import { chromium, type Browser } from "playwright-core";
import { findProgram } from "../../../gateway/test/support/stages/debian-package.ts";

/** Root has no sandbox of its own to give, and containers little shared memory. */
const FLAGS = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--use-fake-ui-for-media-stream",
  "--use-fake-device-for-media-stream",
];

export function hasChromium(): boolean {
  return findProgram("chromium") !== undefined;
}

export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram("chromium") ?? "", args: FLAGS });
}

let shared: Promise<Browser> | undefined;

/** One for all test files of a process, which ends with it: what a page keeps is in a context of its own. */
export async function sharedChromium(): Promise<Browser> {
  const running = await shared;
  if (running?.isConnected()) return running;
  return (shared = openChromium());
}
