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
  /** All words on the page, those in fields and in names of buttons included. */
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
    const isSafe = {
      A: (url: string) => /^(?:https?|mailto|tel):/.test(url),
      AREA: () => false,
      SCRIPT: (url: string) => isOurs(url),
      LINK: (url: string) => isOurs(url),
    } as Readonly<Record<string, ((url: string) => boolean) | undefined>>;
    const isMedia = (url: string): boolean => isOurs(url) || /^(?:blob:|data:image\/)/.test(url);
    for (const element of document.querySelectorAll<HTMLElement>(`${tags}, ${actions}`))
      foreign.push(element.outerHTML);
    for (const element of document.querySelectorAll<HTMLElement>("*")) {
      const { href, src } = element as { href?: unknown; src?: unknown };
      const url = href ?? src;
      if (element.getAttributeNames().some((name) => name.startsWith("on"))) foreign.push(element.outerHTML);
      if (typeof url === "object") foreign.push(element.outerHTML);
      if (typeof url === "string" && url !== "" && !(isSafe[element.tagName] ?? isMedia)(url))
        foreign.push(element.outerHTML);
    }
    if (Object.keys(Object.prototype).length > 0 || "polluted" in {}) foreign.push("Object.prototype");
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")];
    const names = [...document.querySelectorAll("[title], [aria-label], [alt]")].flatMap((element) =>
      ["title", "aria-label", "alt"].map((name) => element.getAttribute(name) ?? ""),
    );
    const text = [document.body.innerText, ...fields.map(({ value }) => value), ...names].join("\n");
    return { text, foreign };
  });
}
