// Opens the sandboxes with the configuration, the workspaces and the audit trail; a backend is loaded with its first use.
import type { House } from "./house.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ledger, Logger, SandboxBackend, SandboxBackendId } from "@chela/sdk";
import type { AuditTrail } from "../rooms/audit/room.ts";
import type { Changes } from "../server/live/changes.ts";
import { agentDirectory, sandboxSettings } from "../rooms/config/room.ts";
import { privateNotes } from "./tools/private-notes.ts";
import { defaultAgent, listAgents } from "../rooms/routing/room.ts";
import { isBubblewrapInstalled, Sandboxes } from "../rooms/sandbox/room.ts";

export interface SandboxRoomParts extends Pick<House, "clock" | "ids" | "config" | "paths" | "keys" | "workspaceOf"> {
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "value" | "commit" | "session" | "onCommit">;
  readonly audit: Pick<AuditTrail, "note">;
  readonly changes: Pick<Changes, "note">;
}

export function openSandboxes(house: SandboxRoomParts): Sandboxes {
  const { log, config, paths } = house;
  const agentIds = () => listAgents(config.current()).map(({ id }) => id);
  return new Sandboxes(house, {
    agentIds,
    settings: (agentId) => sandboxSettings(config.current(), agentId, paths),
    skills: (agentId) => join(paths.stateDir, "sandbox-skills", agentId),
    notes: (agentId) => privateNotes(agentId, house),
    closedFolders(agentId) {
      const others = agentIds().filter((id) => id !== agentId);
      const credentials = agentIds().map((id) => agentDirectory(config.current(), id, paths));
      return [paths.stateDir, paths.configPath, ...credentials, ...others.map((id) => house.workspaceOf(id))];
    },
    isInstalled: (id) => id === "bubblewrap" && isBubblewrapInstalled(),
    load: (id) => loadBackend(id, house),
    noted({ kind, scope, backend, why }) {
      log[kind === "refused" ? "warn" : "info"](`sandbox ${kind}`, { scope, backend, why });
      const detail = { step: kind, ...(backend ? { backend } : {}), ...(why ? { why } : {}) };
      const outcome = kind === "refused" ? "denied" : "ok";
      house.audit.note({ action: "sandbox", actor: "gateway", target: scope, outcome, detail });
      house.changes.note("sandboxes");
    },
  });
}

async function loadBackend(id: SandboxBackendId, house: SandboxRoomParts): Promise<SandboxBackend> {
  const { clock, ids, log, paths, config } = house;
  if (id === "bubblewrap") {
    const { createBubblewrap } = await import("../rooms/sandbox/bubblewrap/bubblewrap.ts");
    return createBubblewrap({ clock, ids, log, proxy: (hosts) => openProxy(hosts, house) });
  }
  const { createDocker } = await import("../rooms/sandbox/docker/docker.ts");
  const image = sandboxSettings(config.current(), defaultAgent(config.current()).id, paths).docker.image;
  return createDocker({ id, clock, ids, log, stateDir: paths.stateDir, ...(image ? { image } : {}) });
}

/** The only way out of a sandbox that may reach some hosts: a socket in a folder of its own. */
async function openProxy(hosts: readonly string[], { clock, log }: SandboxRoomParts) {
  const { createFilteringProxy } = await import("../rooms/sandbox/proxy/filtering-proxy.ts");
  const folder = await mkdtemp(join(tmpdir(), "chela-proxy-"));
  const proxy = await createFilteringProxy({ clock, log, hosts: () => hosts, listenPath: join(folder, "socket") });
  return {
    socketPath: proxy.socketPath,
    async close() {
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
