// Commands when no gateway runs, and the gateway's own start and stop.
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";
import { createSelfSigned } from "../support/in-process-tls.ts";

function writeConfig(home: Household, config: object): void {
  writeFileSync(join(home.stateDir, "openclaw.json"), JSON.stringify(config), { mode: 0o600 });
}

async function findFreePort(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return String(port);
}

describe("without a gateway", () => {
  it.each([
    ["health"],
    ["sessions"],
    ["agent", "-m", "hello"],
    ["chat"],
    ["nodes", "list"],
    ["gateway", "call", "status"],
    ["logs"],
    ["memory", "status"],
    ["search", "hello"],
  ])("chela %s says so and how to start one", async (...args) => {
    await using home = new Household({ OPENCLAW_GATEWAY_PORT: "9" });
    expect(await home.chela(...args)).toEqual({
      code: 1,
      stdout: "",
      stderr: "No gateway answers at ws://127.0.0.1:9: start it with `chela gateway run`\n",
    });
  });

  it("status, gateway status and stop tell how it is", async () => {
    await using home = new Household({ OPENCLAW_GATEWAY_PORT: "9" });
    expect(await home.chela("status")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Gateway +No gateway answers/),
    });
    expect(await home.chela("gateway", "status", "--json")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"reachable": false'),
    });
    expect(await home.chela("gateway", "stop")).toMatchObject({
      code: 0,
      stdout: `No gateway runs in ${home.stateDir}.\n`,
    });
    expect(await home.chela("gateway", "stop", "--json")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"stopped": false'),
    });
  });

  it("models and the configuration work all the same", async () => {
    await using home = new Household({ OPENCLAW_GATEWAY_PORT: "9" });
    expect(await home.chela("models", "list", "--plain")).toMatchObject({ code: 0, stdout: "demo/demo\n" });
    expect(await home.chela("config", "set", "gateway.port", "19123")).toMatchObject({ code: 0 });
    expect(await home.chela("config", "get", "gateway.port")).toEqual({ code: 0, stdout: "19123\n", stderr: "" });
    expect(await home.chela("config", "get", "gateway.port", "--profile", "no/good")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not a profile name"),
    });
  });

  it("something else on the port is not taken for a gateway", async () => {
    const stranger = createServer((socket) => socket.end("SMTP ready\r\n")).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const { port } = stranger.address() as { port: number };
    await using home = new Household({ OPENCLAW_GATEWAY_PORT: String(port) });
    expect(await home.chela("health")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("but it is no gateway"),
    });
    const doctor = await home.chela("doctor");
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/fail +Gateway/) });
    stranger.close();
  });
});

describe("doctor", () => {
  it("finds a broken configuration, open files and a damaged ledger; --fix repairs what is safe", async () => {
    await using home = new Household({ OPENCLAW_GATEWAY_PORT: "9" });
    const config = join(home.stateDir, "openclaw.json");
    const ledger = join(home.stateDir, "ledger.sqlite");
    writeFileSync(config, '{\n  "gateway": {\n    "port": "high"\n  }\n}\n', { mode: 0o644 });
    writeFileSync(ledger, "SQLite format 3\0 and then nothing that makes sense".repeat(40));
    chmodSync(home.stateDir, 0o755);
    const found = await home.chela("doctor");
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/warn +State .*other users\n.*chmod 700/);
    expect(found.stdout).toMatch(/fail +Files .*openclaw\.json can be read/);
    expect(found.stdout).toMatch(/fail +Config +line 3: gateway\.port/);
    expect(found.stdout).toMatch(/fail +Ledger .*damaged[^]*doctor --fix/);
    const fixed = await home.chela("doctor", "--fix");
    expect(fixed.stdout).toMatch(/ok +Ledger +was damaged, and is rebuilt/);
    expect([home.stateDir, config].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0]);
  });
});

describe("gateway run", () => {
  it("tells where it listens, that it made a token, what has no effect, and which model answers", async () => {
    const homePort = await findFreePort();
    await using home = new Household({ OPENCLAW_CLI_SECRET: "home-secret-0123456789", OPENCLAW_CLI_PORT: homePort });
    writeConfig(home, { canvasHost: { port: 9 }, talk: { voiceId: "x" } });
    const { program, port } = await home.startGateway();
    expect(program.stdout).toContain(`Page:   http://127.0.0.1:${port}/`);
    expect(program.stdout).toMatch(/Talk: .*chela chat[^]*State: /);
    expect(program.stdout).toContain(
      `Home:   http://127.0.0.1:${homePort}/api/sessions/home, with OPENCLAW_CLI_SECRET`,
    );
    expect(program.stdout).toContain("Config: 2 settings have no effect in this version: canvasHost, talk.\n");
    expect(program.stdout).toMatch(/Token: {2}made one, kept in .*openclaw\.json/);
    expect(program.stdout).toMatch(/Model: {2}demo\/demo \(the built-in demo/);
    expect(await home.chela("gateway", "stop", "--json")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"stopped": true'),
    });
    expect((await program.finished()).code).toBe(0);
    const again = await home.startGateway();
    expect(again.program.stdout).not.toContain("Token:");
  });

  it("says which line of the configuration is broken and goes on with the last good one", async () => {
    await using home = new Household();
    const first = await home.startGateway();
    await first.program.kill("SIGTERM");
    const path = join(home.stateDir, "openclaw.json");
    writeFileSync(path, readFileSync(path, "utf8").replace(/\}\s*$/, ',\n  "gateway": {"port": "high"}\n}'));
    const { program } = await home.startGateway();
    expect(program.stdout).toMatch(
      /Config: .*openclaw\.json is broken, so the last version that worked is used\.\n +line \d+: /,
    );
    expect(await home.chela("health")).toMatchObject({ code: 0 });
    expect(await home.chela("config", "validate")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^wrong +line \d+/),
    });
  });

  it("says that commands go elsewhere when the configuration sends them there", async () => {
    await using home = new Household();
    writeConfig(home, { gateway: { mode: "remote", remote: { url: "wss://gateway.example:18789" } } });
    const { program } = await home.startGateway();
    expect(program.stdout).toContain('gateway.mode is "remote"');
    expect(program.stdout).toContain("talk to wss://gateway.example:18789");
    await program.kill("SIGTERM");
  });

  it("keeps what a configuration says when it adds a token to it", async () => {
    await using home = new Household();
    const path = join(home.stateDir, "openclaw.json");
    writeFileSync(path, "{ // mine\n  agents: { defaults: { timeoutSeconds: 77 } },\n}\n", { mode: 0o600 });
    const { program } = await home.startGateway();
    expect(program.stdout).toContain(`Token:  made one, kept in ${path}\n`);
    expect(readFileSync(path, "utf8")).toMatch(/\/\/ mine[^]*timeoutSeconds: 77[^]*token/);
  });

  it("is reached over TLS here, and from elsewhere when its certificate is named", async () => {
    await using home = new Household();
    await using away = new Household();
    const { cert, key } = createSelfSigned();
    const [certPath, keyPath] = ["cert.pem", "key.pem"].map((name) => join(home.stateDir, name)) as [string, string];
    writeFileSync(certPath, cert);
    writeFileSync(keyPath, key);
    const tls = { enabled: true, certPath, keyPath };
    writeConfig(home, { gateway: { tls, auth: { token: "a-shared-token" } } });
    const { port } = await home.startGateway();
    expect(await home.chela("health")).toMatchObject({ code: 0 });
    const remote = { url: `wss://127.0.0.1:${port}`, token: "a-shared-token" };
    const ask = (tlsFingerprint?: string) => {
      writeConfig(away, {
        gateway: { mode: "remote", remote: { ...remote, ...(tlsFingerprint ? { tlsFingerprint } : {}) } },
      });
      return away.chela("health");
    };
    expect(await ask(new X509Certificate(cert).fingerprint256)).toMatchObject({ code: 0 });
    expect(await ask("aa:bb")).toMatchObject({ code: 1, stderr: expect.stringContaining("it is another one") });
    expect(await ask()).toMatchObject({ code: 1, stderr: expect.stringContaining("is not trusted") });
  });

  it("refuses a second gateway, and replaces the first with --force", async () => {
    await using home = new Household();
    const first = await home.startGateway();
    expect(await home.chela("gateway", "run", "--port", "0")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("chela gateway stop"),
    });
    const second = await home.startGateway(["--force"]);
    expect(second.program.stderr).toContain("Stopped the gateway that ran before");
    expect((await first.program.finished()).code).toBe(0);
    expect(await home.chela("health")).toMatchObject({ code: 0 });
  });

  it.each([
    ["--password", "a pass phrase"],
    ["--token", "another-token"],
    ["--auth", "none"],
  ])("with %s lets this machine's command line in without typing", async (...args) => {
    await using home = new Household();
    await home.startGateway(args);
    expect(await home.chela("health")).toMatchObject({ code: 0, stderr: "" });
  });

  it("notes flags without effect and keeps running when nobody reads", async () => {
    await using home = new Household();
    const { program } = await home.startGateway(["--compact", "--ws-log", "full", "--allow-unconfigured"]);
    expect(program.stderr).toBe(
      "--ws-log has no effect yet: --verbose shows every connection.\n--compact has no effect yet.\n",
    );
    program.process.stdout?.destroy();
    program.process.stderr?.destroy();
    expect(await home.chela("health")).toMatchObject({ code: 0 });
  });
});

describe("help and completion", () => {
  it("are there on every level", async () => {
    await using home = new Household();
    expect((await home.chela()).stdout).toMatch(/^Usage: chela <command>[^]*chela gateway run/);
    expect((await home.chela("help", "gateway", "call")).stdout).toBe(
      (await home.chela("gateway", "call", "--help")).stdout,
    );
    expect((await home.chela("gateway", "--help")).stdout).toMatch(/gateway stop[^]*--port <port>/);
    expect((await home.chela("gateway", "run", "--help")).stdout).toMatch(/--raw-stream +Keep .*\(no effect yet\)/);
    expect(await home.chela("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it.each(["bash", "zsh", "fish", "powershell"])("for %s name every command", async (shell) => {
    await using home = new Household();
    const { code, stdout } = await home.chela("completion", "--shell", shell);
    expect(code).toBe(0);
    for (const word of ["gateway", "doctor", "approve", "expect-final"]) expect(stdout).toContain(word);
  });

  it("for bash complete commands, subcommands and flags", async () => {
    await using home = new Household();
    const { stdout } = await home.chela("completion", "--shell", "bash");
    const complete = (...words: string[]): string => {
      const list = words.map((word) => `'${word}'`).join(" ");
      const script = `${stdout}\nCOMP_WORDS=(chela ${list}); COMP_CWORD=${words.length}; _chela; echo "\${COMPREPLY[@]}"`;
      const { status, stdout: told, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return told.trim();
    };
    expect(spawnSync("bash", ["-n"], { input: stdout }).status).toBe(0);
    expect(complete("ga")).toBe("gateway");
    expect(complete("config", "va")).toBe("validate");
    expect(complete("gateway", "call", "--exp")).toBe("--expect-final");
  });
});
