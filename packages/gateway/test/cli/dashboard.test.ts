// How a person gets into the control page: the link of `chela dashboard`, and the one of a gateway that just started.
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";
import { eventually } from "../support/in-process.ts";
import { connectClient } from "../support/wire-client.ts";

const LINK = /(http:\/\/127\.0\.0\.1:\d+)\/#code=([\w-]{32})(?![\w-])/;

/** Opens the page as a browser would that was given this link. */
async function openPage(text: string): Promise<string[]> {
  const [, origin = "", bootstrapToken = ""] = LINK.exec(text) ?? [];
  await using page = await connectClient({
    url: origin.replace("http", "ws"),
    bootstrapToken,
    client: { id: "openclaw-control-ui", mode: "ui" },
    headers: { origin },
  });
  return page.hello.auth.scopes as string[];
}

const readLogs = (home: Household): string =>
  readdirSync(join(home.stateDir, "logs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

describe("chela dashboard", () => {
  const home = new Household();
  let port = 0;
  beforeAll(async () => void ({ port } = await home.startGateway()));
  afterAll(() => home[Symbol.asyncDispose]());

  it("prints a link that lets a browser in, once", async () => {
    const { code, stdout } = await home.chela("dashboard", "--no-open");
    expect(code).toBe(0);
    expect(stdout).toContain(`http://127.0.0.1:${port}/#code=`);
    expect(await openPage(stdout)).toContain("operator.admin");
    await expect(openPage(stdout)).rejects.toThrow("run `chela dashboard`");
  });

  it("tells programs the same", async () => {
    const { stdout } = await home.chela("dashboard", "--json");
    expect(JSON.parse(stdout)).toEqual({ url: expect.stringMatching(LINK), expiresAtMs: expect.any(Number) });
  });

  it.runIf(process.platform === "linux")("opens the link where there is a desktop", async () => {
    const directory = join(home.stateDir, "programs");
    const opened = join(directory, "opened");
    mkdirSync(directory);
    writeFileSync(
      join(directory, "xdg-open"),
      `#!/bin/sh\nprintf %s "$1" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
    );
    chmodSync(join(directory, "xdg-open"), 0o755);
    const desktop = { PATH: `${directory}:${process.env["PATH"]}`, DISPLAY: ":0" };
    const { stdout } = await home.chelaIn(desktop, "dashboard");
    expect(stdout).toMatch(/^Opening the control page/);
    const link = await eventually("it is opened", () => {
      try {
        return readFileSync(opened, "utf8");
      } catch {
        return undefined;
      }
    });
    expect(stdout).toContain(link);
    expect(await openPage(link)).toContain("operator.admin");
  });

  it("tells how to reach it for a person from elsewhere", async () => {
    const { stdout } = await home.chelaIn({ SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22", DISPLAY: ":0" }, "dashboard");
    expect(stdout).toMatch(/^Open in a browser:/);
    expect(stdout).toContain(`ssh -N -L ${port}:127.0.0.1:${port}`);
  });

  it("leaves no code in the log", () => {
    expect(readLogs(home)).toContain("client connected");
    expect(readLogs(home)).not.toContain("code=");
  });
});

it("says so when no gateway runs", async () => {
  await using home = new Household();
  const { code, stdout, stderr } = await home.chela("dashboard");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("No gateway answers");
});

describe("a gateway that just started", () => {
  it("shows a link to the person who started it, and keeps it out of its log", async () => {
    await using home = new Household();
    const program = home.startInTerminal(["gateway", "run", "--port", "0"]);
    const [text] = await program.until(
      /Open: +\S+\r?\n +works once, within 10 minutes; `chela dashboard` makes another/,
    );
    expect(await openPage(text)).toContain("operator.admin");
    expect(readLogs(home)).not.toContain("code=");
  });

  it("shows none where nobody looks", async () => {
    await using home = new Household();
    const { program, port } = await home.startGateway();
    expect(program.stdout).toContain(`Page:   http://127.0.0.1:${port}/ (to open it, type \`chela dashboard\`)`);
    expect(program.stdout + program.stderr).not.toContain("code=");
  });
});
