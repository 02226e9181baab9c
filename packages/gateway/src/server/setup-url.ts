// The address under which a phone reaches this gateway, for its setup code. Refuses one that would not work or not be safe.
import { networkInterfaces } from "node:os";
import { canonicalAddress, isLoopbackAddress, isTailnetAddress } from "./auth/addresses.ts";

/** Where the gateway listens, and what its door takes. */
export interface ListeningPlace {
  readonly hosts: readonly string[];
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly allowPlaintext: boolean;
}

export type SetupUrl =
  | { readonly kind: "ok"; readonly url: string }
  | { readonly kind: "refused"; readonly why: string; readonly fix: string };

const HOW_TO_REACH =
  "Set gateway.bind to tailnet, or to lan with gateway.tls.enabled, and restart; or name the address of a proxy in front of it: `chela qr --url wss://…`.";
const HOW_TO_ENCRYPT =
  "Use wss:// (gateway.tls.enabled, or a proxy with TLS), or a Tailscale address; OPENCLAW_ALLOW_INSECURE_PRIVATE_WS=1 allows plain text on a network you trust.";

export function chooseSetupUrl(
  asked: string | undefined,
  place: ListeningPlace,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): SetupUrl {
  return asked === undefined ? findUrl(place, interfaces) : checkUrl(asked, place);
}

function checkUrl(asked: string, { allowPlaintext }: ListeningPlace): SetupUrl {
  const url = URL.parse(asked.trim().replace(/^http/i, "ws"));
  if (!url || !/^wss?:$/.test(url.protocol) || url.hostname === "") {
    return refused(`"${asked}" is not the address of a gateway.`, "Write wss://host or wss://host:port.");
  }
  if (url.username || url.password) return refused("The address must hold no user or password.", "Leave them out.");
  const host = hostOf(url.hostname);
  if (isThisMachine(host))
    return refused(`${asked} is this machine; a phone would look for it on itself.`, HOW_TO_REACH);
  if (url.protocol === "ws:" && !allowPlaintext && !isInTailnet(host)) {
    return refused(`${asked} is not encrypted: everybody on the way could read what is said.`, HOW_TO_ENCRYPT);
  }
  return { kind: "ok", url: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}` };
}

function findUrl(place: ListeningPlace, interfaces: ReturnType<typeof networkInterfaces>): SetupUrl {
  const { hosts, port, isEncrypted, allowPlaintext } = place;
  const listening = hosts.filter((host) => !isLoopbackAddress(host));
  if (listening.length === 0)
    return refused("The gateway listens on this machine only; a phone cannot reach it.", HOW_TO_REACH);
  const own = Object.values(interfaces).flatMap((list) => (list ?? []).filter(({ internal }) => !internal));
  const addresses = listening.flatMap((host) =>
    host === "0.0.0.0" || host === "::"
      ? own.filter(({ family }) => family === "IPv4").map(({ address }) => address)
      : [host],
  );
  const scheme = isEncrypted ? "wss" : "ws";
  // Inside a tailnet everything is encrypted already.
  const safe =
    addresses.find((address) => isEncrypted || isTailnetAddress(address)) ??
    (allowPlaintext ? addresses[0] : undefined);
  if (safe !== undefined) return { kind: "ok", url: `${scheme}://${safe.includes(":") ? `[${safe}]` : safe}:${port}` };
  if (addresses.length === 0) return refused("This machine has no address on a network.", HOW_TO_REACH);
  return refused(
    "The gateway speaks plain text on this network: everybody on the way could read what is said.",
    HOW_TO_ENCRYPT,
  );
}

function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

function isThisMachine(host: string): boolean {
  const address = canonicalAddress(host);
  return host === "localhost" || host.endsWith(".localhost") || (address !== undefined && isLoopbackAddress(address));
}

function isInTailnet(host: string): boolean {
  const address = canonicalAddress(host);
  return address !== undefined && isTailnetAddress(address);
}

function refused(why: string, fix: string): SetupUrl {
  return { kind: "refused", why, fix };
}
