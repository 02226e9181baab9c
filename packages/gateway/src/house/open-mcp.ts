// Opens the MCP servers, with the first turn after somebody configured one.
import type { Secret } from "@chela/sdk";
import { createHttpFetch } from "@chela/sdk/http";
import { exchangeBy, McpServers, Questions, SignIns } from "../rooms/mcp/room.ts";
import type { House } from "./house.ts";

export interface McpServices {
  readonly servers: McpServers;
  readonly signIns: SignIns;
  readonly questions: Questions;
  configured(): void;
  close(): Promise<void>;
}

const NONE = {};
const IDLE_MS = 600_000;

export function openMcp(house: House): McpServices {
  const { clock, ids, log, ledger, config, paths, agents, workspaceOf } = house;
  const fetch = createHttpFetch({ onlyRepeatsReads: true, proxyEnv: process.env });
  const exchange = exchangeBy(fetch);
  const signIns = new SignIns({ clock, exchange, secrets: secretsOf(house), redirectUri: () => redirectUri(house) });
  const questions = new Questions(async () => {
    const { approvals } = await house.exec();
    return {
      ask: (subject, options) => approvals.ask(subject, options),
      allow: (id, by) => approvals.resolve(id, "allow-once", by),
    };
  });
  const servers = new McpServers({
    clock,
    ids,
    log,
    ledger,
    version: house.version,
    configured: () => config.current().mcp?.servers ?? NONE,
    agents: () => agents().map(({ id }) => ({ agentId: id, workspace: workspaceOf(id) })),
    idleMs: () => config.current().mcp?.sessionIdleTtlMs ?? IDLE_MS,
    launch: {
      clock,
      env: process.env,
      stateDir: paths.stateDir,
      home: paths.home,
      workspaces: () => agents().map(({ id }) => workspaceOf(id)),
      openSandbox: (profile) => house.sandboxes.openForProgram(profile),
    },
    signIns,
    questions,
    noted: ({ step, server, detail = {} }) =>
      house.audit.note({ action: "mcp", actor: "gateway", target: server, outcome: "ok", detail: { step, ...detail } }),
    changed: () => house.changes.note("mcp"),
  });
  return {
    servers,
    signIns,
    questions,
    configured: () => void servers.ready(),
    async close() {
      await servers.close();
      fetch.close();
    },
  };
}

const credentialOf = (name: string): string => `mcp:${name}`;

function secretsOf({ vault }: Pick<House, "vault">) {
  return {
    async find(name: string): Promise<Secret | undefined> {
      await vault.openIfNeeded();
      const found = (await vault.open()).find(credentialOf(name));
      return found.kind === "found" ? found.secret : undefined;
    },
    async put(name: string, value: Secret): Promise<void> {
      await (
        await vault.open()
      ).put([{ id: credentialOf(name), service: "mcp", account: name, content: { kind: "value", value } }]);
    },
    async drop(name: string): Promise<void> {
      await vault.profiles.drop([credentialOf(name)]);
    },
  };
}

function redirectUri({ door }: House): string {
  return `http://127.0.0.1:${door.listening.port}/mcp/oauth/callback`;
}
