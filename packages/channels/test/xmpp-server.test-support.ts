// A real XMPP server for tests: prosody, with accounts, rooms that keep an archive, and a place for files.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDebianPackage, findProgram } from "../../gateway/test/support/stages/debian-package.ts";
import { createSelfSigned } from "../../gateway/test/support/in-process-tls.ts";

export interface XmppServer extends AsyncDisposable {
  readonly port: number;
  readonly directTlsPort: number;
  /** Path of the certificate; it signs itself. */
  readonly certificate: string;
  /** A room in which everybody sees who is who. */
  readonly openRoom: string;
  /** A room in which only moderators see that; with an archive, like the other. */
  readonly maskedRoom: string;
}

export interface XmppServerOptions {
  /** Without: nothing that was said is kept. */
  readonly hasArchive?: boolean;
}

export const DOMAIN = "localhost";
export const PASSWORD = "correct-horse";
const PEOPLE = ["chela", "alice", "mallory"];

export function findProsody(): string | undefined {
  return ensureDebianPackage("prosody", "prosody") ? findProgram("prosody") : undefined;
}

export async function startProsody(program: string, options: XmppServerOptions = {}): Promise<XmppServer> {
  const home = mkdtempSync(join(tmpdir(), "chela-prosody-"));
  const [port = 0, directTlsPort = 0, httpPort = 0] = await freePorts(3);
  const certificate = join(home, "certificate.pem");
  const { cert, key } = createSelfSigned();
  writeFileSync(certificate, cert);
  writeFileSync(join(home, "key.pem"), key);
  const accounts = join(home, "data", DOMAIN, "accounts");
  mkdirSync(accounts, { recursive: true });
  for (const name of PEOPLE) writeFileSync(join(accounts, `${name}.dat`), `return { ["password"] = "${PASSWORD}" };\n`);
  const settings = join(home, "prosody.cfg.lua");
  writeFileSync(settings, settingsFor(home, { port, directTlsPort, httpPort }, options.hasArchive ?? true));
  const child = spawn(program, ["-F", "--config", settings], { stdio: "ignore", cwd: home });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await reachable(port, () => child.exitCode);
  return {
    port,
    directTlsPort,
    certificate,
    openRoom: "open@rooms.localhost",
    maskedRoom: "masked@masked.localhost",
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Servers open their port when they are ready; until then a connection is refused. */
async function reachable(port: number, exitCode: () => number | null): Promise<void> {
  while (exitCode() === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`prosody ended with ${exitCode()} before it opened its port`);
}

interface Ports {
  readonly port: number;
  readonly directTlsPort: number;
  readonly httpPort: number;
}

const settingsFor = (home: string, { port, directTlsPort, httpPort }: Ports, hasArchive: boolean): string => `
run_as_root = true
daemonize = false
data_path = "${home}/data"
pidfile = "${home}/prosody.pid"
log = { { levels = { min = "info" }, to = "file", filename = "${home}/prosody.log" } }
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
c2s_direct_tls_ports = { ${directTlsPort} }
http_ports = { ${httpPort} }
http_interfaces = { "127.0.0.1" }
https_ports = { }
c2s_require_encryption = true
authentication = "internal_plain"
storage = "internal"
modules_enabled = { "roster", "saslauth", "tls", "disco", "ping", "smacks", "carbons", "offline"${hasArchive ? ', "mam"' : ""} }
modules_disabled = { "s2s" }
default_archive_policy = true
ssl = { certificate = "${home}/certificate.pem", key = "${home}/key.pem" }
VirtualHost "${DOMAIN}"
  disco_items = { { "upload.${DOMAIN}", "files" } }
Component "rooms.${DOMAIN}" "muc"
  modules_enabled = { ${hasArchive ? '"muc_mam"' : ""} }
  muc_log_by_default = true
  muc_room_default_persistent = true
  muc_room_default_public_jids = true
  muc_room_locking = false
Component "masked.${DOMAIN}" "muc"
  modules_enabled = { ${hasArchive ? '"muc_mam"' : ""} }
  muc_log_by_default = true
  muc_room_default_persistent = true
  muc_room_locking = false
Component "upload.${DOMAIN}" "http_file_share"
  http_host = "127.0.0.1"
  http_external_url = "http://127.0.0.1:${httpPort}/"
  http_file_share_size_limit = 1024 * 1024
`;
