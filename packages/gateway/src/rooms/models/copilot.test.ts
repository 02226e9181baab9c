// GitHub Copilot: logging in, exchanging tokens, and what its servers are told.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createFakeClock, plainRequest } from "@chela/sdk/testing";
import { Secret, GatewayError, type Clock, type ModelEvent, type ModelInfo, type ModelRequest } from "@chela/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpFetch, type HttpRequest } from "@chela/sdk/http";
import { openCopilotTokenFile } from "./providers/sign-in/copilot-token-file.ts";
import { createCopilotTokens, type CopilotTokenStore } from "./providers/sign-in/copilot-tokens.ts";
import { githubAddresses } from "./providers/sign-in/github-addresses.ts";
import { createGithubCopilot } from "./providers/github-copilot.ts";
import { startGithubDeviceLogin } from "./providers/sign-in/github-device-login.ts";
import { createModels } from "./room.ts";
import { openReplayServer, type Reply } from "./testing/replay-server.ts";
import { replyFor, silentLog } from "./testing/wire-harness.ts";

const NOW = 1_768_478_400_000;
const MINUTE = 60_000;
/** How long one request of the login may take. */
const REQUEST_MS = 30_000;
const GITHUB_TOKEN = "gho_1234567890";
const fetch = createHttpFetch();

const exchanged = (token: string, more: object = {}): Reply => ({
  body: JSON.stringify({ token, expires_at: NOW / 1000 + 30 * 60, ...more }),
});

function memoryStore(kept?: object): CopilotTokenStore & { kept: object | undefined } {
  return {
    kept,
    read() {
      return this.kept;
    },
    write(next) {
      this.kept = next;
    },
  };
}

describe("Copilot's token", () => {
  it("is asked for once by all who need it, with the token of GitHub", async () => {
    await using github = await openReplayServer();
    github.answer(exchanged("one"), exchanged("two"));
    const tokens = createCopilotTokens({ fetch, clock: createFakeClock(NOW), apiUrl: github.url });
    const both = await Promise.all([tokens.get(GITHUB_TOKEN), tokens.get(GITHUB_TOKEN)]);
    expect(both.map(({ token }) => token)).toEqual(["one", "one"]);
    expect(github.requests).toHaveLength(1);
    expect(github.requests[0]).toMatchObject({
      method: "GET",
      path: "/copilot_internal/v2/token",
      headers: { authorization: `token ${GITHUB_TOKEN}`, "copilot-integration-id": "vscode-chat" },
    });
  });

  it("is kept until five minutes before it expires, or until it is refused", async () => {
    await using github = await openReplayServer();
    github.answer(exchanged("one"), exchanged("two", { expires_at: NOW / 1000 + 3600 }), exchanged("three"));
    const clock = createFakeClock(NOW);
    const tokens = createCopilotTokens({ fetch, clock, apiUrl: github.url });
    const next = async (): Promise<string> => (await tokens.get(GITHUB_TOKEN)).token;
    expect(await next()).toBe("one");
    await clock.advance(24 * MINUTE);
    expect(await next()).toBe("one");
    await clock.advance(MINUTE);
    expect(await next()).toBe("two");
    tokens.forget(GITHUB_TOKEN);
    expect(await next()).toBe("three");
  });

  it.for<[string, string, object, string]>([
    [
      "what GitHub names",
      "t",
      { endpoints: { api: "https://api.business.githubcopilot.com" } },
      "https://api.business.githubcopilot.com",
    ],
    [
      "the proxy in the token",
      "tid=1;proxy-ep=proxy.acme.githubcopilot.com;exp=2",
      {},
      "https://api.acme.githubcopilot.com",
    ],
    ["the usual one", "tid=1;exp=2", {}, "https://api.individual.githubcopilot.com"],
  ])("is good at %s", async ([, token, more, baseUrl]) => {
    await using github = await openReplayServer();
    github.answer(exchanged(token, more));
    const tokens = createCopilotTokens({ fetch, clock: createFakeClock(NOW), apiUrl: github.url });
    expect((await tokens.get(GITHUB_TOKEN)).baseUrl).toBe(baseUrl);
  });

  it("survives a restart, for the same login only", async () => {
    await using github = await openReplayServer();
    github.answer(exchanged("one"), exchanged("two"));
    const store = memoryStore();
    const open = () => createCopilotTokens({ fetch, clock: createFakeClock(NOW), store, apiUrl: github.url });
    await open().get(GITHUB_TOKEN);
    expect(store.kept).toMatchObject({ token: "one", expiresAt: NOW + 30 * MINUTE, updatedAt: NOW });
    expect(JSON.stringify(store.kept)).not.toContain(GITHUB_TOKEN);
    expect((await open().get(GITHUB_TOKEN)).token).toBe("one");
    expect((await open().get("gho_somebody-else")).token).toBe("two");
  });
});

describe("the file of Copilot's token", () => {
  const directories: string[] = [];
  afterEach(() => directories.splice(0).forEach((path) => rmSync(path, { recursive: true })));
  const place = (): string => {
    const directory = mkdtempSync(join(tmpdir(), "copilot-"));
    directories.push(directory);
    return join(directory, "credentials", "github-copilot.token.json");
  };

  it("is private, and gives back what was kept", () => {
    const path = place();
    openCopilotTokenFile(path).write({ token: "t" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openCopilotTokenFile(path).read()).toEqual({ token: "t" });
  });

  it("may be missing or damaged", () => {
    const path = place();
    expect(openCopilotTokenFile(path).read()).toBeUndefined();
    openCopilotTokenFile(path).write({});
    writeFileSync(path, '{"tok');
    expect(openCopilotTokenFile(path).read()).toBeUndefined();
  });
});

describe("a call to Copilot", () => {
  const PIXEL = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };

  async function call(modelId: string, replies: Reply[], tokenReplies: Reply[], request: Partial<ModelRequest> = {}) {
    await using github = await openReplayServer();
    await using server = await openReplayServer();
    server.answer(...replies);
    github.answer(...tokenReplies);
    const copilotTokens = createCopilotTokens({ fetch, clock: createFakeClock(NOW), apiUrl: github.url });
    const settings = { provider: "github-copilot", modelId, baseUrl: server.url, apiKey: GITHUB_TOKEN, bearer: false };
    const wire = createGithubCopilot({ ...settings, headers: {}, compat: {} }, fetch, { copilotTokens });
    const events: ModelEvent[] = [];
    const sent = { ...plainRequest({ provider: "github-copilot", id: modelId, api: "github-copilot" }), ...request };
    for await (const event of wire.stream(sent, new AbortController().signal)) events.push(event);
    return { events, requests: server.requests, asked: github.requests.length };
  }

  it.for([
    ["gpt-4o", "openai-completions", "/chat/completions"],
    ["gpt-6-sol", "openai-responses", "/responses"],
    ["claude-sonnet-4.6", "anthropic-messages", "/v1/messages"],
  ] as const)("of %s speaks %s", async ([modelId, api, path]) => {
    const { events, requests } = await call(modelId, [replyFor(api, "text")], [exchanged("short-lived")]);
    expect(events.at(-1)).toMatchObject({ kind: "finish", stopReason: "stop" });
    expect(requests[0]).toMatchObject({
      path,
      headers: {
        authorization: "Bearer short-lived",
        "editor-version": expect.stringMatching(/^vscode\//),
        "editor-plugin-version": expect.stringMatching(/^copilot-chat\//),
        "copilot-integration-id": "vscode-chat",
        "user-agent": expect.stringContaining("GitHubCopilotChat/"),
        "x-initiator": "user",
      },
    });
    expect(requests[0]?.headers).not.toHaveProperty("copilot-vision-request");
  });

  it("says when an agent asks, and when there is an image", async () => {
    const messages: ModelRequest["messages"] = [
      { role: "user", content: [PIXEL], timestamp: 0 },
      { role: "toolResult", toolCallId: "x", toolName: "read", content: [], isError: false, timestamp: 0 },
    ];
    const { requests } = await call("gpt-4o", [replyFor("openai-completions", "text")], [exchanged("t")], { messages });
    expect(requests[0]?.headers).toMatchObject({ "x-initiator": "agent", "copilot-vision-request": "true" });
  });

  it("is tried once more with a new token when that is refused", async () => {
    const replies = [{ status: 401, body: "token expired" }, replyFor("openai-completions", "text")];
    const { events, requests, asked } = await call("gpt-4o", replies, [exchanged("old"), exchanged("new")]);
    expect(events.at(-1)?.kind).toBe("finish");
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
    expect(asked).toBe(2);
  });

  it.for<[string, Reply, object]>([
    ["no Copilot", { status: 404, body: '{"message":"Not Found"}' }, { reason: "auth", retry: "never" }],
    ["a wrong login", { status: 401, body: '{"message":"Bad credentials"}' }, { reason: "auth", retry: "never" }],
    ["GitHub in trouble", { status: 503, body: "" }, { reason: "overloaded", retry: "later" }],
    ["an answer without a token", { body: "{}" }, { reason: "malformed" }],
  ])("fails with %s", async ([, reply, failure]) => {
    const { events, requests } = await call("gpt-4o", [], [reply]);
    expect(events).toMatchObject([{ kind: "failure", failure }]);
    expect(JSON.stringify(events)).not.toContain(GITHUB_TOKEN);
    expect(requests).toEqual([]);
  });
});

describe("a login at the GitHub of an enterprise", () => {
  const directories: string[] = [];
  afterEach(() => directories.splice(0).forEach((path) => rmSync(path, { recursive: true })));

  /** Both GitHubs are servers of this machine, and each hands out a token that names it. */
  async function openTwoGithubs() {
    const [acme, github, server] = [await openReplayServer(), await openReplayServer(), await openReplayServer()];
    acme.answer(exchanged("from-acme"));
    github.answer(exchanged("from-github"));
    server.answer(replyFor("openai-completions", "text"));
    const directory = mkdtempSync(join(tmpdir(), "copilot-"));
    directories.push(directory);
    const toLoopback = (url: string): string =>
      url.replace("https://api.acme.ghe.com/", `${acme.url}/`).replace("https://api.github.com/", `${github.url}/`);
    const models = createModels({
      config: () => ({ models: { providers: { "github-copilot": { baseUrl: server.url } } } }),
      env: () => ({}),
      clock: createFakeClock(NOW),
      log: silentLog,
      agentDir: (agentId) => join(directory, agentId),
      fetch: Object.assign((url: string | URL, request?: HttpRequest) => fetch(toLoopback(String(url)), request), {
        close: () => undefined,
      }),
    });
    const ask = async (agentId: string, id = "gpt-4o"): Promise<string | undefined> => {
      const model = models.resolve(`github-copilot/${id}`);
      const request = (candidate: ModelInfo) => plainRequest(candidate);
      const call = { agentId, sessionId: "s", candidates: [model], request, deadlineAt: NOW + MINUTE, compactions: 0 };
      let last: string | undefined;
      for await (const { kind } of models.converse(call, new AbortController().signal)) last = kind;
      return last;
    };
    return {
      models,
      ask,
      used: () => server.requests.map(({ headers }) => headers.authorization),
      asked: () => ({ acme: acme.requests.length, github: github.requests.length }),
      logins: () => acme.requests.map(({ headers }) => headers.authorization),
      async [Symbol.asyncDispose]() {
        models.close();
        await Promise.all([acme, github, server].map((one) => one.close()));
      },
    };
  }

  it("is exchanged there, once for all models, and kept apart from one at the public GitHub", async () => {
    await using world = await openTwoGithubs();
    const login = { type: "token", provider: "github-copilot", token: new Secret(GITHUB_TOKEN) } as const;
    await world.models.profiles.add("work", "github-copilot:work", { ...login, enterpriseUrl: "acme.ghe.com" });
    await world.models.profiles.add("home", "github-copilot:home", login);
    for (const [agentId, model] of [["work"], ["home"], ["work", "gpt-4.1"], ["work"]] as const) {
      expect(await world.ask(agentId, model)).toBe("finish");
    }
    expect(world.used()).toEqual(["from-acme", "from-github", "from-acme", "from-acme"].map((one) => `Bearer ${one}`));
    expect(world.asked()).toEqual({ acme: 1, github: 1 });
    expect(world.logins()).toEqual([`token ${GITHUB_TOKEN}`]);
  });

  it("moves with the profile: another address is asked at the next call", async () => {
    await using world = await openTwoGithubs();
    const login = { type: "token", provider: "github-copilot", token: new Secret(GITHUB_TOKEN) } as const;
    await world.models.profiles.add("main", "github-copilot:me", login);
    await world.ask("main");
    await world.models.profiles.add("main", "github-copilot:me", { ...login, enterpriseUrl: "https://acme.ghe.com/" });
    await world.ask("main");
    expect(world.used()).toEqual(["Bearer from-github", "Bearer from-acme"]);
  });
});

describe("logging in to GitHub with a code", () => {
  const BEGUN = {
    body: JSON.stringify({
      device_code: "d1",
      user_code: "AB-12",
      verification_uri: "https://x/device",
      expires_in: 900,
      interval: 5,
    }),
  };
  const error = (name: string, more: object = {}): Reply => ({ body: JSON.stringify({ error: name, ...more }) });
  const APPROVED = { body: JSON.stringify({ access_token: "gho_new", token_type: "bearer" }) };

  const CUT: Reply = { body: "", ending: "destroy" };
  const SILENCE: Reply = { body: "", ending: "hang" };

  /** Lets every pause pass at once, and tells how long they were and how it went; silent requests run into their limit. */
  async function logIn(answers: Reply[], seconds = 900) {
    await using github = await openReplayServer();
    // A connection that is used again is also tried again when it breaks, which is not what these tests are about.
    const alone = (reply: Reply): Reply => ({ ...reply, headers: { connection: "close" } });
    github.answer(...[{ body: BEGUN.body.replace("900", String(seconds)) }, ...answers].map(alone));
    const time = createFakeClock(NOW);
    const pauses: number[] = [];
    let isPausing = false;
    const clock: Clock = {
      now: time.now,
      steady: time.steady,
      after(ms, run) {
        const isPause = ms !== REQUEST_MS;
        if (isPause) pauses.push(ms / 1000);
        isPausing = isPause;
        return time.after(ms, run);
      },
    };
    const login = await startGithubDeviceLogin({ fetch, clock, siteUrl: github.url });
    const polls = (): number => github.requests.length - 1;
    let isOver = false;
    const outcome = login.wait(new AbortController().signal).finally(() => (isOver = true));
    outcome.catch(() => undefined);
    while (!isOver) {
      if (isPausing) await time.advance((pauses.at(-1) ?? 0) * 1000);
      else if (answers[polls() - 1] === SILENCE) await time.advance(REQUEST_MS);
      else await setImmediate();
    }
    return { login, outcome: await outcome, requests: [...github.requests], pauses, endedAt: time.now() };
  }

  it("shows the code, and asks until it was typed in, slower when told so", async () => {
    const answers = [
      error("authorization_pending"),
      error("slow_down"),
      error("slow_down", { interval: 20 }),
      APPROVED,
    ];
    const { login, outcome, requests, pauses } = await logIn(answers);
    expect(pauses).toEqual([5, 5, 10, 20]);
    expect(login).toMatchObject({ userCode: "AB-12", verificationUrl: "https://x/device", expiresAt: NOW + 900_000 });
    expect(outcome).toMatchObject({ kind: "approved", answer: { access_token: "gho_new" } });
    expect(requests.map(({ path }) => path)).toEqual([
      "/login/device/code",
      ...Array<string>(4).fill("/login/oauth/access_token"),
    ]);
    expect(new URLSearchParams(requests[0]?.text).get("scope")).toBe("read:user");
    expect(new URLSearchParams(requests[1]?.text).get("device_code")).toBe("d1");
  });

  it.for<[string, Reply, string]>([
    ["the person says no", error("access_denied"), "denied"],
    ["the code is too old", error("expired_token"), "expired"],
  ])("ends when %s", async ([, reply, kind]) => {
    expect((await logIn([reply])).outcome).toEqual({ kind });
  });

  it("goes on when GitHub is not reached, asking less often until it answers again", async () => {
    const wait = error("authorization_pending");
    const trouble = [CUT, { status: 503, body: "" }, { body: '{"acc', ending: "destroy" } as const];
    const { outcome, pauses } = await logIn([wait, ...trouble, wait, CUT, APPROVED]);
    expect(outcome).toMatchObject({ kind: "approved", answer: { access_token: "gho_new" } });
    expect(pauses).toEqual([5, 5, 10, 20, 40, 5, 10]);
  });

  it("does not wait for a GitHub that is silent", async () => {
    const { outcome, pauses } = await logIn([SILENCE, APPROVED]);
    expect(outcome).toMatchObject({ kind: "approved", answer: { access_token: "gho_new" } });
    expect(pauses).toEqual([5, 10]);
  });

  it("gives up when the code is too old, not later, and asks once a minute at least", async () => {
    const { outcome, pauses, endedAt } = await logIn([CUT], 200);
    expect(outcome).toEqual({ kind: "expired" });
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60, 5]);
    expect(endedAt).toBe(NOW + 200_000);
  });

  it("can be called off while GitHub is asked", async () => {
    await using github = await openReplayServer();
    github.answer(BEGUN, SILENCE);
    const clock = createFakeClock(NOW);
    const login = await startGithubDeviceLogin({ fetch, clock, siteUrl: github.url });
    const stop = new AbortController();
    const outcome = login.wait(stop.signal);
    const sent = github.sent();
    await clock.advance(5_000);
    await sent;
    stop.abort();
    expect(await outcome).toEqual({ kind: "aborted" });
    expect(clock.waiting).toBe(0);
  });

  it.for<[string, Reply, string]>([
    ["no JSON", { body: "<html>" }, "gave an answer about the login that cannot be understood"],
    ["a list", { body: "[]" }, "gave an answer about the login that cannot be understood"],
    ["a number for a token", { body: '{"access_token":7}' }, "cannot be understood"],
    ["a refusal", { status: 404, body: "" }, "GitHub answered 404 to the login"],
    ["a reason of its own", error("device_flow_disabled"), 'GitHub ended the login with "device_flow_disabled"'],
  ])("ends with a sentence when the answer is %s", async ([, reply, says]) => {
    const failure = await logIn([reply]).catch((thrown: unknown) => thrown);
    expect(GatewayError.is(failure) && failure.detail).toContain(says);
  });

  it("ends by itself when the time is over, and when it is called off", async () => {
    await using github = await openReplayServer();
    github.answer({ body: BEGUN.body.replace("900", "4") });
    const clock = createFakeClock(NOW);
    const login = await startGithubDeviceLogin({ fetch, clock, siteUrl: github.url });
    expect(await login.wait(AbortSignal.abort())).toEqual({ kind: "aborted" });
    const late = login.wait(new AbortController().signal);
    await clock.advance(5_000);
    expect(await late).toEqual({ kind: "expired" });
    expect(github.requests).toHaveLength(1);
  });

  it.for<[string, Reply[], string]>([
    ["a refusal", [{ status: 500, body: "" }], "GitHub answered 500 to the login"],
    ["nonsense", [{ body: "<html>" }], "did not begin a login"],
  ])("fails with a sentence on %s", async ([, replies, says]) => {
    await using github = await openReplayServer();
    github.answer(...replies);
    const begun = startGithubDeviceLogin({ fetch, clock: createFakeClock(NOW), siteUrl: github.url });
    await expect(begun).rejects.toThrow(says);
  });

  it.for([
    [undefined, "https://github.com", "https://api.github.com"],
    ["acme.ghe.com", "https://acme.ghe.com", "https://api.acme.ghe.com"],
    ["https://acme.ghe.com/login", "https://acme.ghe.com", "https://api.acme.ghe.com"],
  ] as const)("finds the GitHub of %s", ([enterprise, site, api]) => {
    expect(githubAddresses(enterprise)).toEqual({ site, api });
  });
});
