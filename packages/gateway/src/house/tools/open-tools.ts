// Joins the tools with what they act on: files, commands, other conversations, the web.
import type { House } from "../house.ts";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rightsOf, type Requester, type Tool } from "@chela/sdk";
import { createApprovals, type ApprovalEvent, type Approvals } from "../../rooms/approvals/room.ts";
import { createSafeFetch } from "../../base/http/safe-fetch.ts";
import { agentDirectory, execSettings, fileSettings } from "../../rooms/config/room.ts";
import { privateNotes } from "./private-notes.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import {
  applyPatchTool,
  attachTool,
  createCommandSessions,
  createToolbox,
  editTool,
  execTool,
  imageTool,
  processTool,
  readConfined,
  readTool,
  webFetchTool,
  webSearchTool,
  writeTool,
  type ElevatedLevel,
  type ExitNotice,
  type FileSettings,
  type ImageToolParts,
  type Toolbox,
} from "../../rooms/tools/room.ts";

/** A reader of files may fill a fifth of a large context; the gate keeps every result below a third of it. */
const MAX_RESULT_CHARS = 540_000;

const SENT_MEGABYTES = 5;

type ToolHouse = Pick<
  House,
  | "clock"
  | "ids"
  | "log"
  | "config"
  | "ledger"
  | "paths"
  | "sandboxes"
  | "believed"
  | "workspaceOf"
  | "media"
  | "changes"
>;

export interface ToolRoomParts {
  readonly vision: Pick<ImageToolParts, "look" | "whyBlind">;
  /** Tools that other rooms bring along. */
  readonly more: readonly Tool[];
  /** A word for what decides, besides the configuration, which of them there are. */
  circumstances(): string;
  /** Whether one conversation may look into another. */
  seesSession(
    caller: { readonly agentId: string; readonly sessionKey: string; readonly requester: Requester },
    sessionKey: string,
  ): Promise<boolean>;
  /** Whether somebody is there who may answer a question about this session. */
  canAsk(sessionKey: string | undefined, runId?: string): boolean | Promise<boolean>;
  announce(event: ApprovalEvent): void;
  mayElevate(agentId: string, requester: Requester): boolean;
  notifyExit(notice: ExitNotice): void;
}

export interface OpenedTools {
  readonly toolbox: Toolbox;
  readonly approvals: Approvals;
  close(): Promise<void>;
}

export function openTools(house: ToolHouse, parts: ToolRoomParts): OpenedTools {
  const { clock, ids, log, config, ledger, paths } = house;
  const environment = process.env;
  const settings = (agentId: string) => execSettings(config.current(), agentId);
  const approvals = createApprovals({
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
    canAsk: (sessionKey, runId) => parts.canAsk(sessionKey, runId),
    announce: (event) => parts.announce(event),
    saved: () => house.changes.note("approvals"),
  });
  const sessions = createCommandSessions({
    clock,
    ids,
    log,
    settings,
    notifyExit: (notice) => parts.notifyExit({ ...notice, text: log.redact(notice.text) }),
  });
  const files = fileSettingsOf(house);
  const web = {
    fetch: createSafeFetch({ clock }),
    clock,
    ids,
    settings: () => config.current().tools?.web ?? {},
    environment: (name: string) => config.effectiveEnv()[name],
  };
  const toolbox = createToolbox({
    tools: [
      readTool(files),
      writeTool(files),
      editTool(files),
      applyPatchTool(files),
      execTool({
        guard: approvals,
        clock,
        sessions,
        environment,
        settings,
        async elevatedLevel({ agentId, sessionKey, requester }) {
          if (!parts.mayElevate(agentId, requester)) return "off";
          const entry = await ledger.session(sessionKey);
          return (entry?.elevatedLevel ?? config.current().agents?.defaults?.elevatedDefault ?? "on") as ElevatedLevel;
        },
      }),
      processTool({ guard: approvals, clock, sessions, sees: (caller, key) => parts.seesSession(caller, key) }),
      webSearchTool(web),
      webFetchTool(web),
      imageTool({
        ...parts.vision,
        fetch: web.fetch,
        readFile: (path, context, maxBytes) => readConfined(path, files, context, maxBytes),
      }),
      attachTool({
        ...files,
        maxBytes: () => (config.current().agents?.defaults?.mediaMaxMb ?? SENT_MEGABYTES) * 1024 * 1024,
        async keep(content, { sessionKey, ...limits }) {
          const media = await house.media();
          const kept = await media.take(content, { direction: "outbound", ...limits });
          return { ...kept, handle: media.mintHandle(sessionKey, kept.id) };
        },
      }),
      ...parts.more,
    ],
    circumstances: parts.circumstances,
    config: () => config.current(),
    clock,
    log,
    redact: (text) => log.redact(text),
    sandbox: house.sandboxes,
    closedNotes: ({ agentId, sessionKey, requester }) =>
      rightsOf(requester, sessionKey).notes ? [] : privateNotes(agentId, house),
    limits: { maxResultChars: MAX_RESULT_CHARS },
  });
  return {
    toolbox,
    approvals,
    async close() {
      approvals.close();
      await sessions.close();
    },
  };
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

/** Where each agent may read and write files. */
export function fileSettingsOf({ config, paths, workspaceOf }: Pick<House, "config" | "paths" | "workspaceOf">): {
  settings(agentId: string): FileSettings;
} {
  return {
    settings(agentId) {
      const agents = listAgents(config.current()).map(({ id }) => id);
      const others = agents.filter((id) => id !== agentId).map((id) => workspaceOf(id));
      const credentials = agents.map((id) => agentDirectory(config.current(), id, paths));
      const forbidden = [paths.stateDir, paths.configPath, ...credentials, ...others];
      const attached = join(paths.stateDir, "media", "inbound");
      return { ...fileSettings(config.current(), agentId), forbidden, attached };
    },
  };
}
