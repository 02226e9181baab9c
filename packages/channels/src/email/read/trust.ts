// Judges whether a mail comes from the domain it names. A From header is only a claim; our own mail server checked it, and
// wrote down what it found. Anybody can write such a line, so it matters who wrote it and where it stands.
import { domainOf, normaliseDomain } from "../address.ts";
import { parseAuthResults, type AuthResult, type AuthResults } from "./auth-results.ts";
import type { Headers } from "./headers.ts";
import { takeApart } from "./structured-value.ts";

export interface TrustRules {
  /** Servers the operator vouches for: they write such lines, and remove those that others wrote in their name. */
  readonly servers: readonly string[];
  /** The host our mail is read from. */
  readonly home: string;
}

export type Trust = { readonly kind: "trusted" } | { readonly kind: "untrusted"; readonly why: string };

export function judgeSender(headers: Headers, address: string, rules: TrustRules): Trust {
  const border = findBorder(headers);
  const above = resultsIn(headers.slice(0, border)).filter(
    ({ server }) => rules.servers.includes(server) || isHome(server, rules.home),
  );
  if (above.length > 0) return weigh(above, domainOf(address));
  // Below, a stranger's own lines follow those of the server without a seam: only its first one can be believed.
  const below = resultsIn(headers.slice(border));
  const first = below.find(({ server }) => rules.servers.includes(server));
  if (first) return weigh([first], domainOf(address));
  return untrusted(below[0] ?? resultsIn(headers)[0]);
}

function untrusted(seen: AuthResults | undefined): Trust {
  const why = seen
    ? `no mail server that is trusted has checked it. It has a line of "${seen.server.slice(0, 100)}"; if that is your own mail server, add it to trustedAuthServers`
    : "no mail server has written down whether it is genuine (Authentication-Results)";
  return { kind: "untrusted", why };
}

/**
 * Where what others wrote begins, at the earliest: at the first Received of the server that took the mail from outside.
 * A hand-over by LMTP happens behind it, between programs of our own.
 */
function findBorder(headers: Headers): number {
  const index = headers.findIndex(({ name, value }) => name === "received" && !isInnerHop(value));
  return index < 0 ? 0 : index;
}

function isInnerHop(received: string): boolean {
  const words = takeApart(received)?.text.toLowerCase().split(/\s+/) ?? [];
  // Before "by" stands what the other side calls itself.
  const by = words.indexOf("by");
  const protocol = by < 0 ? undefined : words[words.indexOf("with", by) + 1];
  return protocol !== undefined && /^(?:utf8)?lmtps?a?$/.test(protocol);
}

function resultsIn(headers: Headers): AuthResults[] {
  return headers
    .filter(({ name }) => name === "authentication-results")
    .map(({ value }) => parseAuthResults(value))
    .filter((results) => results !== undefined);
}

/** The host itself, or a neighbour of it such as mx.example.org beside imap.example.org. */
function isHome(server: string, home: string): boolean {
  const host = home.toLowerCase();
  const labels = host.split(".");
  const domain = labels.length > 2 ? labels.slice(1).join(".") : host;
  return server === host || server === domain || server.endsWith(`.${domain}`);
}

function weigh(found: readonly AuthResults[], domain: string): Trust {
  const results = found.flatMap((one) => one.results);
  const isAbout = ({ properties }: AuthResult, name: string): boolean => {
    const value = properties.get(name);
    return value !== undefined && normaliseDomain(domainOf(value)) === domain;
  };
  const dmarc = results.filter(({ method }) => method === "dmarc");
  if (dmarc.some(({ result }) => result === "fail")) return { kind: "untrusted", why: "it is forged (dmarc=fail)" };
  const isGenuine =
    dmarc.some((one) => one.result === "pass" && isAbout(one, "header.from")) ||
    results.some((one) => one.method === "dkim" && one.result === "pass" && isAbout(one, "header.d"));
  if (isGenuine) return { kind: "trusted" };
  return { kind: "untrusted", why: `nothing proves that it comes from ${domain} (no dmarc=pass, no dkim=pass of it)` };
}
