// Checks by `chela doctor` of models: which one answers, and which stored credentials cannot be used.
import { GatewayError, type DoctorCheck, type DoctorLine } from "@chela/sdk";
import { createCommandLog } from "../../base/terminal/command-log.ts";
import { cleanForTerminal, count, formatTime } from "../../base/terminal/layout.ts";
import type { House } from "../../house/house.ts";
import { createModels, type ProfileView } from "./room.ts";

export const checks: ReadonlyArray<DoctorCheck<House>> = [
  { name: "Model", look: async (house) => [await checkModel(house)] },
  { name: "Profiles", look: checkProfiles },
];

async function checkModel({ models, keys }: Pick<House, "models" | "keys">): Promise<DoctorLine> {
  try {
    const { model, source } = await models.defaultModel(keys().defaultAgentId);
    const says = `${model.provider}/${model.id} (${source})`;
    if (model.provider !== "demo") return { state: "ok", says };
    return { state: "warn", says, fix: "set an API key such as ANTHROPIC_API_KEY, or start Ollama on this machine" };
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { state: "fail", says: error.message, fix: error.row.fix };
  }
}

type CheckedServices = Pick<House, "config" | "clock" | "agents" | "agentOf" | "vault">;

/** Never a failure: other credentials may do, and the check of the model tells whether one does. */
function checkProfiles({ config, clock, agents, agentOf, vault }: CheckedServices): DoctorLine[] {
  const told: string[] = [];
  const log = createCommandLog((text) => void told.push(text));
  const models = createModels({
    config: () => config.current(),
    env: () => config.effectiveEnv(),
    clock,
    log,
    agentDir: (id) => agentOf(id).agentDir,
    vault: vault.profiles,
  });
  try {
    const stored = agents().flatMap(({ id: agentId, isDefault }) => {
      const own = models.profiles.view(agentId).filter(({ origin }) => origin === "file");
      return own.map((profile) => ({ profile, owner: isDefault ? "" : ` --agent ${agentId}` }));
    });
    const troubles = stored.flatMap(({ profile, owner }) => describeTrouble(profile, owner) ?? []);
    const broken = told.map((says): DoctorLine => ({ state: "warn", says }));
    if (troubles.length + broken.length > 0) return [...broken, ...troubles];
    const says =
      stored.length === 0 ? "none are stored" : `${count(stored.length, "credential")}, none expired or disabled`;
    return [{ state: "ok", says }];
  } finally {
    models.close();
  }
}

/** Undefined when the profile can be used, or could be in a moment. */
function describeTrouble({ id, provider, type, state }: ProfileView, owner: string): DoctorLine | undefined {
  const shown = cleanForTerminal(id);
  const warn = (says: string, fix: string): DoctorLine => ({ state: "warn", says, fix: `${fix}${owner}` });
  const storeAgain = `${storeCommand(type, provider)} --profile-id ${shown}`;
  switch (state.kind) {
    case "ok":
    case "cooling":
      return undefined;
    case "expired":
      return warn(`${shown} has expired (${formatTime(state.at)})`, storeAgain);
    case "empty":
      return warn(`${shown} is empty: what it refers to is not set`, storeAgain);
    case "disabled":
      return warn(
        `${shown} is disabled until ${formatTime(state.until)} (${state.reason})`,
        `look at the account, then chela models auth clear-cooldown ${shown}`,
      );
  }
}

function storeCommand(type: ProfileView["type"], provider: string): string {
  if (provider === "github-copilot") return "chela models auth login-github-copilot";
  return `chela models auth ${type === "token" ? "paste-token" : "add"} --provider ${cleanForTerminal(provider)}`;
}
