// Services for commands of agents: who is asked whether one may run, and the commands that run.
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { agentOfSessionKey, type Clock, type Requester } from "@chela/sdk";
import { holdsScope } from "@chela/sdk/protocol";
import { createApprovals, type ApprovalEvent, type Approvals } from "../../rooms/approvals/room.ts";
import { execSettings } from "../../rooms/config/room.ts";
import {
  createCommandSessions,
  type CommandSessions,
  type ElevatedLevel,
  type ExitNotice,
} from "../../rooms/tools/room.ts";
import { announceApproval } from "../../server/announce-approval.ts";
import type { House } from "../house.ts";

interface CommandCaller {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly requester: Requester;
}

/** What the tools `exec` and `process` are made with. */
export interface ExecServices {
  readonly approvals: Approvals;
  readonly guard: Approvals;
  readonly clock: Clock;
  readonly sessions: CommandSessions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  settings(agentId: string): ReturnType<typeof execSettings>;
  /** What skills that the conversation has activated are given. */
  skillEnvironment(caller: CommandCaller & { readonly runId: string }): Promise<Readonly<Record<string, string>>>;
  elevatedLevel(caller: CommandCaller): Promise<ElevatedLevel>;
  /** Whether one conversation may look into another. */
  sees(caller: CommandCaller, sessionKey: string): Promise<boolean>;
  close(): Promise<void>;
}

type ExecHouse = Pick<
  House,
  | "clock"
  | "ids"
  | "log"
  | "config"
  | "ledger"
  | "paths"
  | "believed"
  | "workspaceOf"
  | "changes"
  | "hub"
  | "wake"
  | "seesSession"
  | "elevated"
  | "auditing"
  | "runEvents"
  | "channels"
  | "skills"
>;

export function openExec(house: ExecHouse): ExecServices {
  const { clock, ids, log, config, ledger } = house;
  const settings = (agentId: string) => execSettings(config.current(), agentId);
  const approvals = openApprovals(house, settings);
  const sessions = createCommandSessions({
    clock,
    ids,
    log,
    settings,
    notifyExit: (notice) => tellEnd({ ...notice, text: log.redact(notice.text) }, house),
  });
  return {
    approvals,
    guard: approvals,
    clock,
    sessions,
    environment: process.env,
    settings,
    skillEnvironment: async (caller) => (await house.skills()).activation.environment(caller),
    async elevatedLevel({ agentId, sessionKey, requester }) {
      if (house.elevated(agentId, requester).kind !== "allowed") return "off";
      const entry = await ledger.session(sessionKey);
      return (entry?.elevatedLevel ?? config.current().agents?.defaults?.elevatedDefault ?? "on") as ElevatedLevel;
    },
    sees: house.seesSession,
    async close() {
      approvals.close();
      await sessions.close();
    },
  };
}

function openApprovals(house: ExecHouse, settings: ExecServices["settings"]): Approvals {
  const { clock, ids, log, ledger, paths } = house;
  return createApprovals({
    path: `${paths.stateDir}/exec-approvals.json`,
    home: paths.home,
    believed: house.believed,
    ownFiles: () => [paths.configPath, paths.envPath],
    clock,
    ids,
    log,
    async settings(agentId, sessionKey) {
      const { rules, safeBins, safeBinTrustedDirs, safeBinProfiles } = settings(agentId);
      const entry = await ledger.session(sessionKey);
      const session = {
        ...(entry?.execSecurity ? { security: entry.execSecurity } : {}),
        ...(entry?.execAsk ? { ask: entry.execAsk } : {}),
      };
      return {
        rules: [rules, session],
        writable: writablePlaces(house.workspaceOf(agentId), paths.stateDir),
        ...(safeBins ? { safeBins } : {}),
        ...(safeBinTrustedDirs ? { safeBinTrustedDirs } : {}),
        ...(safeBinProfiles ? { safeBinProfiles } : {}),
      };
    },
    canAsk: (sessionKey, runId) => canAsk(house, sessionKey, runId),
    announce: (event) => announceEverywhere(event, house),
    saved: () => house.changes.note("approvals"),
  });
}

/** Tells an agent that a command it left running has ended. */
function tellEnd(
  { agentId, sessionKey, processId, text, standing }: ExitNotice,
  { clock, log, wake }: ExecHouse,
): void {
  const key = `exec:${processId}:${clock.now()}`;
  wake({ agentId, sessionKey, text, mode: "now", reason: "exec-event", key, standing }).catch((error: unknown) =>
    log.warn("nobody could be told that a command ended", { error: String(error) }),
  );
}

/** Where agents, and what is kept in their sandboxes, write. */
function writablePlaces(workspace: string, stateDir: string): string[] {
  return [workspace, stateDir, "/tmp", "/var/tmp", "/dev/shm", tmpdir()].map((path) => {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  });
}

/** Who is asked about a command, or told what became of it: the trail, our own clients, the chats. */
function announceEverywhere(event: ApprovalEvent, { auditing, hub, runEvents, channels }: ExecHouse): void {
  auditing.approval(event);
  announceApproval({ hub, runEvents }, event);
  void channels.known()?.then(({ approvals }) => approvals.hear(event));
}

/** Whether somebody is there who may answer questions about commands. */
async function canAsk(
  { hub, channels }: ExecHouse,
  sessionKey: string | undefined,
  runId: string | undefined,
): Promise<boolean> {
  const mayAnswer = (scopes: readonly string[]) => holdsScope(scopes, "operator.approvals");
  if ([...hub.clients].some(({ role, scopes }) => role === "operator" && mayAnswer(scopes))) return true;
  const side = await channels.known();
  const agentId = sessionKey === undefined ? undefined : agentOfSessionKey(sessionKey);
  return side ? side.approvals.canAsk({ agentId, sessionKey, runId }) : false;
}
