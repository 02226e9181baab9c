// What tests do in a chat: say something, look at the conversation, let the model wait.
import type { Locator, Page } from "playwright-core";

export const composer = (page: Page): Locator => page.getByRole("textbox", { name: "Message", exact: true });
export const log = (page: Page): Locator => page.getByRole("log");

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/** Goes to a conversation in a page that is open. */
export async function visit(page: Page, sessionKey: string): Promise<void> {
  await page.evaluate((fragment) => void (location.hash = fragment), `#/chat/${sessionKey}`);
  await page.locator(`.chat-key[title="${sessionKey}"]`).waitFor({ state: "attached" });
  await composer(page).waitFor();
}

/** Opened by the test; the model waits for it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
