// S-30: what strangers write is text in everything the gateway hands out: pages, pictures, answers, exports, mail.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { say } from "@chela/sdk/testing";
import { PAYLOADS } from "../../../ui/test/support/payloads.ts";
import { toHtml as toMail } from "../../../channels/src/email/format.ts";
import { toHtml as toTelegram } from "../../../channels/src/telegram/format.ts";
import { DOOR_BODY, listDoorRoutes } from "../support/security/door-routes.ts";
import { HOOK_TOKEN, MOUNT_SECRET, openDoorStage, type DoorStage } from "../support/security/door-stage.ts";
import { startTestGateway } from "../support/in-process.ts";
import { parseEvents } from "../support/in-process-http.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { WireClient } from "../support/wire-client.ts";

const UI = fileURLToPath(new URL("../../../ui", import.meta.url));
/** Everything at once; what HTTP or JSON cannot carry is left out. */
const EVERYTHING = PAYLOADS.filter((payload) => payload.isWellFormed()).join("\n\n");

/** What the control page may do, written down apart from the gateway. */
const PAGE_POLICY: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data: blob:",
  "media-src": "'self' blob:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "worker-src": "'self'",
  "frame-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "object-src": "'none'",
  "frame-ancestors": "'none'",
  "require-trusted-types-for": "'script'",
  "trusted-types": "lit-html chela",
};

function readPolicy(header: unknown): Record<string, string> {
  const directives = String(header).split("; ");
  return Object.fromEntries(directives.map((one) => [one.split(" ")[0] ?? "", one.split(" ").slice(1).join(" ")]));
}

describe("S-30: at the door", () => {
  let stage: DoorStage;
  beforeAll(async () => void (stage = await openDoorStage()));
  afterAll(() => stage[Symbol.asyncDispose]());
  const secrets = () => ({
    authorization: `Bearer ${stage.gateway.token}`,
    "x-openclaw-token": HOOK_TOKEN,
    "x-mount": MOUNT_SECRET,
  });

  test("every answer says what it is, is taken for nothing else, and runs nothing", async () => {
    const routes = listDoorRoutes();
    const wrong = await stage.findWrong(routes, async ({ method, path, auth }) => {
      const body = method === "POST" || method === "PUT" ? { body: DOOR_BODY } : {};
      const headers = auth === "page" || auth === "public" ? {} : secrets();
      const answer = await stage.ask({ method, path, headers, ...body });
      const policy = readPolicy(answer.headers["content-security-policy"]);
      const isViewer = path.startsWith("/viewer");
      const isPage = auth === "page" && !isViewer && !path.startsWith("/avatar");
      return {
        expected: ["nosniff", "'none'", isPage ? PAGE_POLICY : undefined, isViewer || isPage ? undefined : ""],
        got: [
          answer.headers["x-content-type-options"],
          policy["default-src"],
          isPage ? policy : undefined,
          isViewer || isPage ? undefined : policy["sandbox"],
        ],
      };
    });
    expect(wrong).toEqual([]);
    countCases("S-30", routes.length);
  });

  test("the viewer has an origin of its own, runs its own script alone, and is framed by the page alone", async () => {
    const html = readFileSync(join(UI, "public", "viewer.html"), "utf8");
    writeFileSync(join(stage.gateway.pageRoot, "viewer.html"), html);
    const { headers, text } = await stage.ask({ path: "/viewer" });
    expect(text).toBe(html);
    const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = ""]) => script);
    expect(scripts).toHaveLength(1);
    const digest = createHash("sha256")
      .update(scripts[0] ?? "")
      .digest("base64");
    expect(readPolicy(headers["content-security-policy"])).toEqual({
      sandbox: "allow-scripts",
      "default-src": "'none'",
      "script-src": `'sha256-${digest}'`,
      "style-src": "'unsafe-inline'",
      "img-src": "data: blob:",
      "media-src": "data: blob:",
      "font-src": "data:",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'self'",
    });
  });

  test("what stands in an address comes back in no answer", async () => {
    const places = [
      "/",
      "/v1/",
      "/api/",
      "/hooks/",
      "/avatar/",
      "/assets/",
      "/chat/",
      "/?session=",
      "/chat?session=",
      "/?x=",
    ];
    const cases = PAYLOADS.filter((payload) => payload.isWellFormed() && payload.length < 2_000).flatMap((payload) =>
      places.map((place) => ({ path: `${place}${encodeURIComponent(payload)}`, payload })),
    );
    const wrong = await stage.findWrong(cases, async ({ path, payload }) => {
      const { text, headers } = await stage.ask({ path, headers: secrets() });
      const location = headers.location ?? "/#/chat";
      const type = headers["content-type"] ?? "text/plain";
      return {
        expected: [false, true, true],
        got: [
          payload.length > 3 && text.includes(payload),
          location === "/" || /^\/#\/chat(\/[\w%.!~*'()-]*)?$/.test(location),
          /^(text\/plain|application\/json)/.test(type) || text.startsWith("<!doctype html><title>control page"),
        ],
      };
    });
    expect(wrong).toEqual([]);
    countCases("S-30", cases.length);
  });

  test("what was said comes back as JSON, and a stream of it stays in its frames", async () => {
    const { gateway } = stage;
    gateway.model.script(say(EVERYTHING), say(EVERYTHING), say(EVERYTHING));
    const said = await gateway.fetch("/api/sessions/home", {
      method: "POST",
      body: JSON.stringify({ text: EVERYTHING }),
    });
    expect(said.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(said.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await said.json()).toMatchObject({
      bot_text: expect.stringContaining("<script>__ran(1)</script>") as string,
    });
    const messages = [{ role: "user", content: EVERYTHING }];
    for (const stream of [false, true]) {
      const answer = await gateway.fetch("/v1/chat/completions", {
        method: "POST",
        body: JSON.stringify({ messages, stream }),
      });
      const type = stream ? "text/event-stream" : "application/json";
      expect(answer.headers.get("content-type")).toMatch(new RegExp(`^${type}`));
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      const text = await answer.text();
      const words = stream
        ? parseEvents(text)
            .map(({ data }) => (data === "[DONE]" ? "" : (data.choices[0]?.delta?.content ?? "")))
            .join("")
        : JSON.parse(text).choices[0].message.content;
      expect(words.trim()).toBe(EVERYTHING.trim());
    }
    countCases("S-30", PAYLOADS.length * 3);
  });
});

describe("S-30: the picture of an agent", () => {
  let stage: DoorStage;
  beforeAll(async () => void (stage = await openDoorStage()));
  afterAll(() => stage[Symbol.asyncDispose]());

  test("is a picture, is shown as nothing else, and runs nothing", async () => {
    const { status, headers } = await stage.ask({ path: "/avatar/main" });
    expect([status, headers["content-type"], headers["x-content-type-options"]]).toEqual([200, "image/png", "nosniff"]);
    expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
  });

  test("is not there when the file is anything else, whatever it is called", async () => {
    const file = join(stage.gateway.stateDir, "workspace", "face.png");
    const pretenders = [
      "<!doctype html><script>__ran(1)</script>",
      "<svg xmlns='http://www.w3.org/2000/svg' onload='__ran(1)'/>",
      "<?xml version='1.0'?><svg/>",
      "%PDF-1.4\n",
      "PNG\r\n<script>__ran(1)</script>",
      "",
      ...PAYLOADS.slice(0, 60),
    ];
    for (const bytes of pretenders) {
      writeFileSync(file, bytes);
      expect([bytes.slice(0, 40), (await stage.ask({ path: "/avatar/main" })).status]).toEqual([
        bytes.slice(0, 40),
        404,
      ]);
    }
    countCases("S-30", pretenders.length);
  });

  test("cannot be told to be one that could run", async () => {
    const admin = await stage.gateway.connect();
    const written = [
      "data:text/html,<script>__ran(1)</script>",
      "data:image/svg+xml,<svg onload=__ran(1)>",
      "data:image/svg+xml;base64,PHN2Zy8+",
      "javascript:__ran(1)",
      "face.svg",
      "face.html",
      "file:///etc/passwd",
      "blob:null/x",
    ];
    for (const avatar of written) {
      const { error } = await admin.request("agents.update", { agentId: "main", avatar });
      expect([avatar, error?.message.includes("avatar cannot be used")]).toEqual([avatar, true]);
    }
    countCases("S-30", written.length);
  });
});

test("S-30: names in what the page must know before it connects are values of JSON", async () => {
  const names = PAYLOADS.filter(
    (payload) => payload.isWellFormed() && payload.length <= 50 && payload.trim() === payload,
  );
  expect(names.length).toBeGreaterThan(20);
  // One gateway each would take long: the first and the last of them, and what closes a script.
  for (const name of [names[0], names.at(-1), "</script><script>__ran(1)</script>"]) {
    await using gateway = await startTestGateway({ config: { ui: { assistant: { name } } } });
    const response = await gateway.fetch("/__openclaw/control-ui-config.json", { token: null });
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toMatchObject({ assistantName: name });
    expect(await (await gateway.fetch("/")).text()).not.toContain("__ran");
  }
  countCases("S-30", 3);
});

describe("S-30: a conversation that is written out as a page", () => {
  let client: WireClient;
  let page: string;
  beforeAll(async () => {
    const gateway = await startTestGateway();
    await using _gateway = gateway;
    client = await gateway.connect();
    for (const payload of PAYLOADS.filter((one) => one.isWellFormed() && !one.startsWith("/"))) {
      gateway.model.script(say(payload));
      await client.agent(`say: ${payload}`);
    }
    const told = await client.agent("/export-session kept.html");
    const [, path = ""] = /(\/\S+kept\.html)/.exec(told) ?? [];
    page = readFileSync(path, "utf8");
  });

  test("has every word, and no mark-up but its own", () => {
    const body = page.slice(page.indexOf("<body>"));
    const tags = new Set([...body.matchAll(/<[^>]*>?/g)].map(([tag]) => tag));
    const own = /^<(?:\/?(?:body|html|h1|pre|time|article)|article class="(?:user|assistant|tool|note)")>$/;
    expect([...tags].filter((tag) => !own.test(tag))).toEqual([]);
    expect(body).toContain("&#60;script&#62;__ran(1)&#60;/script&#62;");
    expect(body).toContain("javascript:__ran(1)");
    countCases("S-30", PAYLOADS.length);
  });

  test("loads nothing and runs nothing even if it had any", () => {
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    );
  });
});

test.each([
  [
    "mail",
    (text: string) => toMail(text).replace(/^<!DOCTYPE html>/, ""),
    /^<\/?(?:a|b|i|s|code|pre|p|br|hr|ul|ol|li|blockquote|table|thead|tbody|tr|td|th|h[1-6]|div|html|head|body)$/,
  ],
  ["Telegram", toTelegram, /^<\/?(?:a|b|i|u|s|code|pre|blockquote|tg-spoiler|span)$/],
] as const)("S-30: mark-up for %s has no tags, attributes or addresses but harmless ones", (_name, write, own) => {
  for (const payload of PAYLOADS) {
    const html = write(payload);
    for (const [tag] of html.matchAll(/<[^>]*>?/g)) {
      const [, name = "", attributes = ""] = /^(<\/?[\w-]+)([^>]*)>$/.exec(tag) ?? [];
      expect([payload, tag, own.test(name)]).toEqual([payload, tag, true]);
      for (const [, attribute = "", value = ""] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) {
        expect([payload, attribute]).toEqual([
          payload,
          expect.stringMatching(/^(href|class|start|expandable|style|border|cellpadding|cellspacing)$/),
        ]);
        if (attribute === "href")
          expect([payload, value]).toEqual([payload, expect.stringMatching(/^(https?|mailto|tel|tg):/)]);
      }
      expect(attributes.replace(/\s+[\w-]+(="[^"]*")?/g, "").trim()).toMatch(/^\/?$/);
    }
  }
  countCases("S-30", PAYLOADS.length);
});

describe("S-30: the page itself", () => {
  const sources = readdirSync(join(UI, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );

  test("is written without anything that makes mark-up or programs of text", () => {
    const banned =
      /\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|unsafe(?:HTML|SVG|MathML|Static)|createContextualFragment|\beval\(|new Function\b|setTimeout\(\s*["'`]|srcdoc|DOMParser/;
    // The name of an element, from the page's own table of pages.
    const harmless = /unsafeStatic\(`chela-\$\{page\.id\}-page`\)|import \{[^}]*unsafeStatic \}/g;
    const textOf = (name: string): string => readFileSync(join(UI, "src", name), "utf8").replaceAll(harmless, "");
    const found = sources.filter((name) => banned.test(textOf(name)));
    expect(found).toEqual([]);
    expect(sources.length).toBeGreaterThan(50);
    countCases("S-30", sources.length);
  });

  test("has no script, style or handler of its own between its lines", () => {
    const html = readFileSync(join(UI, "index.html"), "utf8");
    expect([...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)].every(([, , text]) => text === "")).toBe(true);
    expect(html).not.toMatch(/<style|\son\w+\s*=|\sstyle\s*=|javascript:|https?:\/\//i);
  });
});
