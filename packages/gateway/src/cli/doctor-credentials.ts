// The check of `chela doctor` that looks at stored credentials: which of them cannot be used, and what to type.
import { agentDirectory } from "../rooms/config/settings/defaults.ts";
import { createModels, type ProfileView } from "../rooms/models/room.ts";
import { listAgents } from "../rooms/routing/room.ts";
import { commandClock } from "./offline/command-clock.ts";
import type { Check, CheckedGateway } from "./doctor-check.ts";
import { cleanForTerminal, count } from "../base/terminal/layout.ts";
import { formatTime } from "./models/models-access.ts";
import { createCommandLog } from "./offline/silent-log.ts";
import { openVault, profilesOf } from "./offline/vault.ts";

const NAME = "Profiles";

/** Never a failure: other credentials may do, and the check of the model tells whether one does. */
export function checkCredentials({ config, paths }: CheckedGateway): Check[] {
  const told: string[] = [];
  const current = config.current();
  const models = createModels({
    config: () => current,
    env: () => config.effectiveEnv(),
    clock: commandClock,
    log: createCommandLog((text) => told.push(text)),
    agentDir: (id) => agentDirectory(current, id, paths),
    vault: profilesOf(openVault(paths, config.effectiveEnv())),
  });
  try {
    const stored = listAgents(current).flatMap(({ id: agentId, isDefault }) => {
      const own = models.profiles.view(agentId).filter(({ origin }) => origin === "file");
      return own.map((profile) => ({ profile, owner: isDefault ? "" : ` --agent ${agentId}` }));
    });
    const troubles = stored.flatMap(({ profile, owner }) => describeTrouble(profile, owner) ?? []);
    const broken = told.map((text): Check => ({ name: NAME, state: "warn", says: text }));
    if (troubles.length + broken.length > 0) return [...broken, ...troubles];
    const says =
      stored.length === 0 ? "none are stored" : `${count(stored.length, "credential")}, none expired or disabled`;
    return [{ name: NAME, state: "ok", says }];
  } finally {
    models.close();
  }
}

/** Undefined when the profile can be used, or could be in a moment. */
function describeTrouble({ id, provider, type, state }: ProfileView, owner: string): Check | undefined {
  const shown = cleanForTerminal(id);
  const warn = (says: string, fix: string): Check => ({ name: NAME, state: "warn", says, fix: `${fix}${owner}` });
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
