// Finds what a call is sent with: the secret of a profile, renewed where needed, and the headers that go with it.
import { type Secret, GatewayError, type ModelFailure } from "@chela/sdk";
import { makeFailure } from "../providers/failure.ts";
import { readResourceUrl } from "../providers/sign-in/resource-url.ts";
import type { AgentProfiles } from "./agent-profiles.ts";
import type { Access, AccessOutcome, GivenKeys, Profile } from "./profile.ts";
import type { Renewal } from "./renewal.ts";
import type { ProfileType } from "./stored-profile.ts";

/** What people paste as a key is sometimes the token of a subscription; its beginning tells. */
const ANTHROPIC_TOKEN = /^sk-ant-oat/;

export function accessGiven(profile: Profile, given: GivenKeys): AccessOutcome {
  const found = given.kind === "keys" ? given.keys.find(({ origin }) => origin === profile.origin) : undefined;
  if (!found) return failed("auth", profile, "the key is gone");
  const access = toAccess(profile.provider, "api_key", found.key);
  return { kind: "ready", access: found.aws ? { ...access, aws: found.aws } : access };
}

/** Never throws. */
export async function accessStored(
  profile: Profile,
  agent: AgentProfiles | undefined,
  renewal: Renewal,
): Promise<AccessOutcome> {
  const stored = agent?.find(profile.id);
  if (!agent || !stored) return failed("auth", profile, "the profile is gone");
  try {
    const secret = renewal.canRenew(stored) ? await renewal.currentToken(agent, stored.id) : stored.secret;
    if (!secret) return failed("auth", profile, "the profile holds no secret");
    // What is renewed may be good at another place than before.
    const { enterpriseUrl, projectId, ...now } = agent.find(stored.id) ?? stored;
    const resourceUrl = readResourceUrl(now.resourceUrl);
    return {
      kind: "ready",
      access: {
        ...toAccess(profile.provider, stored.type, secret, stored.accountId),
        ...(enterpriseUrl ? { enterpriseUrl } : {}),
        ...(resourceUrl ? { resourceUrl } : {}),
        ...(projectId ? { projectId } : {}),
      },
    };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return failed(error.code === "MODEL_AUTH" ? "auth" : "network", profile, error.detail);
  }
}

/** A key that was typed, and lies nowhere yet. */
export function accessWithKey(provider: string, key: Secret): Access {
  return toAccess(provider, "api_key", key);
}

function toAccess(provider: string, type: ProfileType, secret: Secret, accountId?: string): Access {
  const isToken = type !== "api_key" || (provider === "anthropic" && ANTHROPIC_TOKEN.test(secret.reveal()));
  return { secret, bearer: isToken, headers: isToken ? headersFor(provider, accountId) : {} };
}

function headersFor(provider: string, accountId: string | undefined): Record<string, string> {
  if (provider === "anthropic") return { "anthropic-beta": "oauth-2025-04-20" };
  if (provider === "qwen-portal") return { "x-dashscope-authtype": "qwen-oauth" };
  if (provider === "openai-codex" && accountId) return { "chatgpt-account-id": accountId };
  return {};
}

function failed(reason: ModelFailure["reason"], { provider }: Profile, why: string): AccessOutcome {
  return { kind: "failed", failure: makeFailure(reason, `${provider}: ${why}`) };
}
