// Resolves the addresses to listen on, and whether the credentials make that safe. Refuses rather than widens.
import { isIP } from "node:net";
import { GatewayError } from "@chela/sdk";
import { canonicalAddress, isLoopbackAddress, isTailnetAddress, type AddressList } from "./addresses.ts";
import type { GatewayAuth, TailscaleMode } from "./auth-mode.ts";

export type BindMode = "loopback" | "lan" | "tailnet" | "custom" | "auto";

export interface BindConfig {
  readonly bind?: BindMode | undefined;
  readonly customBindHost?: string | undefined;
}

export interface Bind {
  readonly hosts: readonly string[];
  readonly isLoopbackOnly: boolean;
}

/** The shape of os.networkInterfaces(). */
export type Interfaces = Readonly<Record<string, readonly { readonly address: string }[] | undefined>>;

export function resolveBind(config: BindConfig, interfaces: Interfaces): Bind {
  const loopback = hasLoopback6(interfaces) ? ["127.0.0.1", "::1"] : ["127.0.0.1"];
  switch (config.bind ?? "loopback") {
    case "loopback":
    case "auto":
      return toBind(loopback);
    case "lan":
      return toBind(["0.0.0.0"]);
    case "tailnet":
      // Programs on this machine still find the gateway where they expect it.
      return toBind([findTailnetAddress(addressesOf(interfaces)), "127.0.0.1"]);
    case "custom":
      return toBind(checkCustomHost(config.customBindHost, addressesOf(interfaces), loopback));
    default:
      throw invalid(`gateway.bind is "${String(config.bind)}"; allowed are loopback, lan, tailnet, custom and auto.`);
  }
}

/** The system has one spelling for it. Reading all addresses takes a pattern that is expensive at first use. */
function hasLoopback6(interfaces: Interfaces): boolean {
  return Object.values(interfaces).some((list) => list?.some(({ address }) => address === "::1"));
}

function addressesOf(interfaces: Interfaces): string[] {
  return Object.values(interfaces).flatMap((list) =>
    (list ?? []).flatMap(({ address }) => canonicalAddress(address) ?? []),
  );
}

function toBind(hosts: readonly string[]): Bind {
  return { hosts, isLoopbackOnly: hosts.every(isLoopbackAddress) };
}

function findTailnetAddress(own: readonly string[]): string {
  const found = own.find((address) => isIP(address) === 4 && isTailnetAddress(address));
  if (found !== undefined) return found;
  throw invalid(
    'gateway.bind is "tailnet", but this machine has no address in 100.64.0.0/10. Start Tailscale, or set gateway.bind to loopback.',
  );
}

function checkCustomHost(host: string | undefined, own: readonly string[], loopback: string[]): string[] {
  const text = (host ?? "").trim();
  if (text === "") {
    throw invalid(
      'gateway.bind is "custom", but gateway.customBindHost is not set. Set it to an address of this machine.',
    );
  }
  if (text.toLowerCase() === "localhost") return loopback;
  const address = canonicalAddress(text);
  const isHere =
    address !== undefined &&
    (own.includes(address) || address === "0.0.0.0" || address === "::" || isLoopbackAddress(address));
  if (isHere) return [address];
  throw invalid(
    `gateway.customBindHost is "${text}", which is no address of this machine. It has: ${[...new Set(own)].join(", ") || "none"}.`,
  );
}

export interface BindSafetyQuestion {
  readonly bind: Bind;
  readonly auth: GatewayAuth;
  readonly trustedProxies: AddressList;
  readonly tailscaleMode?: TailscaleMode | undefined;
  readonly controlUi?:
    | {
        readonly enabled?: boolean | undefined;
        readonly allowedOrigins?: readonly string[] | undefined;
        readonly dangerouslyAllowHostHeaderOriginFallback?: boolean | undefined;
      }
    | undefined;
}

/** Throws when the gateway must not start like this; the sentence says what to change. */
export function checkBindSafety(question: BindSafetyQuestion): void {
  checkCredential(question);
  if (question.auth.mode === "trusted-proxy") checkTrustedProxy(question);
  checkTailscale(question);
  checkControlUi(question);
}

function checkCredential({ bind, auth, tailscaleMode }: BindSafetyQuestion): void {
  const isServed = tailscaleMode === "serve" || tailscaleMode === "funnel";
  const reach = isServed
    ? `gateway.tailscale.mode "${tailscaleMode}" opens the gateway to others`
    : `the gateway would listen on ${bind.hosts.join(", ")}`;
  const isOpen = isServed || !bind.isLoopbackOnly;
  if (!isOpen) return;
  if (auth.mode === "none") {
    throw new GatewayError("START_OPEN_BIND", `${reach}, and gateway.auth.mode "none" is for loopback only.`);
  }
  if ((auth.mode === "token" && !auth.token) || (auth.mode === "password" && !auth.password)) {
    throw new GatewayError("START_OPEN_BIND", `${reach}, and no gateway.auth.${auth.mode} is set.`);
  }
}

function checkTrustedProxy({ bind, auth, trustedProxies }: BindSafetyQuestion): void {
  if (!auth.trustedProxy?.userHeader?.trim()) {
    throw invalid(
      'gateway.auth.mode is "trusted-proxy", but gateway.auth.trustedProxy.userHeader is not set. Name the header in which the proxy puts the user.',
    );
  }
  if (trustedProxies.isEmpty) {
    throw invalid(
      'gateway.auth.mode is "trusted-proxy", but gateway.trustedProxies is empty. List the addresses of the proxy.',
    );
  }
  if (auth.token) {
    throw invalid(
      'gateway.auth.mode "trusted-proxy" cannot be combined with a gateway token. Remove gateway.auth.token and OPENCLAW_GATEWAY_TOKEN, or set the mode to token.',
    );
  }
  if (bind.isLoopbackOnly && !trustedProxies.has("127.0.0.1") && !trustedProxies.has("::1")) {
    throw invalid(
      'gateway.auth.mode is "trusted-proxy" on loopback, so the proxy must run on this machine: add 127.0.0.1 or ::1 to gateway.trustedProxies.',
    );
  }
}

function checkTailscale({ bind, auth, tailscaleMode }: BindSafetyQuestion): void {
  if (tailscaleMode !== "serve" && tailscaleMode !== "funnel") return;
  if (!bind.isLoopbackOnly) {
    throw invalid(
      `gateway.tailscale.mode "${tailscaleMode}" needs gateway.bind "loopback": Tailscale is the only way in.`,
    );
  }
  if (tailscaleMode === "funnel" && auth.mode !== "password") {
    throw new GatewayError(
      "START_FUNNEL",
      `gateway.tailscale.mode is "funnel", and gateway.auth.mode is "${auth.mode}".`,
    );
  }
}

function checkControlUi({ bind, controlUi }: BindSafetyQuestion): void {
  const isUnguarded =
    !bind.isLoopbackOnly &&
    controlUi?.enabled !== false &&
    (controlUi?.allowedOrigins ?? []).length === 0 &&
    controlUi?.dangerouslyAllowHostHeaderOriginFallback !== true;
  if (!isUnguarded) return;
  throw invalid(
    `the gateway would listen on ${bind.hosts.join(", ")} with the Control UI, but gateway.controlUi.allowedOrigins is empty. List the origins people open it from, such as "http://192.168.1.5:18789", or set gateway.controlUi.enabled to false.`,
  );
}

function invalid(detail: string): GatewayError {
  return new GatewayError("CONFIG_INVALID", detail);
}
