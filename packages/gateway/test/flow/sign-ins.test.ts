// A sign-in on the command line, and then a conversation with it: the token is good where its provider says, and renewed before it ends.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@chela/sdk";
import { expect, test } from "vitest";
import { runCommand } from "../support/stages/command-here.ts";
import { createStateDirectory, startTestGateway } from "../support/in-process.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import { openGoogleHouse, openQwenHouse, type House } from "../support/models/sign-in-houses.ts";

const HOUR_MS = 3_600_000;
const LIMIT_OF_REQUESTS_MS = 30_000;

function profileOf(stateDir: string, id: string): Record<string, unknown> {
  const path = join(stateDir, "agents", "main", "agent", "auth-profiles.json");
  return JSON.parse(readFileSync(path, "utf8")).profiles[id];
}

/** The same clock, for a command that would wait some seconds before it asks again. */
const hurried = (clock: Clock): Clock => ({
  now: clock.now,
  steady: clock.steady,
  after: (ms, task) => clock.after(ms < LIMIT_OF_REQUESTS_MS ? 0 : ms, task),
});

/** Two turns in one gateway, with two hours between them, and what is kept after each. */
async function talkTwice(
  stateDir: string,
  house: House,
  provider: string,
  clock: ReturnType<typeof createShiftedClock>,
) {
  await using gateway = await startTestGateway({
    stateDir,
    clock,
    start: { given: { tokenEndpoints: { [provider]: `${house.url}/token` } } },
  });
  const client = await gateway.connect();
  const say = async (message: string) => {
    const { result } = await client.call("agent", {
      message,
      sessionKey: "agent:main:sign-in",
      idempotencyKey: message,
    });
    return result.payloads[0].text as string;
  };
  const first = await say("one");
  const before = profileOf(stateDir, `${provider}:default`);
  clock.advance(2 * HOUR_MS);
  const second = await say("two");
  return {
    answers: [first, second],
    before,
    after: profileOf(stateDir, `${provider}:default`),
    log: gateway.readLog(),
  };
}

test("Qwen: signed in with a code, asked where its token is good, renewed and kept before it is used", async () => {
  await using qwen = await openQwenHouse(["pending", "slow", "approved"]);
  const clock = createShiftedClock();
  using state = createStateDirectory({ agents: { defaults: { model: "qwen-portal/coder-model" } } });
  const parts = { codeUrl: `${qwen.url}/device/code`, tokenUrl: `${qwen.url}/token`, clock: hurried(clock) };
  const { code, text } = await runCommand(
    { stateDir: state.path },
    "models auth login --provider qwen-portal",
    "",
    parts,
  );
  expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining("type this code: QW-34") });
  expect(text).toContain("Qwen ended the free use of this sign-in in April 2026");

  const { answers, before, after, log } = await talkTwice(state.path, qwen, "qwen-portal", clock);
  expect(answers).toEqual(["Qwen says hello to qwen-access-1.", "Qwen says hello to qwen-access-2."]);
  expect(before["resourceUrl"]).toBe(`${qwen.url}/v1`);
  expect(Number(after["expires"])).toBeGreaterThan(Number(before["expires"]));
  expect(qwen.asked.map(({ path, bearer }) => `${path} ${bearer ?? ""}`.trim())).toEqual([
    "/device/code",
    "/token",
    "/token",
    "/token",
    "/v1/chat/completions qwen-access-1",
    "/token",
    "/v1/chat/completions qwen-access-2",
  ]);
  expect(text + log).not.toMatch(/qwen-(access|refresh)-\d/);
});

test("the Gemini CLI: signed in with a browser, its project found, asked in its envelope, renewed with the same refresh token", async () => {
  await using google = await openGoogleHouse({ kind: "known", project: "licensed-project" });
  const clock = createShiftedClock();
  using state = createStateDirectory({
    agents: { defaults: { model: "google-gemini-cli/gemini-3.1-pro-preview" } },
    models: { providers: { "google-gemini-cli": { baseUrl: google.url } } },
  });
  const { code, text } = await runCommand(
    { stateDir: state.path },
    "models auth login --provider google-gemini-cli --accept-risk",
    async (printed) => google.agree(new URL(await printed(/^https:\S+$/m))),
    { tokenUrl: `${google.url}/token`, codeAssistUrl: google.url, clock },
  );
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringContaining("Stored the profile google-gemini-cli:default"),
  });

  const { answers, before, after, log } = await talkTwice(state.path, google, "google-gemini-cli", clock);
  expect(answers).toEqual(["Gemini says hello to ya29.first.", "Gemini says hello to ya29.second."]);
  expect(before["projectId"]).toBe("licensed-project");
  expect(after["refresh"]).toBe(before["refresh"]);
  expect(google.asked.map(({ path }) => path)).toEqual([
    "/token",
    "/v1internal:loadCodeAssist",
    "/v1internal:streamGenerateContent?alt=sse",
    "/token",
    "/v1internal:streamGenerateContent?alt=sse",
  ]);
  expect(text + log).not.toMatch(/ya29|google-refresh/);
});
