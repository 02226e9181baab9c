// A gateway whose process cannot be seen from here is neither signalled nor believed to be gone.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdByKernel } from "../../base/locks/kernel-lock.ts";
import { readRunningNote, writeRunningNote } from "./running-file.ts";
import { stopGateway } from "./stop-gateway.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "chela-stop-"));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

describe("a gateway in another container", () => {
  it("is not stopped from here, and nobody else who has its number is", async () => {
    const bystander = spawn("sleep", ["100"]);
    const ended = new Promise<string | null>((resolve) => bystander.once("exit", (_, signal) => resolve(signal)));
    const holder = { pid: bystander.pid, createdAt: "2026-01-01T00:00:00Z", stateDir, where: "elsewhere" };
    writeFileSync(join(stateDir, "gateway.lock"), JSON.stringify(holder));
    const held = holdByKernel(join(stateDir, "gateway.held"));
    await expect(stopGateway(stateDir)).rejects.toThrow(/runs in another container/);
    held?.release();
    expect(await stopGateway(stateDir)).toEqual({ kind: "not-running" });
    bystander.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
  });

  it("is not looked for at a port that is not this machine's", () => {
    writeRunningNote(stateDir, { pid: process.pid, host: "127.0.0.1", port: 1 });
    expect(readRunningNote(stateDir)).toMatchObject({ port: 1 });
    const note = { pid: process.pid, host: "127.0.0.1", port: 1, where: "elsewhere" };
    writeFileSync(join(stateDir, "gateway-running.json"), JSON.stringify(note));
    expect(readRunningNote(stateDir)).toBeUndefined();
  });
});
