// Watches a browser for everything a page should never do with what strangers wrote.
import type { BrowserContext, Page } from "playwright-core";

export interface Guard {
  /** What ran, was asked of others, or was stopped by the browser only. Empty when the page does well. */
  readonly alarms: readonly string[];
}

/** Has to be set up before the first page is opened. */
export async function guardBrowser(browser: BrowserContext, home: string): Promise<Guard> {
  const alarms: string[] = [];
  await browser.exposeFunction("__ran", (what: unknown) => void alarms.push(`ran ${String(what)}`));
  await browser.exposeFunction("__violated", (what: string) => void alarms.push(`violated ${what}`));
  await browser.addInitScript(() => {
    const { __violated: tell } = window as unknown as { __violated(what: string): void };
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      tell(`${effectiveDirective} ${blockedURI} ${sample}`),
    );
    if (location.protocol !== "http:" || window !== top) return;
    // Thoughts and tools are open, so that what is in them is on the page, too.
    localStorage.setItem("chela.preferences", JSON.stringify({ showsWork: true, language: "en" }));
  });
  browser.on("dialog", (dialog) => {
    alarms.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  browser.on("request", (request) => {
    if (!request.url().startsWith(home) && !/^(data|blob):/.test(request.url())) alarms.push(`asked ${request.url()}`);
  });
  return { alarms };
}

export interface Seen {
  /** All words of the page and of what lies over it, those in fields and in names of buttons included. */
  readonly text: string;
  /** Elements and attributes that only markup of strangers could have made. */
  readonly foreign: readonly string[];
}

export function inspect(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const foreign: string[] = [];
    const tags =
      "base, object, embed, iframe, frame, meta[http-equiv], marquee, math, noscript > *, template, [srcdoc]";
    const actions = "[action], [formaction], [ping], [background]";
    const isOurs = (url: string): boolean => url.startsWith(`${location.origin}/`);
    const isMedia = (url: string): boolean => isOurs(url) || /^(?:blob:|data:image\/)/.test(url);
    const rules: ReadonlyMap<string, (url: string) => boolean> = new Map([
      ["A", (url: string) => /^(?:https?|mailto|tel):/.test(url)],
      ["SCRIPT", isOurs],
      ["LINK", isOurs],
    ]);
    const isForeign = (element: Element): boolean => {
      const { href, src } = element as { href?: unknown; src?: unknown };
      const url = href ?? src ?? "";
      if (element.matches(`${tags}, ${actions}`)) return true;
      if (element.getAttributeNames().some((name) => name.startsWith("on"))) return true;
      return typeof url !== "string" || (url !== "" && !(rules.get(element.tagName) ?? isMedia)(url));
    };
    /** Editors have a root of their own. */
    const rootsIn = (root: ParentNode): ParentNode[] => [
      root,
      ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : [])),
    ];
    const wordsOf = (root: ParentNode): string[] => {
      const fields = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")];
      const named = [...root.querySelectorAll("[title], [aria-label], [alt]")];
      const names = named.flatMap((one) => ["title", "aria-label", "alt"].map((name) => one.getAttribute(name) ?? ""));
      return [...fields.map(({ value }) => value), ...names];
    };
    for (const element of rootsIn(document).flatMap((root) => [...root.querySelectorAll("*")])) {
      if (isForeign(element)) foreign.push(element.outerHTML);
    }
    if (Object.keys(Object.prototype).length > 0 || "polluted" in {}) foreign.push("Object.prototype");
    // Not the sidebar, which is the same on all pages.
    const places = [...document.querySelectorAll<HTMLElement>("main, dialog[open], [popover]")];
    const text = places.flatMap((place) => [
      place.innerText,
      ...rootsIn(place).flatMap((root) => [...wordsOf(root), root === place ? "" : (root.textContent ?? "")]),
    ]);
    return { text: text.join("\n"), foreign };
  });
}
