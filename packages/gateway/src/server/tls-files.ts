// The certificate the gateway shows: the one that is named, or one of its own that it makes once and keeps.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { GatewayError, type Clock } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";

export interface TlsSettings {
  readonly enabled?: boolean | undefined;
  readonly autoGenerate?: boolean | undefined;
  readonly certPath?: string | undefined;
  readonly keyPath?: string | undefined;
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  /** SHA-256, as clients are told it. */
  readonly fingerprint: string;
  /** Signed by nobody else: clients know it by its fingerprint. */
  readonly isSelfSigned: boolean;
}

export interface TlsParts {
  readonly stateDir: string;
  readonly clock: Clock;
}

/** One of our own is made anew when it ends within this time. */
const RENEW_BEFORE_MS = 30 * 24 * 60 * 60_000;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

interface CertificatePlace {
  readonly certPath: string;
  readonly keyPath: string;
  /** Whether they are to be made before they can be read. */
  readonly isToBeMade: boolean;
}

/** Undefined without TLS. Throws CONFIG_INVALID with what to do. */
export async function openTls(settings: TlsSettings | undefined, parts: TlsParts): Promise<TlsFiles | undefined> {
  const place = findPlace(settings, parts);
  if (!place) return undefined;
  if (place.isToBeMade) await make(place.certPath, place.keyPath, parts);
  return read(place.certPath, place.keyPath);
}

/** Throws what `openTls` would throw, and makes nothing. */
export function checkTls(settings: TlsSettings | undefined, parts: TlsParts): void {
  const place = findPlace(settings, parts);
  if (place && !place.isToBeMade) read(place.certPath, place.keyPath);
}

function findPlace(settings: TlsSettings | undefined, parts: TlsParts): CertificatePlace | undefined {
  if (!settings?.enabled) return undefined;
  const { certPath, keyPath, autoGenerate } = settings;
  if (certPath && keyPath) {
    // Somebody's file is never written over.
    const areMissing = readIfThere(certPath) === undefined && readIfThere(keyPath) === undefined;
    return { certPath, keyPath, isToBeMade: autoGenerate === true && areMissing };
  }
  if (certPath || keyPath || autoGenerate === false)
    throw invalid(
      "gateway.tls.enabled needs both gateway.tls.certPath and gateway.tls.keyPath, or neither of them and gateway.tls.autoGenerate",
    );
  const folder = join(parts.stateDir, "gateway", "tls");
  const own = { certPath: join(folder, "gateway-cert.pem"), keyPath: join(folder, "gateway-key.pem") };
  return { ...own, isToBeMade: mustBeMade(own.certPath, own.keyPath, parts) };
}

function mustBeMade(certPath: string, keyPath: string, { clock }: TlsParts): boolean {
  const cert = readIfThere(certPath);
  if (cert === undefined || readIfThere(keyPath) === undefined) return true;
  try {
    return Date.parse(new X509Certificate(cert).validTo) - clock.now() < RENEW_BEFORE_MS;
  } catch {
    return true;
  }
}

async function make(certPath: string, keyPath: string, { clock }: TlsParts): Promise<void> {
  const { createSelfSigned } = await import("../base/http/self-signed.ts");
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .flatMap(({ family, address }) => (family === "IPv4" ? [address] : []));
  const hosts = ["localhost", hostname()].filter((name) => HOST.test(name));
  const { cert, key } = createSelfSigned({ hosts, addresses: [...new Set(["127.0.0.1", ...addresses])] }, clock.now());
  for (const path of [certPath, keyPath]) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The key first: a certificate without its key would be a promise nobody can keep.
  writeFileAtomic(keyPath, key);
  writeFileAtomic(certPath, cert);
}

function read(certPath: string, keyPath: string): TlsFiles {
  const cert = readNamed(certPath, "gateway.tls.certPath");
  const key = readNamed(keyPath, "gateway.tls.keyPath");
  const shown = understood(
    () => new X509Certificate(cert),
    `${certPath} (gateway.tls.certPath) is no certificate in PEM`,
  );
  const secret = understood(() => createPrivateKey(key), `${keyPath} (gateway.tls.keyPath) is no private key in PEM`);
  if (!shown.checkPrivateKey(secret)) throw invalid(`${keyPath} is not the key of the certificate in ${certPath}`);
  const isSelfSigned = shown.checkIssued(shown);
  return { cert, key, certPath, fingerprint: shown.fingerprint256, isSelfSigned };
}

function readNamed(path: string, name: string): string {
  const text = readIfThere(path);
  if (text !== undefined) return text;
  throw invalid(`${path} (${name}) is not there; name another, or set gateway.tls.autoGenerate to have one made`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw invalid(`${path} cannot be read (${errnoOf(error) ?? "unknown reason"})`);
  }
}

function understood<T>(read: () => T, why: string): T {
  try {
    return read();
  } catch {
    throw invalid(why);
  }
}

function invalid(detail: string): GatewayError {
  return new GatewayError("CONFIG_INVALID", detail);
}
