// `chela credential …`: through a running gateway and without one; no value is ever shown.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runChecks } from "../../src/cli/doctor/run-checks.ts";
import { callFor, runCommand } from "../support/stages/command-here.ts";
import type { Json } from "../support/wire-client.ts";
import { createStateDirectory, startTestGateway, type TestGateway } from "../support/in-process.ts";

const CANARY = "sk-canary-0123456789";

let directory: ReturnType<typeof createStateDirectory>;
let gateway: TestGateway | undefined;
let said: string;
beforeEach(() => {
  directory = createStateDirectory({ channels: { telegram: { enabled: false, botToken: `1:${CANARY}` } } });
  said = "";
});
afterEach(async () => {
  await gateway?.[Symbol.asyncDispose]();
  gateway = undefined;
  directory[Symbol.dispose]();
  expect(said).not.toContain("canary");
});

const place = () => ({ stateDir: directory.path, port: gateway?.gateway.port });

async function chela(line: string, typed = ""): Promise<{ code: number; text: string }> {
  const result = await runCommand(place(), line, typed);
  said += result.text;
  return result;
}

describe.each(["without a gateway", "with a gateway"])("%s", (how) => {
  beforeEach(async () => {
    if (how === "with a gateway") gateway = await startTestGateway({ stateDir: directory.path });
  });

  test("a credential is added, listed, checked, closed anew and removed", async () => {
    expect(await chela("credential add mail/imap --account me --origin mail.example.org", CANARY)).toEqual({
      code: 0,
      text: 'Kept as mail/imap. Write "vault:mail/imap" where the configuration needs it.\n',
    });
    const { text } = await chela("credential list");
    expect(text).toMatch(/^ID +SERVICE +ACCOUNT[^]*mail\/imap +mail +me +value +unverified +never +-/);
    expect(text).toContain("1 secret in plain text");
    expect(await chela("credential verify mail/imap")).toMatchObject({
      code: 0,
      text: expect.stringContaining("mail/imap: cannot be checked automatically"),
    });
    expect((await chela("credential rotate")).text).toContain("1 value closed with a new key");
    expect((await chela("credential add mail/imap", CANARY)).text).toContain(
      'there is a credential "mail/imap" already',
    );
    expect(await chela("credential remove mail/imap")).toMatchObject({ code: 0 });
    expect(await chela("credential remove mail/imap")).toMatchObject({ code: 1 });
  });

  test("the list says what a credential makes possible, and what waits for one", async () => {
    await chela("credential add work/key --service anthropic", CANARY);
    const provider = { apiKey: "vault:work/key", baseUrl: "https://api.anthropic.com" };
    const settings = {
      models: { providers: { anthropic: provider } },
      channels: { telegram: { enabled: true }, discord: { enabled: false } },
      tools: { web: { search: { provider: "brave" } } },
      agents: {
        list: [{ id: "main", model: { primary: "anthropic/claude-opus-4-5", fallbacks: ["openai/gpt-5.2"] } }],
      },
    };
    for (const [path, value] of Object.entries(settings)) {
      expect(await chela(`config set ${path} ${JSON.stringify(value)}`)).toMatchObject({ code: 0 });
    }
    const { text } = await chela("credential list");
    expect(text).toMatch(/work\/key +anthropic .* models of anthropic +models\.providers\.anthropic\.apiKey\n/);
    const [, waiting = ""] = text.split("Waiting for a credential:\n");
    expect(waiting.split("\n")).toEqual([
      "  model openai/gpt-5.2: it needs a credential of openai. To fix: chela models auth add --provider openai",
      expect.stringMatching(/^ {2}channel telegram \(default\): .*token.* To fix: chela channels add telegram$/),
      expect.stringMatching(/^ {2}tool web_search: web_search with brave needs a key: tools\.web\.search\.apiKey/),
      "",
    ]);
    const listed = JSON.parse((await chela("credential list --json")).text) as { missing: Json[] };
    expect(listed.missing.map(({ kind, name, detail }) => [kind, name, detail])).toEqual([
      ["model", "openai/gpt-5.2", undefined],
      ["channel", "telegram", "default"],
      ["tool", "web_search", undefined],
    ]);
  });

  test("plain secrets are moved, and what is used is not removed by accident", async () => {
    expect((await chela("credential import --dry-run")).text).toBe("Would move channels.telegram.botToken.\n");
    expect((await chela("credential import")).text).toContain(
      "channels.telegram.botToken → vault:telegram/default/botToken",
    );
    expect(readFileSync(join(directory.path, "openclaw.json"), "utf8")).not.toContain("canary");
    const refused = await chela("credential remove telegram/default/botToken");
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining("is used by channels.telegram.botToken") });
    expect((await chela("credential import")).text).toBe("No secret lies outside in plain text.\n");
    expect((await chela("config get channels.telegram.enabled")).text).toContain("false");
  });

  test.each([
    ["add x --exec op", "no absolute path"],
    ["add x --exec /tmp/op", "whose programs are trusted"],
    ["add x --file relative", "no absolute path"],
    ["add x --env A --file /x", "lies in one place"],
    ["add __proto__", "cannot be the id"],
  ])("credential %s is refused", async (line, why) => {
    const { code, text } = await chela(`credential ${line}`, CANARY);
    expect(code).toBe(1);
    expect(text).toContain(why);
    expect(JSON.parse((await chela("credential list --json")).text).credentials).toEqual([]);
  });

  test("a pointer to a program is shown as it is, and followed", async () => {
    const path = join(directory.path, "pin");
    writeFileSync(path, `${CANARY}\n`, { mode: 0o600 });
    expect(await chela(`credential add pin --exec /usr/bin/cat --arg ${path}`)).toMatchObject({ code: 0 });
    expect((await chela("credential list")).text).toContain(`exec /usr/bin/cat ${path}`);
  });
});

test("an export is asked for, and written for its owner alone", async () => {
  await chela("credential import");
  const target = join(directory.path, "out");
  expect(await chela(`credential export --openclaw ${target}`)).toMatchObject({
    code: 1,
    text: expect.stringContaining("Nobody is here to be asked"),
  });
  expect(await chela(`credential export --openclaw ${target} --yes`)).toMatchObject({ code: 0 });
  const exported = JSON.parse(readFileSync(join(target, "openclaw.json"), "utf8"));
  expect(exported.channels.telegram.botToken).toBe(`1:${CANARY}`);
});

test("the key may become a passphrase, which later commands need", async () => {
  await chela("credential import");
  expect((await chela("credential rotate --key passphrase", "swordfish")).text).toContain("passphrase");
  const { text } = await chela("config validate");
  expect(text).toContain("set OPENCLAW_VAULT_PASSPHRASE");
});

test("what is done without a gateway is in the audit trail", async () => {
  await chela("credential add mail", CANARY);
  await chela("credential verify mail");
  await chela("credential remove mail");
  await chela("credential import");
  await chela("credential rotate");
  await chela("credential rotate --key passphrase", "swordfish-canary");
  const { text } = await chela("audit list --action credential --json");
  const steps = JSON.parse(text).records.map(({ actor, target, detail }: Json) => [
    actor,
    target,
    (detail as Json)["step"],
  ]);
  expect(steps.toReversed()).toEqual([
    ["cli", "mail", "added"],
    ["cli", "mail", "verified"],
    ["cli", "mail", "removed"],
    ["cli", "vault", "imported"],
    ["cli", "vault", "key rotated"],
    ["cli", "vault", "key rotated"],
  ]);
});

test("the passphrase, variables that are no secrets and the gateway's token stay where they are", async () => {
  const env = join(directory.path, ".env");
  const text = `OPENCLAW_VAULT_PASSPHRASE=swordfish\nEDITOR_TOKEN=${CANARY}\n`;
  writeFileSync(env, text, { mode: 0o600 });
  const vars = { LANG: "C.UTF-8", OPENCLAW_VAULT_PASSPHRASE: "swordfish", A_TOKEN: `${CANARY}-a` };
  await chela(`config set env.vars ${JSON.stringify(vars)}`);
  await chela("credential import");
  expect(readFileSync(env, "utf8")).toBe(text.replace(CANARY, "vault:env/EDITOR_TOKEN"));
  const written = JSON.parse(readFileSync(join(directory.path, "openclaw.json"), "utf8"));
  expect(written.env.vars).toEqual({ ...vars, A_TOKEN: "vault:config/env.vars.A_TOKEN" });
  expect((await chela("config validate")).text).toMatch(/is fine\.\n$/);
});

describe("doctor", () => {
  const check = (): Promise<unknown> => runChecks(callFor(place()), false, "Vault");

  test("names plain secrets and how to move them, and is content afterwards", async () => {
    mkdirSync(join(directory.path, "agents", "main", "agent"), { recursive: true });
    const profiles = { profiles: { "openai:default": { type: "api_key", provider: "openai", key: CANARY } } };
    const file = join(directory.path, "agents", "main", "agent", "auth-profiles.json");
    writeFileSync(file, JSON.stringify(profiles), { mode: 0o600 });
    expect(await check()).toEqual([
      {
        name: "Vault",
        state: "warn",
        says: "2 secrets in plain text: channels.telegram.botToken; agent main, profile openai:default",
        fix: "chela credential import",
      },
    ]);
    const audit = async () => JSON.parse((await chela("security audit --json")).text).findings as Json[];
    const found = (await audit()).filter(({ id }) => String(id).startsWith("plaintext:"));
    expect(found.map(({ where, risk }) => [where, /\((.*)\)/.exec(String(risk))?.[1]])).toEqual([
      [join(directory.path, "openclaw.json"), "keys: channels.telegram.botToken"],
      [file, "profiles: openai:default"],
    ]);
    await chela("credential import");
    expect(await check()).toEqual([{ name: "Vault", state: "ok", says: "2 credentials" }]);
    expect(JSON.stringify(await audit())).not.toContain("plaintext:");
  });

  test("names an entry that cannot be opened", async () => {
    await chela("credential import");
    const path = join(directory.path, "credentials", "vault.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"service": "telegram"', '"service": "other"'));
    expect(await check()).toMatchObject([
      { state: "warn", says: expect.stringContaining("telegram/default/botToken: ") },
    ]);
  });
});
