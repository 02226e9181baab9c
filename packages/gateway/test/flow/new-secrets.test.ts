// A secret that somebody gives for the configuration: the vault has it, the files have a reference, and the channel is connected.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@chela/sdk";
import { describe, expect, test } from "vitest";
import { openConfig } from "../../src/cli/offline/open-config.ts";
import { openVault } from "../../src/cli/offline/vault.ts";
import { resolveStatePaths } from "../../src/rooms/config/room.ts";
import { patchKeepingSecrets } from "../../src/house/credentials/new-secrets.ts";
import { runCommand } from "../support/stages/command-here.ts";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import type { Json, ResponseFrame, WireClient } from "../support/wire-client.ts";

const TOKEN = "700700700:canary-of-the-first-bot";
const OTHER = "800800800:canary-of-the-second-bot";
const ID = "telegram/default/botToken";

/** A Bot API that notes with which token it is asked for updates. */
async function openTelegram(): Promise<AsyncDisposable & { readonly apiRoot: string; heard(token: string): boolean }> {
  const tokens = new Set<string>();
  const waiting = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const [, token = "", method = ""] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? "") ?? [];
    request.resume();
    response.setHeader("content-type", "application/json");
    if (method === "getUpdates") {
      tokens.add(token);
      waiting.add(response);
      return;
    }
    const me = { id: Number(token.split(":")[0]), is_bot: true, first_name: "Bot", username: "some_bot" };
    response.end(JSON.stringify({ ok: true, result: method === "getMe" ? me : true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: (token) => tokens.has(token),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function patch(client: WireClient, change: object): Promise<ResponseFrame> {
  const { hash } = await client.call("config.get");
  return client.request("config.patch", { raw: JSON.stringify(change), baseHash: hash });
}

const read = (stateDir: string): string => readFileSync(join(stateDir, "openclaw.json"), "utf8");
const channelsOf = (stateDir: string) => (JSON.parse(read(stateDir)) as { channels: Json }).channels;

/** Every text in the state directory but what only the vault can open. */
function everyFile(directory: string): string {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

function opened(stateDir: string) {
  const paths = resolveStatePaths({ OPENCLAW_STATE_DIR: stateDir });
  const vault = openVault(paths, {});
  return { config: openConfig(paths, {}), paths, vault };
}

function valueOf(stateDir: string, id: string): string | undefined {
  const found = opened(stateDir).vault.find(id);
  return found.kind === "found" ? found.secret.reveal() : undefined;
}

describe("a form of the control page", () => {
  test("is written with a reference, connects at once, and another value needs no restart", async () => {
    await using telegram = await openTelegram();
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const { apiRoot } = telegram;
    const first = await patch(client, { channels: { telegram: { enabled: true, botToken: TOKEN, apiRoot } } });
    expect(first).toMatchObject({ ok: true });
    await eventually("the bot is connected", () => telegram.heard(TOKEN));
    expect(channelsOf(gateway.stateDir)).toEqual({ telegram: { enabled: true, botToken: `vault:${ID}`, apiRoot } });
    expect((await client.call("credentials.list")).credentials).toMatchObject([
      { id: ID, service: "telegram", origin: apiRoot, usedBy: ["channels.telegram.botToken"] },
    ]);
    const { records } = await client.call("audit.list", { actions: ["credential"] });
    expect(records.map(({ target, detail }: Json) => [target, detail])).toContainEqual([
      ID,
      { step: "added", service: "telegram", for: "channels.telegram.botToken" },
    ]);

    const before = read(gateway.stateDir);
    expect(await patch(client, { channels: { telegram: { botToken: OTHER } } })).toMatchObject({ ok: true });
    await eventually("the other bot is connected", () => telegram.heard(OTHER));
    expect(read(gateway.stateDir)).toBe(before);
    expect((await client.call("credentials.list")).credentials).toHaveLength(1);
    expect(JSON.stringify(client.frames)).not.toContain("canary");
    expect(gateway.readLog()).not.toContain("canary");
    expect(everyFile(gateway.stateDir)).not.toContain("canary");
  });

  test.each<[string, object, string, string]>([
    ["a hook", { hooks: { token: TOKEN } }, "hooks.token", "config/hooks.token"],
    [
      "a search",
      { tools: { web: { search: { apiKey: TOKEN } } } },
      "tools.web.search.apiKey",
      "config/tools.web.search.apiKey",
    ],
    [
      "an account",
      { channels: { slack: { accounts: { office: { enabled: false, appToken: TOKEN } } } } },
      "channels.slack.accounts.office.appToken",
      "slack/office/appToken",
    ],
  ])("of %s keeps its secret in the vault too", async (_name, change, where, id) => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    expect(await patch(client, change)).toMatchObject({ ok: true });
    expect((await client.call("credentials.list")).credentials).toMatchObject([{ id, usedBy: [where] }]);
    expect(valueOf(gateway.stateDir, id)).toBe(TOKEN);
    expect(read(gateway.stateDir)).not.toContain("canary");
  });

  test("leaves what is no news, what is the gateway's own, and what somebody wrote as a whole text", async () => {
    await using gateway = await startTestGateway({ config: { hooks: { token: TOKEN } } });
    const client = await gateway.connect();
    const change = { hooks: { token: TOKEN, enabled: false }, gateway: { remote: { token: OTHER } } };
    expect(await patch(client, change)).toMatchObject({ ok: true });
    expect(JSON.parse(read(gateway.stateDir))).toMatchObject(change);
    const { hash } = await client.call("config.get");
    const whole = { ...JSON.parse(read(gateway.stateDir)), cron: { webhookToken: "canary-of-a-whole-text" } };
    await client.call("config.set", { raw: JSON.stringify(whole), baseHash: hash });
    expect(read(gateway.stateDir)).toContain("canary-of-a-whole-text");
    expect(existsSync(join(gateway.stateDir, "credentials", "vault.json"))).toBe(false);
  });

  test.each<[string, (stateDir: string) => Promise<void>, RegExp]>([
    [
      "cannot be written",
      async (stateDir) => {
        rmSync(join(stateDir, "credentials"), { recursive: true, force: true });
        writeFileSync(join(stateDir, "credentials"), "a file is in the way");
      },
      /vault could not be read or written: .*so nothing was written/,
    ],
    [
      "is damaged",
      async (stateDir) => {
        await opened(stateDir).vault.put([{ id: "x", service: "x", content: { kind: "env", name: "X" } }]);
        writeFileSync(join(stateDir, "credentials", "vault.json"), "{");
      },
      /vault could not be read or written: .*so nothing was written/,
    ],
    [
      "is closed with a passphrase that nobody told",
      async (stateDir) => void (await opened(stateDir).vault.rotate("passphrase", new Secret("swordfish"))),
      /set OPENCLAW_VAULT_PASSPHRASE; so nothing was written/,
    ],
  ])("writes nothing when the vault %s, and says why", async (_name, spoil, why) => {
    using directory = createStateDirectory();
    const before = read(directory.path);
    {
      await using gateway = await startTestGateway({ stateDir: directory.path });
      const client = await gateway.connect();
      await spoil(directory.path);
      const answer = await patch(client, { channels: { telegram: { enabled: false, botToken: TOKEN } } });
      expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(why) } });
      expect(JSON.stringify(client.frames)).not.toContain("canary");
    }
    const { code, text } = await runCommand({ stateDir: directory.path }, "channels add telegram", TOKEN);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(why) });
    expect(read(directory.path)).toBe(before);
    expect(everyFile(directory.path)).not.toContain("canary");
  });

  test("does not take the entry of another place, nor one that is bound to another address", async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.connect();
    const mapping = (path: string, secret: string) => ({
      match: { path },
      action: "wake",
      textTemplate: "x",
      signature: { type: "github", secret },
    });
    await patch(client, { hooks: { mappings: [mapping("a", TOKEN)] } });
    const { parsed } = await client.call("config.get");
    // The old one moves to the second place, and the new one comes before it.
    await patch(client, { hooks: { mappings: [mapping("b", OTHER), parsed.hooks.mappings[0]] } });
    const secrets = gateway.gateway.config.current().hooks?.mappings?.map(({ signature }) => signature?.secret);
    expect(secrets).toEqual([OTHER, TOKEN]);

    const telegram = (apiRoot: string, botToken: string) => ({
      channels: { telegram: { enabled: false, apiRoot, botToken } },
    });
    await patch(client, telegram("http://127.0.0.1:7", TOKEN));
    await patch(client, telegram("http://127.0.0.1:8", OTHER));
    expect(channelsOf(gateway.stateDir)["telegram"]).toMatchObject({ botToken: `vault:${ID}-2` });
    expect([valueOf(gateway.stateDir, ID), valueOf(gateway.stateDir, `${ID}-2`)]).toEqual([TOKEN, OTHER]);
  });
});

test("a crash between the two files leaves the configuration as it was, and the entry is taken again", async () => {
  using directory = createStateDirectory();
  const parts = opened(directory.path);
  const before = read(directory.path);
  const raw = JSON.stringify({ channels: { telegram: { enabled: false, botToken: TOKEN } } });
  const dying = {
    ...parts,
    config: Object.create(parts.config, {
      previewPatch: { value: parts.config.previewPatch.bind(parts.config) },
      writtenSecrets: { value: parts.config.writtenSecrets.bind(parts.config) },
      current: { value: parts.config.current.bind(parts.config) },
      mergePatch: {
        value: () => {
          throw new Error("killed");
        },
      },
    }) as typeof parts.config,
  };
  const { hash } = parts.config.snapshot();
  await expect(patchKeepingSecrets(raw, hash, dying)).rejects.toThrow("killed");
  expect(read(directory.path)).toBe(before);
  expect(valueOf(directory.path, ID)).toBe(TOKEN);
  {
    await using gateway = await startTestGateway({ stateDir: directory.path });
    expect(gateway.gateway.config.snapshot().valid).toBe(true);
  }
  await patchKeepingSecrets(raw, hash, opened(directory.path));
  expect(channelsOf(directory.path)["telegram"]).toMatchObject({ botToken: `vault:${ID}` });
  expect(opened(directory.path).vault.list()).toHaveLength(1);
});

describe("the command line", () => {
  test("without a gateway keeps the secret in the vault, and a new one takes its place", async () => {
    const stateDir = mkdtempSync(join(tmpdir(), "chela-new-secret-"));
    try {
      const chela = (line: string, typed = "") => runCommand({ stateDir }, line, typed);
      const added = await chela("channels add telegram", TOKEN);
      expect(added).toMatchObject({ code: 0, text: expect.stringMatching(/^Telegram is in the configuration\./) });
      expect(channelsOf(stateDir)).toEqual({ telegram: { enabled: true, botToken: `vault:${ID}` } });
      expect((await chela("channels list")).text).toMatch(/^telegram +default +ready$/m);
      expect((await chela("credential list")).text).toContain(`${ID}  telegram`);
      expect((await chela(`channels add telegram --token ${OTHER} --json`)).text).toContain('"written":true');
      expect(valueOf(stateDir, ID)).toBe(OTHER);
      await chela("channels add telegram --account office --set webhookSecret=canary-of-a-hook", TOKEN);
      expect(channelsOf(stateDir)).toMatchObject({
        telegram: {
          accounts: {
            office: {
              botToken: "vault:telegram/office/botToken",
              webhookSecret: "vault:telegram/office/webhookSecret",
            },
          },
        },
      });
      const { records } = JSON.parse((await chela("audit list --action credential --json")).text);
      expect(records).toHaveLength(4);
      expect(records.at(-1)).toMatchObject({
        actor: "cli",
        target: ID,
        detail: { step: "added", service: "telegram" },
      });
      expect(everyFile(stateDir)).not.toContain("canary");
    } finally {
      rmSync(stateDir, { recursive: true });
    }
  });

  test("beside a gateway has the channel connected with the value", async () => {
    await using telegram = await openTelegram();
    await using gateway = await startTestGateway();
    const place = { stateDir: gateway.stateDir, port: gateway.gateway.port };
    const line = `channels add telegram --set apiRoot=${telegram.apiRoot}`;
    expect(await runCommand(place, line, TOKEN)).toMatchObject({ code: 0 });
    await eventually("the bot is connected", () => telegram.heard(TOKEN));
    expect(await runCommand(place, line, "")).toMatchObject({ text: expect.stringContaining("is already set up") });
    expect((await runCommand(place, `${line} --token ${OTHER}`)).text).not.toContain("canary");
    await eventually("the other bot is connected", () => telegram.heard(OTHER));
    expect(gateway.readLog()).not.toMatch(/canary|is not used/);
    expect(everyFile(gateway.stateDir)).not.toContain("canary");
  });

  test("leaves what is set by hand where it is, and says how it would be moved", async () => {
    using directory = createStateDirectory();
    const set = (line: string) => runCommand({ stateDir: directory.path }, `config set ${line}`);
    const hint = "`chela credential import` moves it to the vault.";
    expect((await set(`channels.telegram.botToken ${TOKEN}`)).text).toContain(hint);
    expect(read(directory.path)).toContain(TOKEN);
    expect((await set(`channels.discord {"token":"${OTHER}"}`)).text).toContain(hint);
    expect((await set("ui.seamColor #123456")).text).not.toContain(hint);
    expect((await set("gateway.remote.token something-of-its-own")).text).not.toContain(hint);
  });
});
