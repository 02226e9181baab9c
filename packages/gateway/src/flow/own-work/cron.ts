// Jobs: in whose name they run, where their commands run, and who hears of them.
import { toGatewayError, type ErrandDelivered, type ErrandRecord } from "@chela/sdk";
import { createSafeFetch } from "../../base/http/safe-fetch.ts";
import { execSettings, sandboxSettings } from "../../rooms/config/room.ts";
import {
  createCron,
  postResult,
  signalOf,
  type CommandTerms,
  type CommandWish,
  type Cron,
} from "../../rooms/cron/room.ts";
import type { OwnWorkHouse } from "./wake.ts";
import { buildEnvironment } from "../../rooms/tools/exec/environment.ts";
import { AS_OWNER } from "../../rooms/sandbox/room.ts";

export interface OpenedCron extends Cron {
  /** Posts what came of an errand to a page. Undefined when the gateway stops before it is known. */
  post(errand: ErrandRecord, url: string): Promise<ErrandDelivered | undefined>;
}

export async function openCron(house: OwnWorkHouse): Promise<OpenedCron> {
  const { clock, config, lanes, paths, sessions, hub } = house;
  const closing = new AbortController();

  /** A job is the operator's own, so nobody is asked; the environment is what any command gets. */
  async function commandTerms({ agentId, sessionKey, payload }: CommandWish): Promise<CommandTerms> {
    const { env: allowed, pathPrepend } = execSettings(config.current(), agentId);
    const { workspace } = house.agentOf(agentId);
    const call = payload.env ?? {};
    const environment = buildEnvironment({ own: process.env, allowed, pathPrepend, closed: [workspace], call });
    const terms = { kind: "allowed" as const, workspace, environment };
    // The command is the operator's own, word for word; only who keeps everything in sandboxes keeps this, too.
    if (sandboxSettings(config.current(), agentId, paths).mode !== "all") return terms;
    try {
      const sandbox = await house.sandboxes.enter({ agentId, sessionKey, requester: AS_OWNER });
      return sandbox ? { ...terms, openSandbox: () => sandbox.open() } : terms;
    } catch (error) {
      return { kind: "refused", why: toGatewayError(error, "SANDBOX_FAILED").explain() };
    }
  }

  const cron = await createCron(house, {
    isOwner: async ({ channel, account, id }) =>
      house.hasChannels() && (await house.channels()).gate.isOwner(channel, account, id),
    whyNoModel: (ref) => explainUnknown(() => house.models.resolve(ref)),
    commandTerms,
    async deleteSession(key) {
      if (lanes.runIds(key).length === 0) await sessions.delete(key, { archiveTranscript: true });
    },
    tell(event) {
      hub.broadcast("cron", event, { scope: "operator.read", dropIfSlow: true });
      const signal = signalOf(event, house.keys().defaultAgentId);
      if (signal) house.hookTeller.tell(signal);
    },
  });
  const fetch = createSafeFetch({ clock });
  return {
    ...cron,
    async leave() {
      closing.abort();
      await cron.leave();
    },
    async post(errand, url) {
      const body = errand.kind === "cron" ? await cron.tellRun(errand) : plainBody(errand);
      const token = () => house.cronSettings().webhookToken;
      // It is on its way to be settled; whoever reads it wants to know how it ended.
      const said = { ...body, action: "finished" };
      return postResult({ url, key: errand.runId, body: said, signal: closing.signal }, { clock, fetch, token });
    },
  };
}

function explainUnknown(look: () => unknown): string | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    return toGatewayError(error, "MODEL_UNKNOWN").message;
  }
}

function plainBody({ runId, kind, owner, agentId, outcome }: ErrandRecord): Record<string, unknown> {
  return { runId, kind, owner, agentId, status: outcome?.status, texts: outcome?.texts, error: outcome?.error };
}
