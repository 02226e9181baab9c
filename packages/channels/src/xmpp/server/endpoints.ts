// Finds the server of a domain: as the settings say, or as its DNS says.
import type { SrvRecord } from "node:dns";
import { resolveSrv } from "node:dns/promises";
import type { XmppAccount } from "../config.ts";

const DIRECT_TLS = { name: "_xmpps-client._tcp", scheme: "xmpps" };
const STARTTLS = { name: "_xmpp-client._tcp", scheme: "xmpp" };

/** At least one, in the order they are to be tried. Certificates are checked for the domain, wherever DNS leads. */
export async function findEndpoints({ service, domain }: XmppAccount): Promise<string[]> {
  if (service !== undefined) return [service];
  const found = await Promise.all(
    [DIRECT_TLS, STARTTLS].map(async ({ name, scheme }) => {
      const records = await resolveSrv(`${name}.${domain}`).catch((): SrvRecord[] => []);
      return records
        .filter(({ name: target }) => target !== "" && target !== ".")
        .map((record) => ({ ...record, scheme }));
    }),
  );
  const records = found.flat().sort((a, b) => a.priority - b.priority || b.weight - a.weight);
  if (records.length === 0) return [`xmpp://${domain}:5222`];
  return records.slice(0, 4).map(({ scheme, name, port }) => `${scheme}://${name}:${port}`);
}
