// What tests do in a chat: say something, look at the conversation, let the model wait.
import type { Locator, Page } from "playwright-core";

export const composer = (page: Page): Locator => page.getByRole("textbox", { name: "Message", exact: true });
export const log = (page: Page): Locator => page.getByRole("log");

export async function say(page: Page, text: string): Promise<void> {
  // Under a window nobody can write: the keys would go to the window.
  await page.locator("dialog:modal").waitFor({ state: "detached" });
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

/**
 * Counts from now on how often each text stands in the conversation, after everything that changed it. The function that is
 * returned tells the most of each that ever stood there at once.
 */
export async function countTexts(page: Page, texts: readonly string[]): Promise<() => Promise<Record<string, number>>> {
  const most = await page.evaluateHandle((wanted) => {
    const seen = Object.fromEntries(wanted.map((text) => [text, 0]));
    const count = (): void => {
      const leaves = [...document.querySelectorAll('[role="log"] *')].filter((one) => one.children.length === 0);
      const said = leaves.map((one) => one.textContent.trim());
      for (const text of wanted) {
        seen[text] = Math.max(seen[text] ?? 0, said.filter((one) => one === text).length);
      }
    };
    // Elements of the page draw themselves one after the other: what stands there between them nobody ever sees.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", count);
    port1.start();
    const watched = { subtree: true, childList: true, characterData: true };
    new MutationObserver(() => port2.postMessage("")).observe(document.body, watched);
    return seen;
  }, texts);
  return () => most.jsonValue();
}
