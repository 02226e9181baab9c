// The stage of browser tests: the built gateway as a process of its own, a scripted model behind it, a real browser in front.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished, TestRunner } from "vitest";
import { ensureDebianPackage, warnNotTested } from "../../../gateway/test/support/stages/debian-package.ts";
import { pageLink } from "../../../gateway/src/cli/views/page-link.ts";
import { Household, type Program } from "../../../gateway/test/support/durability/child-gateway.ts";
import {
  connectClient,
  createTestDevice,
  type ClientOptions,
  type WireClient,
} from "../../../gateway/test/support/wire-client.ts";
import { sharedChromium } from "./chromium.ts";
import { startScriptedServer, type ScriptedServer } from "./scripted-server.ts";

export const TOKEN = "token-of-the-browser-tests-0123456789";
const PATIENCE_MS = 15_000;

/** Whether there is a browser, after installing one where that is possible. */
export const HAS_BROWSER = ensureDebianPackage("chromium", "chromium");
if (!HAS_BROWSER) warnNotTested("the control page in a browser", "no chromium; install it");

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** The page's route, such as "#/sessions". */
  readonly at?: string;
  readonly locale?: string;
  readonly permissions?: readonly string[];
  /** Somebody who wants nothing to move; nobody has to wait for it then. */
  readonly isStill?: boolean;
}

export class Stage implements AsyncDisposable {
  readonly household = new Household();
  readonly model: ScriptedServer;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #clients: WireClient[] = [];
  /** Asks for codes, as the command line does. */
  readonly #usher = createTestDevice();
  #program: Program | undefined;
  port = 0;
  /** What browsers complained about; a test that ends with complaints has failed. */
  readonly complaints: string[] = [];

  private constructor(model: ScriptedServer, browser: Browser) {
    this.model = model;
    this.#browser = browser;
  }

  /** `prepare` fills the state directory before the gateway starts. */
  static async open(
    config: Readonly<Record<string, unknown>> = {},
    prepare?: (stateDir: string) => void | Promise<void>,
  ): Promise<Stage> {
    const [model, browser] = await Promise.all([startScriptedServer(), sharedChromium()]);
    const stage = new Stage(model, browser);
    const scripted = {
      baseUrl: model.baseUrl,
      apiKey: "test",
      api: "openai-completions",
      models: [
        {
          id: "test",
          name: "Test",
          contextWindow: 200_000,
          maxTokens: 8000,
          reasoning: true,
          input: ["text", "image"],
          cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
        },
        { id: "small", name: "Small", contextWindow: 32_000, maxTokens: 4000, input: ["text"] },
      ],
    };
    const whole = {
      gateway: { auth: { mode: "token", token: TOKEN } },
      // The same on every machine, whatever it could keep a sandbox with.
      agents: { defaults: { model: "scripted/test", sandbox: { mode: "off" } } },
      models: { providers: { scripted } },
      ...config,
    };
    mkdirSync(stage.household.stateDir, { recursive: true });
    writeFileSync(join(stage.household.stateDir, "openclaw.json"), JSON.stringify(whole));
    await prepare?.(stage.household.stateDir);
    await stage.start();
    return stage;
  }

  /** Starts the gateway; a second time on the port it had. */
  async start(): Promise<void> {
    const { program, port } = await this.household.startGateway(this.port ? ["--port", String(this.port)] : []);
    this.#program = program;
    this.port = port;
  }

  async kill(): Promise<void> {
    await this.#program?.kill("SIGKILL");
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** A client that asks the gateway directly, so that what a page shows can be compared with what is. */
  async client(options: Partial<ClientOptions> = {}): Promise<WireClient> {
    const client = await connectClient({ url: `ws://127.0.0.1:${this.port}`, token: TOKEN, ...options });
    this.#clients.push(client);
    return client;
  }

  /** A browser of its own, with nothing in its memory. */
  async browser({
    width = 1280,
    height = 800,
    theme = "light",
    locale = "en-US",
    permissions = [],
    isStill = false,
  }: Look = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale,
      permissions: [...permissions],
      reducedMotion: isStill ? "reduce" : "no-preference",
    });
    this.#contexts.push(context);
    // Shorter than a test may take, so that what did not come is named.
    context.setDefaultTimeout(PATIENCE_MS);
    context.on("weberror", (error) => this.complaints.push(error.error().message));
    context.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    // Whoever is left open hears of all that happens later, and draws it. Those of a whole file close with the stage.
    if (TestRunner.getCurrentTest()) onTestFinished(() => context.close());
    return context;
  }

  /** A page that is signed in, at a route. */
  async page(look: Look = {}): Promise<Page> {
    return this.enter(await this.browser(look), look.at);
  }

  /** The same in a browser that is there already. */
  async enter(browser: BrowserContext, at?: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(await this.entrance());
    await page.locator(".frame").waitFor();
    if (at) await page.evaluate((fragment) => void (location.hash = fragment), at);
    return page;
  }

  /** An address with a code in it that works once. */
  async entrance(): Promise<string> {
    await using client = await connectClient({
      url: `ws://127.0.0.1:${this.port}`,
      token: TOKEN,
      device: this.#usher,
    });
    const { basePath, code } = await client.call("access.code", {});
    return pageLink(this.url, { basePath: String(basePath), code: String(code) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.terminate();
    await Promise.all(this.#contexts.map((context) => context.close()));
    await this.household[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
  }
}
