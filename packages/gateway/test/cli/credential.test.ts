// `chela credential …`: through a running gateway and without one; no value is ever shown.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { COMMANDS, GLOBAL_FLAGS } from "../../src/cli/command-table.ts";
import type { CommandCall } from "../../src/cli/command-spec.ts";
import { runChecks } from "../../src/cli/doctor-checks.ts";
import { explainFailure } from "../../src/cli/explain-failure.ts";
import { parseCommandLine } from "../../src/cli/parse-arguments.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { createStateDirectory, startTestGateway, TEST_TOKEN, type TestGateway } from "../support/in-process.ts";

const CANARY = "sk-canary-0123456789";
const plain = (text: string): string => text;
const style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain };

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

const flags = { has: () => false, text: () => undefined, number: () => undefined, list: () => [] };

function callFor(more: Partial<CommandCall>, print: (text: string) => void): CommandCall {
  const terminal: Terminal = {
    style,
    columns: 200,
    isInteractive: false,
    write: print,
    print: (text) => print(`${text}\n`),
    printJson: (value) => print(`${JSON.stringify(value)}\n`),
    note: (text) => print(`${text}\n`),
  };
  const env = {
    HOME: directory.path,
    OPENCLAW_STATE_DIR: directory.path,
    OPENCLAW_GATEWAY_PORT: String(gateway?.gateway.port ?? 9),
    OPENCLAW_GATEWAY_TOKEN: TEST_TOKEN,
    OLLAMA_HOST: "127.0.0.1:9",
  };
  return { path: [], args: [], flags, terminal, env, state: {}, ...more };
}

async function chela(line: string, typed = ""): Promise<{ code: number; text: string }> {
  let text = "";
  const print = (more: string): void => {
    text += more;
    said += more;
  };
  const parsed = parseCommandLine(line.split(" "), { commands: COMMANDS, globals: GLOBAL_FLAGS });
  if (parsed.kind !== "run" || !parsed.command.load) throw new Error(`not a command: ${line}`);
  const run = (await parsed.command.load()) as (call: CommandCall, parts?: object) => Promise<number>;
  const call = callFor({ path: parsed.command.path, args: parsed.args, flags: parsed.flags }, print);
  try {
    return { code: await run(call, { input: Readable.from([typed]) }), text };
  } catch (error) {
    print(explainFailure(error, call.terminal));
    return { code: 1, text };
  }
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

  test("plain secrets are moved, and what is used is not removed by accident", async () => {
    expect((await chela("credential import --dry-run")).text).toBe("Would move channels.telegram.botToken.\n");
    expect((await chela("credential import")).text).toContain(
      "channels.telegram.botToken → vault:config/channels.telegram.botToken",
    );
    expect(readFileSync(join(directory.path, "openclaw.json"), "utf8")).not.toContain("canary");
    const refused = await chela("credential remove config/channels.telegram.botToken");
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

describe("doctor", () => {
  const check = async (): Promise<unknown> =>
    (
      await runChecks(
        callFor({ path: ["doctor"] }, () => {}),
        false,
      )
    ).filter(({ name }) => name === "Vault");

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
    await chela("credential import");
    expect(await check()).toEqual([{ name: "Vault", state: "ok", says: "2 credentials" }]);
  });

  test("names an entry that cannot be opened", async () => {
    await chela("credential import");
    const path = join(directory.path, "credentials", "vault.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"service": "telegram"', '"service": "other"'));
    expect(await check()).toMatchObject([
      { state: "warn", says: expect.stringContaining("config/channels.telegram.botToken: ") },
    ]);
  });
});
