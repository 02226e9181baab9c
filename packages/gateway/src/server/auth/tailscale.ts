// Identity that Tailscale Serve puts into headers, believed only when tailscaled itself confirms it.
import { existsSync } from "node:fs";
import { once, type Clock } from "@chela/sdk";
import * as z from "zod";
import { canonicalAddress, isTailnetAddress } from "./addresses.ts";
import type { DenialReason } from "./denial.ts";
import type { ClientAddress } from "@chela/sdk";
import { headerOf, type Headers } from "./locality.ts";

interface TailscaleUser {
  readonly login: string;
  readonly name: string;
}

/** Who owns this tailnet address? Undefined when tailscaled does not know or does not answer. */
export type Whois = (ip: string) => Promise<TailscaleUser | undefined>;

export type TailscaleIdentity =
  | { readonly kind: "user"; readonly user: string }
  | { readonly kind: "none"; readonly reason: DenialReason };

/** Headers that only Tailscale Serve adds; any client can send them, so they are a claim and no more. */
export interface TailscaleClaim {
  readonly login: string;
  readonly ip: string | undefined;
}

export function readTailscaleClaim(headers: Headers, client: ClientAddress): TailscaleClaim | undefined {
  const login = (headerOf(headers, "tailscale-user-login") ?? "").trim();
  if (login === "" && !(client.isLoopbackPeer && client.isForwarded)) return undefined;
  const isServed =
    client.isLoopbackPeer &&
    headerOf(headers, "x-forwarded-proto") !== undefined &&
    headerOf(headers, "x-forwarded-host") !== undefined;
  // Serve writes exactly one address; a list was built by somebody else.
  const ip = isServed ? canonicalAddress(headerOf(headers, "x-forwarded-for")) : undefined;
  return { login, ip: ip !== undefined && isTailnetAddress(ip) ? ip : undefined };
}

export async function verifyTailscaleClaim(claim: TailscaleClaim, whois: Whois): Promise<TailscaleIdentity> {
  if (claim.login === "") return { kind: "none", reason: "tailscale_user_missing" };
  if (claim.ip === undefined) return { kind: "none", reason: "tailscale_proxy_missing" };
  const owner = await whois(claim.ip);
  if (!owner) return { kind: "none", reason: "tailscale_whois_failed" };
  const isSame = owner.login.trim().toLowerCase() === claim.login.toLowerCase();
  return isSame ? { kind: "user", user: owner.login } : { kind: "none", reason: "tailscale_user_mismatch" };
}

const PROGRAMS = [
  "/usr/bin/tailscale",
  "/usr/local/bin/tailscale",
  "/opt/homebrew/bin/tailscale",
  "/snap/bin/tailscale",
  "/Applications/Tailscale.app/Contents/MacOS/Tailscale",
  "C:\\Program Files\\Tailscale\\tailscale.exe",
];
const ANSWER_MS = 2_000;
const REMEMBER_MS = 60_000;
const REMEMBER_FAILURE_MS = 5_000;
const MAX_REMEMBERED = 256;

const whoisSchema = once(() =>
  z.looseObject({ UserProfile: z.looseObject({ LoginName: z.string().min(1), DisplayName: z.string().default("") }) }),
);

/** Asks `tailscale whois --json`, once per address and minute however many ask at the same time. */
export function createTailscaleWhois(clock: Clock, ask: (ip: string) => Promise<string> = askTailscale): Whois {
  const answers = new Map<
    string,
    { readonly until: () => number; readonly user: Promise<TailscaleUser | undefined> }
  >();
  return (ip) => {
    const known = answers.get(ip);
    if (known && known.until() > clock.steady()) return known.user;
    const asked = clock.steady();
    let keepFor = REMEMBER_MS;
    const user = ask(ip)
      .then(parseWhois)
      .catch(() => undefined)
      .then((found) => {
        if (!found) keepFor = REMEMBER_FAILURE_MS;
        return found;
      });
    answers.delete(ip);
    answers.set(ip, { until: () => asked + keepFor, user });
    const [oldest] = answers.keys();
    if (answers.size > MAX_REMEMBERED && oldest !== undefined) answers.delete(oldest);
    return user;
  };
}

function parseWhois(text: string): TailscaleUser | undefined {
  const parsed = whoisSchema().safeParse(JSON.parse(text));
  if (!parsed.success) return undefined;
  const { LoginName, DisplayName } = parsed.data.UserProfile;
  return { login: LoginName, name: DisplayName };
}

/** No shell, no search path, no inherited environment: only a program from the list above. */
async function askTailscale(ip: string): Promise<string> {
  const program = PROGRAMS.find((path) => existsSync(path));
  if (!program) return "null";
  const { execFile } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    execFile(
      program,
      ["whois", "--json", ip],
      { timeout: ANSWER_MS, maxBuffer: 256 * 1024, env: {}, windowsHide: true },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
  });
}
