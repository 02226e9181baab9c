// The checks of `chela doctor` about the vault: secrets that lie outside in plain text, and entries that cannot be opened.
import { GatewayError } from "@chela/sdk";
import { placedSecrets } from "../house/credentials/secret-places.ts";
import type { Check, CheckedGateway } from "./doctor-check.ts";
import { cleanForTerminal, count } from "../base/terminal/layout.ts";
import { openVault } from "./offline/vault.ts";

const MOST_NAMED = 3;

export function checkVault({ config, paths }: CheckedGateway): Check[] {
  const name = "Vault";
  try {
    const vault = openVault(paths, config.effectiveEnv());
    const broken = vault.list().flatMap(({ id }): Check[] => {
      const found = vault.find(id);
      if (found.kind !== "unreadable") return [];
      const says = cleanForTerminal(`${id}: ${found.why}`);
      return [{ name, state: "warn", says, fix: `chela credential add ${cleanForTerminal(id)} --replace` }];
    });
    const plain = placedSecrets({ config, paths }).filter(({ content }) => content.kind === "plain");
    const kept = vault.list().length;
    if (plain.length === 0 && broken.length > 0) return broken;
    if (plain.length === 0) {
      return [
        { name, state: "ok", says: kept === 0 ? "empty, and no secret lies in plain text" : count(kept, "credential") },
      ];
    }
    const named = plain.slice(0, MOST_NAMED).map(({ where }) => cleanForTerminal(where));
    const more = plain.length > MOST_NAMED ? `, and ${plain.length - MOST_NAMED} more` : "";
    const says = `${count(plain.length, "secret")} in plain text: ${named.join("; ")}${more}`;
    return [...broken, { name, state: "warn", says, fix: "chela credential import" }];
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return [{ name, state: "fail", says: error.message, fix: error.row.fix }];
  }
}
