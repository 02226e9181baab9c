// Checks by `chela doctor` of the vault: secrets that lie outside in plain text, and entries that cannot be opened.
import { GatewayError, type DoctorCheck, type DoctorLine } from "@chela/sdk";
import { cleanForTerminal, count } from "../../base/terminal/layout.ts";
import type { House } from "../../house/house.ts";
import type { Vault } from "./vault-types.ts";

const MOST_NAMED = 3;

export const checks: ReadonlyArray<DoctorCheck<House>> = [{ name: "Vault", look: checkVault }];

async function checkVault(house: Pick<House, "vault" | "credentials">): Promise<DoctorLine[]> {
  try {
    const vault = await house.vault.open();
    const broken = findBroken(vault);
    const { plain } = (await house.credentials()).list();
    if (plain.length > 0) return [...broken, describePlain(plain.map(({ where }) => where))];
    if (broken.length > 0) return broken;
    const kept = vault.list().length;
    const says = kept === 0 ? "empty, and no secret lies in plain text" : count(kept, "credential");
    return [{ state: "ok", says }];
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return [{ state: "fail", says: error.message, fix: error.row.fix }];
  }
}

function findBroken(vault: Vault): DoctorLine[] {
  return vault.list().flatMap(({ id }): DoctorLine[] => {
    const found = vault.find(id);
    if (found.kind !== "unreadable") return [];
    const says = cleanForTerminal(`${id}: ${found.why}`);
    return [{ state: "warn", says, fix: `chela credential add ${cleanForTerminal(id)} --replace` }];
  });
}

function describePlain(places: readonly string[]): DoctorLine {
  const named = places.slice(0, MOST_NAMED).map(cleanForTerminal);
  const more = places.length > MOST_NAMED ? `, and ${places.length - MOST_NAMED} more` : "";
  const says = `${count(places.length, "secret")} in plain text: ${named.join("; ")}${more}`;
  return { state: "warn", says, fix: "chela credential import" };
}
