// Opens the webhooks: whom they may ask, where answers go, and how often somebody may guess the token.
import { dirname } from "node:path";
import { canonicalSessionKey } from "@chela/sdk";
import { allChannels } from "../rooms/channels/room.ts";
import type { OwnWorkHouse } from "../flow/own-work/wake.ts";
import { rememberByConfig } from "./remember-by-config.ts";
import { listAgents } from "../rooms/routing/room.ts";
import { createRateLimiter, type Guesser } from "../server/auth/index.ts";
import { readAuth } from "../server/door-rules.ts";
import { hookPath } from "../rooms/webhooks/route.ts";
import {
  createWebhooks,
  readHookRules,
  type HookAnswer,
  type HookCall,
  type Webhooks,
} from "../rooms/webhooks/room.ts";

export interface WebhookServices extends Omit<Webhooks, "receive"> {
  receive(call: Omit<HookCall, "attempt">, guesser: Guesser): Promise<HookAnswer>;
}

/** Whoever is on this machine is counted, too: a proxy in front of us usually is. */
const GUESSES = { maxAttempts: 20, windowMs: 60_000, lockoutMs: 60_000, exemptLoopback: false };

export function openWebhooks(house: OwnWorkHouse): WebhookServices {
  const { clock, ids, config, paths, keys } = house;
  const limiter = createRateLimiter(clock, GUESSES);
  const rules = rememberByConfig(house, () => {
    const { hooks } = config.current();
    const { token, password } = readAuth(config.current(), config.effectiveEnv(), house.auth);
    const isGatewaySecret = (text: string) => [token, password].some((secret) => secret?.matches(text));
    return readHookRules(hooks, hookPath(hooks), isGatewaySecret);
  });
  const webhooks = createWebhooks(house, {
    configDir: dirname(paths.configPath),
    rules: () => rules(""),
    world: {
      agentIds: () => listAgents(config.current()).map(({ id }) => id),
      defaultAgentId: () => keys().defaultAgentId,
      channelIds: () => [...allChannels().map(({ id }) => id), ...Object.keys(house.extraChannels ?? {})],
      canonicalKey: (written, agentId) => keyOf(written, agentId, house),
      uuid: () => ids.uuid(),
    },
  });
  return {
    ...webhooks,
    async receive(call, guesser) {
      const answer = await webhooks.receive({ ...call, attempt: () => limiter.begin("hook-auth", guesser) });
      const { path, from } = call;
      if (answer.status >= 200 && answer.status < 300)
        house.hookTeller.tell({ name: "webhook:received", sessionKey: "", context: { path, from } });
      return answer;
    },
  };
}

/** What belongs to no agent in the protocol (`hook:…`) belongs to the one that is asked. */
function keyOf(written: string, agentId: string, { keys }: OwnWorkHouse): string | undefined {
  const defaults = { ...keys(), defaultAgentId: agentId };
  const key = canonicalSessionKey(written, defaults);
  if (key === undefined || key === "global") return key;
  return canonicalSessionKey(key.startsWith("agent:") ? key : `agent:${agentId}:${key}`, defaults);
}
