// Security checks about secrets: those in plain sight, and the programs that hand them out.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { read, formatPlace, eachKey } from "../../base/settings/read-settings.ts";
import { unsetCommand } from "../../base/settings/change-settings.ts";

const KINDS = {
  config: { title: "Secrets lie in the configuration as they are", what: "keys" },
  profiles: { title: "Credentials of models lie in a file as they are", what: "profiles" },
  env: { title: "Secrets lie in a file of variables as they are", what: "variables" },
} as const;

const MOST_NAMED = 8;

const checkPlaintext: SecurityCheck["look"] = ({ plaintext }) =>
  plaintext.map(({ kind, where, names }) => {
    const shown =
      names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), `${names.length - MOST_NAMED} more`] : names;
    return {
      id: `plaintext:${where}`,
      severity: "warning",
      title: KINDS[kind].title,
      risk: `Whoever gets a copy of the file, from a backup for example, has them (${KINDS[kind].what}: ${shown.join(", ")}).`,
      where,
      fix: "chela credential import moves them into the vault.",
    };
  });

const checkSecretHelpers: SecurityCheck["look"] = ({ config }) => {
  const found: SecurityWeakness[] = [];
  eachKey(read(config, "secrets.providers"), (key, value, place) => {
    if (!/^allow(?:InsecurePath|SymlinkCommand)$/.test(key) || value !== true) return;
    const where = formatPlace(["secrets", "providers", ...place]);
    found.push({
      id: `secret-helper:${where}`,
      severity: "warning",
      title: "The program that hands out secrets can be replaced",
      risk: "Somebody who can write where it lies can put a program in its place that gets every question.",
      where,
      fix: unsetCommand(where),
    });
  });
  return found;
};

const LOOKS = [checkPlaintext, checkSecretHelpers];

export const checks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "upkeep", look }));
