// `chela security audit` as a person types it: without a gateway, beside one, and with --fix.
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

const TOKEN = "e5811bed74363da5ea10a45e84293cbb";
const NOBODY = { OPENCLAW_GATEWAY_PORT: "9" };

function writeConfig(home: Household, config: object | string, mode = 0o600): string {
  const path = join(home.stateDir, "openclaw.json");
  writeFileSync(path, typeof config === "string" ? config : JSON.stringify(config));
  chmodSync(path, mode);
  return path;
}

describe("chela security audit", () => {
  it("finds nothing weak where nothing was ever started", async () => {
    await using home = new Household(NOBODY);
    const { code, stdout, stderr } = await home.chela("security", "audit");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toMatch(/critical|warning/);
    expect(stdout).toContain("Not checked:\n  What the running gateway answers to strangers: add --deep to try it.");
  });

  it("ends with 1 when something is critical, and says where, why and what to type", async () => {
    await using home = new Household(NOBODY);
    const path = writeConfig(home, { gateway: { auth: { token: TOKEN } } }, 0o644);
    const { code, stdout } = await home.chela("security", "audit");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^critical {2}Other users can read this file\n {2}where {2}/);
    expect(stdout).toContain(`  fix    chmod 600 ${path}\n`);
    expect(stdout).toContain("1 of them can be fixed with: chela security audit --fix");
    expect(stdout).not.toContain(TOKEN);
  });

  it("puts right what is safe, keeps the old configuration, and does nothing the second time", async () => {
    await using home = new Household(NOBODY);
    const channels = { telegram: { dmPolicy: "allowlist", allowFrom: ["*", 7], enabled: true } };
    const docker = { dangerouslyAllowExternalBindSources: true };
    const config = {
      gateway: { auth: { token: TOKEN } },
      agents: { defaults: { sandbox: { docker } } },
      channels,
      logging: { redactSensitive: "off" },
    };
    const path = writeConfig(home, config, 0o644);
    const first = await home.chela("security", "audit", "--fix");
    expect(first.stdout).toContain(`done   file-mode:${path}: ${path} is closed to other users now.\n`);
    expect(first.stdout).toContain("done   dm-wildcard:channels.telegram: channels.telegram.allowFrom is changed;");
    expect(first.stdout).toContain("done   redaction-off: ");
    expect(first.stdout).toMatch(
      /left {3}dangerous:agents\.defaults\.sandbox\.docker\.dangerouslyAllowExternalBindSources: .* add --yes/,
    );
    const written = JSON.parse(readFileSync(path, "utf8"));
    expect(written).toMatchObject({
      ...config,
      channels: { telegram: { dmPolicy: "allowlist", allowFrom: [7] } },
      logging: {},
    });
    expect(written.logging).toEqual({});
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(home.stateDir).some((name) => name.startsWith("openclaw.json.bak"))).toBe(true);

    const second = await home.chela("security", "audit", "--fix", "--yes", "--json");
    const { ok, fixes } = JSON.parse(second.stdout);
    expect(ok).toBe(true);
    expect(fixes).toEqual([
      expect.objectContaining({
        id: "dangerous:agents.defaults.sandbox.docker.dangerouslyAllowExternalBindSources",
        done: true,
      }),
    ]);
    expect(JSON.parse((await home.chela("security", "audit", "--fix", "--yes", "--json")).stdout).fixes).toEqual([]);
  });

  it.each([
    ["broken", "{ gateway: {"],
    ["huge", "x".repeat(3_000_000)],
    ["of another kind", "[]"],
  ])("says so when the configuration is %s, and looks at the rest", async (_name, text) => {
    await using home = new Household(NOBODY);
    writeConfig(home, text);
    const { code, stdout, stderr } = await home.chela("security", "audit", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).findings).toContainEqual(expect.objectContaining({ id: "config-broken" }));
    expect(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")).toBe(text);
  });

  it("takes --yes only together with --fix", async () => {
    await using home = new Household(NOBODY);
    expect(await home.chela("security", "audit", "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--fix"),
    });
  });

  it("tries a running gateway as a stranger would, and a new one holds", async () => {
    await using home = new Household();
    await home.startGateway();
    const { code, stdout } = await home.chela("security", "audit", "--deep", "--json");
    const { summary, notChecked, findings } = JSON.parse(stdout);
    expect({ code, critical: summary.critical, warning: summary.warning, findings }).toMatchObject({
      code: 0,
      critical: 0,
      warning: 0,
    });
    expect(notChecked.join(" ")).not.toContain("strangers");
  });
});
