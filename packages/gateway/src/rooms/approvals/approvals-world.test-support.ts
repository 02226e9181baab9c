// A machine for one test: a directory of programs, a workspace, an allow-list, a clock and a person who answers.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ExecDecision, ExecRequest, Logger } from "@chela/sdk";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { believesAll } from "../../base/files/believed.test-support.ts";
import { createIds } from "../../base/ids.ts";
import { createApprovals, type ApprovalEvent, type Approvals, type ExecSettings } from "./room.ts";

export interface ApprovalsWorld extends Disposable {
  readonly bin: string;
  readonly workspace: string;
  readonly state: string;
  readonly path: string;
  readonly clock: FakeClock;
  readonly approvals: Approvals;
  readonly events: ApprovalEvent[];
  readonly logged: string[];
  /** How often the room told that the file was written. */
  timesSaved: number;
  /** Whether anybody is there, and what they say to every question; undefined says nothing. */
  person: { isThere: boolean; answer?: "allow-once" | "allow-always" | "deny" };
  settings: ExecSettings;
  addProgram(path: string, content?: string): string;
  writeList(file: unknown): void;
  readList(): { agents: Record<string, { allowlist: Record<string, unknown>[] }>; [field: string]: unknown };
  request(command: string, changes?: Partial<ExecRequest>): ExecRequest;
  /** Decides, and says whether the person was asked. */
  decide(command: string, changes?: Partial<ExecRequest>): Promise<ExecDecision & { readonly asked: boolean }>;
}

export const OWNER = { channel: "webchat", account: "default", id: "u1", isOwner: true, standing: "owner" } as const;

export function createWorld(programs: readonly string[] = []): ApprovalsWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "chela-approvals-")));
  const [bin, workspace, state] = ["bin", "workspace", "state"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [bin, workspace, state]) mkdirSync(directory);
  const path = join(state, "exec-approvals.json");
  const clock = createFakeClock();
  const logged: string[] = [];
  const events: ApprovalEvent[] = [];
  const world: ApprovalsWorld = {
    bin,
    workspace,
    state,
    path,
    clock,
    events,
    logged,
    timesSaved: 0,
    person: { isThere: true },
    settings: { rules: [], safeBinTrustedDirs: [bin] },
    approvals: createApprovals({
      path,
      believed: believesAll,
      home: join(root, "home"),
      clock,
      ids: createIds(),
      log: collectingLog(logged),
      settings: () => world.settings,
      canAsk: () => world.person.isThere,
      announce: (event) => void events.push(event),
      saved: () => void (world.timesSaved += 1),
    }),
    addProgram(file, content = `#!/bin/sh\n# ${file}\n`) {
      const full = join(bin, file);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      chmodSync(full, 0o755);
      return full;
    },
    writeList: (file) => writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file), { mode: 0o600 }),
    readList: () => JSON.parse(readFileSync(path, "utf8")),
    request: (command, changes = {}) => ({
      command,
      cwd: workspace,
      env: { PATH: bin },
      agentId: "main",
      sessionKey: "agent:main:main",
      runId: "run-1",
      requester: OWNER,
      ...changes,
    }),
    async decide(command, changes) {
      let asked = false;
      const decision = await world.approvals.authorize(world.request(command, changes), {
        signal: new AbortController().signal,
        onPending({ id }) {
          asked = true;
          if (world.person.answer) world.approvals.resolve(id, world.person.answer, "Anna");
        },
      });
      return { ...decision, asked };
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const program of programs) world.addProgram(program);
  return world;
}

/** An allow-list for agent main. */
export function listOf(...allowlist: readonly Record<string, unknown>[]): unknown {
  return { version: 1, agents: { main: { allowlist } } };
}

function collectingLog(lines: string[]): Logger {
  const log = (level: string, text: string, fields?: Record<string, unknown>): void => {
    lines.push(`${level} ${text} ${JSON.stringify(fields ?? {})}`);
  };
  return {
    log,
    trace: (text, fields) => log("trace", text, fields),
    debug: (text, fields) => log("debug", text, fields),
    info: (text, fields) => log("info", text, fields),
    warn: (text, fields) => log("warn", text, fields),
    error: (text, fields) => log("error", text, fields),
    child: () => collectingLog(lines),
  };
}
