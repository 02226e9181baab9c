// Real IRC servers for tests: ngircd, which knows nothing newer than 2005, and ergo, which knows everything.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IrcPerson } from "./irc-person.test-support.ts";
import {
  ensureDebianPackage,
  findProgram,
  unpackDebianFile,
} from "../../gateway/test/support/stages/debian-package.ts";

export interface IrcServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Only ergo. */
  readonly tlsPort: number;
  /** Path of the certificate of the TLS port. */
  readonly certificate: string;
  /** Its clock of histories and accounts starts anew: everybody is thrown out. */
  kill(): Promise<void>;
}

/** Runs unmodified on Debian 12, which has another program of that name. */
const ERGO = {
  path: "pool/main/e/ergochat/ergochat_2.15.0+ds1-4+b1_amd64.deb",
  sha256: "96729dc1bb2f4f6eaef58696b37e9bb14d9580e1d3dcfdbdd8078b7b89a8531c",
};

export function findErgo(): string | undefined {
  return findProgram("ergochat") ?? unpackDebianFile(ERGO, "usr/bin/ergochat");
}

export function findNgircd(): string | undefined {
  return ensureDebianPackage("ngircd", "ngircd") ? findProgram("ngircd") : undefined;
}

export interface ServerOptions {
  /** Whether whoever writes much is slowed down, as on any network. */
  readonly slowsDown?: boolean;
  /** Only ngircd: what everybody has to know who wants to connect. */
  readonly password?: string;
}

export async function startNgircd(program: string, options: ServerOptions = {}): Promise<IrcServer> {
  const home = mkdtempSync(join(tmpdir(), "chela-ngircd-"));
  const port = await freePort();
  const settings = join(home, "ngircd.conf");
  writeFileSync(settings, ngircdSettings(port, options));
  const child = spawn(program, ["-n", "-f", settings], { stdio: "ignore" });
  return running(child, home, port, 0, "");
}

export async function startErgo(program: string, { slowsDown = false }: ServerOptions = {}): Promise<IrcServer> {
  const home = mkdtempSync(join(tmpdir(), "chela-ergo-"));
  const port = await freePort();
  const tlsPort = await freePort();
  const settings = join(home, "ircd.yaml");
  writeFileSync(settings, ergoSettings(port, tlsPort, slowsDown));
  for (const step of ["mkcerts", "initdb"]) {
    const { status } = spawnSync(program, [step, "--conf", settings, "--quiet"], { cwd: home, stdio: "ignore" });
    if (status !== 0) throw new Error(`ergochat ${step} failed`);
  }
  const child = spawn(program, ["run", "--conf", settings], { cwd: home, stdio: "ignore" });
  return running(child, home, port, tlsPort, join(home, "fullchain.pem"));
}

async function running(
  child: ChildProcess,
  home: string,
  port: number,
  tlsPort: number,
  certificate: string,
): Promise<IrcServer> {
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await reachable(port, child);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  return {
    host: "127.0.0.1",
    port,
    tlsPort,
    certificate,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** SHA-256 of a certificate in a file, as operators get it from openssl. */
export async function fingerprintOf(path: string): Promise<string> {
  const { X509Certificate } = await import("node:crypto");
  return new X509Certificate(readFileSync(path)).fingerprint256;
}

/** Makes a services account on ergo, by somebody who goes away again; ergo keeps what is written to one who stays. */
export async function registerAccount(
  server: IrcServer,
  name: string,
  password: string,
  staysWhenGone = false,
): Promise<void> {
  await using person = await IrcPerson.connect({ ...server, nick: name });
  person.write(`NICKSERV REGISTER ${password}`);
  await person.line(/Account created/);
  if (!staysWhenGone) return;
  person.write("NICKSERV SET ALWAYS-ON true");
  await person.line(/always-on/i);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Servers open their port when they are ready; until then a connection is refused. */
async function reachable(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("close", () => resolve(false)).once("connect", () => socket.end());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the server ended with ${child.exitCode} before it opened its port`);
}

const ngircdSettings = (port: number, { slowsDown, password }: ServerOptions): string => `
[Global]
Name = irc.test.invalid
Info = A server for tests
AdminInfo1 = nobody
AdminInfo2 = nowhere
AdminEMail = nobody@test.invalid
Listen = 127.0.0.1
Ports = ${port}
MotdPhrase = hello
${password ? `Password = ${password}` : ""}
[Limits]
MaxConnections = 0
MaxConnectionsIP = 0
MaxJoins = 0
PingTimeout = 120
${slowsDown ? "" : "MaxPenaltyTime = 0"}
[Options]
DNS = no
Ident = no
PAM = no
`;

const ergoSettings = (port: number, tlsPort: number, slowsDown: boolean): string => `
network: { name: TestNet }
server:
  name: irc.test.invalid
  listeners:
    "127.0.0.1:${port}": {}
    "127.0.0.1:${tlsPort}": { tls: { cert: fullchain.pem, key: privkey.pem } }
  casemapping: ascii
  enforce-utf8: true
  max-sendq: 96k
  compatibility: { force-trailing: true, send-unprefixed-sasl: true }
  ip-limits: { count: false, throttle: false }
  ip-cloaking: { enabled: false }
accounts:
  authentication-enabled: true
  registration: { enabled: true, allow-before-connect: true, bcrypt-cost: 4 }
  nick-reservation: { enabled: true, method: strict, force-nick-equals-account: false }
  multiclient: { enabled: true, allowed-by-default: true, always-on: opt-in }
channels:
  default-modes: +nt
  max-channels-per-client: 100
  registration: { enabled: true }
datastore: { path: ircd.db, autoupgrade: true }
limits:
  nicklen: 32
  identlen: 20
  channellen: 64
  awaylen: 390
  kicklen: 390
  topiclen: 390
  monitor-entries: 100
  whowas-entries: 100
  chan-list-modes: 100
  registration-messages: 1024
  multiline: { max-bytes: 4096, max-lines: 100 }
fakelag: { enabled: ${slowsDown}, window: 1s, burst-limit: 5, messages-per-window: 2, cooldown: 2s }
history:
  enabled: true
  channel-length: 2048
  client-length: 256
  chathistory-maxmessages: 1000
  restrictions: { expire-time: 1w, query-cutoff: none, grace-period: 1h }
  retention: { allow-individual-delete: true }
logging:
  - { method: stderr, type: "*", level: warning }
`;
