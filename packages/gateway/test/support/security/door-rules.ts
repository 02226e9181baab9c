// Who may knock at which door, written down apart from the gateway: hosts, origins and headers, each with what it is.

type HostKind = "loopback" | "listed" | "tailnet" | "foreign" | "malformed";
type OriginKind = "none" | "loopback" | "listed" | "foreign" | "malformed";

export interface Host {
  readonly text: string;
  readonly kind: HostKind;
}

export interface Origin {
  /** Undefined: no such header. */
  readonly text: string | undefined;
  readonly kind: OriginKind;
}

/** What an operator wrote in the settings of the door. */
export interface DoorSetup {
  readonly lists: boolean;
  readonly fallback: boolean;
  readonly tailnet: boolean;
}

export const LISTED_ORIGIN = "https://claw.example";

export function listHosts(port: number): Host[] {
  const at = (kind: HostKind, names: readonly string[]): Host[] => names.map((text) => ({ text, kind }));
  return [
    ...at("loopback", [
      `localhost:${port}`,
      "localhost",
      "LocalHost",
      "localhost.",
      `localhost.:${port}`,
      "localhost:1",
      "localhost:65535",
      `127.0.0.1:${port}`,
      "127.0.0.1",
      "127.0.0.1.",
      `127.1.2.3:${port}`,
      `[::1]:${port}`,
      "[::1]",
      `[0:0:0:0:0:0:0:1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `[::ffff:7f00:1]:${port}`,
    ]),
    ...at("listed", ["claw.example", "CLAW.example:443", "claw.example."]),
    ...at("tailnet", ["gateway.tail1234.ts.net", `Gateway.Tail1234.ts.net.:${port}`]),
    ...at("foreign", [
      "evil.example",
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `xlocalhost:${port}`,
      `localhostx:${port}`,
      "evil.localhost",
      "localhost.localdomain",
      "localhost_",
      "claw.example.evil.example",
      "evilclaw.example",
      "sub.claw.example",
      "ts.net",
      ".ts.net",
      "gateway.ts.net.evil.example",
      `10.1.2.3:${port}`,
      `192.168.1.2:${port}`,
      "169.254.169.254",
      `0.0.0.0:${port}`,
      `[::]:${port}`,
      "[fe80::1]",
      "[::ffff:10.1.2.3]",
      "127.1",
      "2130706433",
      "0x7f000001",
      "017700000001",
      "0177.0.0.1",
      "127.0.0.1.1",
    ]),
    ...at("malformed", [
      // Empty, but for what the client of a test would fill in.
      " ",
      "localhost:",
      "localhost:abc",
      "localhost:123456",
      `localhost:${port}:${port}`,
      "localhost..",
      "localhost@evil.example",
      "evil.example@localhost",
      "localhost/",
      "localhost/evil.example",
      "localhost, evil.example",
      "localhost evil.example",
      "localhost#",
      "localhost?",
      "localhost\\evil.example",
      "http://localhost",
      "*",
      "[::1",
      "::1",
      "[::1]evil.example",
      "[localhost]",
      "[::1%25lo]",
    ]),
  ];
}

export function listOrigins(port: number): Origin[] {
  const at = (kind: OriginKind, texts: readonly (string | undefined)[]): Origin[] =>
    texts.map((text) => ({ text, kind }));
  return [
    ...at("none", [undefined]),
    ...at("loopback", [
      `http://localhost:${port}`,
      "http://localhost",
      "HTTP://LOCALHOST:5173",
      "https://localhost:8443",
      `http://127.0.0.1:${port}`,
      `http://[::1]:${port}`,
      "http://localhost.",
    ]),
    ...at("listed", [LISTED_ORIGIN, "HTTPS://CLAW.EXAMPLE", "https://claw.example:443"]),
    ...at("foreign", [
      "https://evil.example",
      `http://evil.example:${port}`,
      `http://localhost.evil.example:${port}`,
      "http://127.0.0.1.evil.example",
      "http://xlocalhost",
      "http://evil.localhost",
      "http://10.0.0.1",
      "http://0.0.0.0",
      "http://claw.example",
      "https://claw.example:8443",
      "https://sub.claw.example",
      "https://claw.example.evil.example",
      "https://evilclaw.example",
      "https://claw.example.",
    ]),
    ...at("malformed", [
      "null",
      "",
      "file://",
      "file:///etc/passwd",
      "chrome-extension://abcdefgh",
      "moz-extension://abcdefgh",
      "capacitor://localhost",
      "about:blank",
      "data:text/html,x",
      "blob:http://localhost",
      "ws://localhost",
      "http://localhost@evil.example",
      `http://localhost:${port}@evil.example`,
      "http://user:secret@localhost",
      "http://localhost/",
      "http://localhost/path",
      "http://localhost?x",
      "http://localhost#x",
      "http://localhost, https://evil.example",
      "http://localhost https://evil.example",
      "http://localhost:99999",
      "http://[::1",
      "localhost",
      "//localhost",
      "http://",
      "*",
    ]),
  ];
}

/** Whether a host is one the gateway goes by. */
function isOurHost({ kind }: Host, setup: DoorSetup): boolean {
  return kind === "loopback" || (kind === "listed" && setup.lists) || (kind === "tailnet" && setup.tailnet);
}

/** A program on this machine that calls it by its own name, with nobody in between. */
function isLocal(host: Host, setup: DoorSetup, isForwarded: boolean): boolean {
  return !isForwarded && (host.kind === "loopback" || (host.kind === "tailnet" && setup.tailnet));
}

function isOurOrigin(origin: Origin, host: Host, setup: DoorSetup, isForwarded: boolean): boolean {
  if (origin.text === undefined) return true;
  if (origin.kind === "malformed") return false;
  if (setup.lists && origin.kind === "listed") return true;
  if (setup.fallback && origin.text.toLowerCase().split("//")[1] === host.text.toLowerCase()) return true;
  return origin.kind === "loopback" && host.kind === "loopback" && isLocal(host, setup, isForwarded);
}

export function mayKnock(origin: Origin, host: Host, setup: DoorSetup, isForwarded = false): boolean {
  return isOurHost(host, setup) && isOurOrigin(origin, host, setup, isForwarded);
}

/** Headers that something between a client and us adds, in the spellings that are seen in the wild. */
export const FORWARDING_HEADERS = [
  "Forwarded",
  "Forwarded-For",
  "Via",
  "CDN-Loop",
  "CF-Connecting-IP",
  "CF-Connecting-IPv6",
  "CF-IPCountry",
  "CF-Ray",
  "CF-Visitor",
  "Client-IP",
  "CloudFront-Viewer-Address",
  "DO-Connecting-IP",
  "Fastly-Client-IP",
  "Fly-Client-IP",
  "HTTP-Client-IP",
  "Incap-Client-IP",
  "Proxy-Client-IP",
  "Remote-Addr",
  "Tailscale-Funnel-Request",
  "Tailscale-Headers-Info",
  "Tailscale-User-Login",
  "Tailscale-User-Name",
  "True-Client-IP",
  "WL-Proxy-Client-IP",
  "X-Amz-Cf-Id",
  "X-AppEngine-User-IP",
  "X-Azure-ClientIP",
  "X-Azure-SocketIP",
  "X-Client-IP",
  "X-Cluster-Client-IP",
  "X-Coming-From",
  "X-Envoy-External-Address",
  "X-Envoy-Original-Path",
  "X-Forwarded",
  "X-Forwarded-By",
  "X-Forwarded-Client-Cert",
  "X-Forwarded-For",
  "X-Forwarded-For-Original",
  "X-Forwarded-Host",
  "X-Forwarded-Port",
  "X-Forwarded-Prefix",
  "X-Forwarded-Proto",
  "X-Forwarded-Protocol",
  "X-Forwarded-Scheme",
  "X-Forwarded-Server",
  "X-Forwarded-Ssl",
  "X-Forwarded-User",
  "X-Host",
  "X-HTTP-Host-Override",
  "X-NF-Client-Connection-IP",
  "X-Original-Forwarded-For",
  "X-Original-Host",
  "X-Original-URL",
  "X-Originating-IP",
  "X-ProxyUser-IP",
  "X-Real-IP",
  "X-Remote-Addr",
  "X-Remote-IP",
  "X-Rewrite-URL",
  "X-Source-IP",
  "X-True-Client-IP",
  "X-Vercel-Forwarded-For",
] as const;

export const FORWARDED_VALUES = [
  "127.0.0.1",
  "::1",
  "[::1]:80",
  "localhost",
  "for=127.0.0.1",
  'for="[::1]";proto=https;host=localhost',
  "127.0.0.1, 203.0.113.9",
  "203.0.113.9, 127.0.0.1",
  "unknown",
  "",
] as const;
