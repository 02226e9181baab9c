// Real mail servers for tests: Postfix takes mail and hands it to Dovecot, which keeps it. Nothing can leave this machine.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDebianPackage, findProgram } from "../../gateway/test/support/stages/debian-package.ts";
import { createSelfSigned } from "../../gateway/test/support/in-process-tls.ts";

export const DOMAIN = "example.test";
export const PASSWORD = "correct-horse";
export const PEOPLE = ["bot", "alice", "mallory"] as const;

export interface MailServers extends AsyncDisposable {
  readonly imapPort: number;
  /** The same without TLS. */
  readonly plainImapPort: number;
  readonly smtpPort: number;
  /** Where a mail exchanger hands over what it has checked. */
  readonly lmtpPort: number;
  /** Path of the certificate both servers show. */
  readonly certificate: string;
}

/** Whether both servers can be started here: they need programs of Debian, and an administrator. */
export function canServeMail(): boolean {
  if (process.getuid?.() !== 0) return false;
  const answering = findProgram("debconf-set-selections");
  if (!findProgram("postfix") && answering) {
    // Without an answer to its only question the package would write a configuration of its own.
    spawnSync(answering, { input: "postfix postfix/main_mailer_type string No configuration\n" });
  }
  return (
    ensureDebianPackage("postfix", "postfix") &&
    ensureDebianPackage("dovecot-imapd dovecot-lmtpd", "dovecot") &&
    accountOf("postfix") !== undefined &&
    accountOf("mail") !== undefined
  );
}

export async function startMailServers(): Promise<MailServers> {
  const home = mkdtempSync(join(tmpdir(), "chela-mail-"));
  // The servers give up their rights and must still find their files.
  chmodSync(home, 0o755);
  const [imapPort, plainImapPort, smtpPort, lmtpPort, authPort] = await freePorts(5);
  const ports = { imapPort, plainImapPort, smtpPort, lmtpPort, authPort };
  const { cert, key } = createSelfSigned();
  const certificate = join(home, "cert.pem");
  writeFileSync(certificate, cert);
  writeFileSync(join(home, "key.pem"), key, { mode: 0o600 });
  const dovecot = startDovecot(home, ports);
  const postfix = startPostfix(home, ports);
  const inner = [imapPort, plainImapPort, lmtpPort, authPort].map((port) => reachable(port, dovecot));
  await Promise.all([...inner, reachable(smtpPort, postfix)]);
  return {
    imapPort,
    plainImapPort,
    smtpPort,
    lmtpPort,
    certificate,
    async [Symbol.asyncDispose]() {
      await Promise.all([end(postfix), end(dovecot)]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function address(person: string): string {
  return `${person}@${DOMAIN}`;
}

interface Ports {
  readonly imapPort: number;
  readonly plainImapPort: number;
  readonly smtpPort: number;
  readonly lmtpPort: number;
  readonly authPort: number;
}

function startDovecot(home: string, ports: Ports): ChildProcess {
  const owner = accountOf("mail") ?? { uid: 0, gid: 0 };
  const mail = join(home, "mail");
  mkdirSync(mail);
  chownSync(mail, owner.uid, owner.gid);
  const users = PEOPLE.map(
    (person) => `${address(person)}:{PLAIN}${PASSWORD}:${owner.uid}:${owner.gid}::${mail}/${person}`,
  );
  writeFileSync(join(home, "users"), `${users.join("\n")}\n`, { mode: 0o644 });
  const settings = join(home, "dovecot.conf");
  writeFileSync(settings, dovecotSettings(home, ports));
  return spawn(findProgram("dovecot") ?? "dovecot", ["-F", "-c", settings], { stdio: "ignore", detached: true });
}

/** The program that is usually called first only looks after directories, slowly; so they are made here. */
function startPostfix(home: string, ports: Ports): ChildProcess {
  const { uid, gid } = accountOf("postfix") ?? { uid: 0, gid: 0 };
  const place = join(home, "postfix");
  for (const part of ["etc", "queue/pid", "log"]) mkdirSync(join(place, part), { recursive: true });
  for (const part of ["data", ...QUEUES.map((queue) => `queue/${queue}`)]) {
    mkdirSync(join(place, part), { mode: 0o700 });
    chownSync(join(place, part), uid, gid);
  }
  writeFileSync(join(place, "etc/main.cf"), postfixSettings(home, place, ports));
  writeFileSync(join(place, "etc/master.cf"), postfixPrograms(ports));
  return spawn(`${POSTFIX}/master`, ["-c", join(place, "etc")], { stdio: "ignore" });
}

const POSTFIX = "/usr/lib/postfix/sbin";
const QUEUES = "active bounce corrupt defer deferred flush hold incoming maildrop private public saved trace".split(
  " ",
);

/** Each server leads a group of the programs it has started, which must not outlive it. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  process.kill(-server.pid, "SIGTERM");
  await gone;
}

function accountOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

async function freePorts(count: number): Promise<[number, number, number, number, number]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports as [number, number, number, number, number];
}

/** Servers open their port when they are ready; until then a connection is refused. */
async function reachable(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.end());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the server ended with ${child.exitCode} before it opened its port`);
}

const dovecotSettings = (home: string, ports: Ports): string => `
base_dir = ${home}/run
state_dir = ${home}/state
log_path = ${home}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
hostname = mx.${DOMAIN}
ssl = yes
ssl_cert = <${home}/cert.pem
ssl_key = <${home}/key.pem
disable_plaintext_auth = no
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:~
mail_max_userip_connections = 100
auth_failure_delay = 0
postmaster_address = postmaster@${DOMAIN}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${home}/users
}
userdb {
  driver = passwd-file
  args = username_format=%u ${home}/users
}
namespace inbox {
  inbox = yes
  mailbox "Sent Items" {
    auto = create
    special_use = \\Sent
  }
}
# Or whoever gave a wrong password waits longer each time.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    port = ${ports.plainImapPort}
  }
  inet_listener imaps {
    port = ${ports.imapPort}
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${ports.lmtpPort}
  }
}
service auth {
  inet_listener {
    address = 127.0.0.1
    port = ${ports.authPort}
  }
}
`;

const postfixSettings = (home: string, place: string, ports: Ports): string => `
compatibility_level = 3.6
queue_directory = ${place}/queue
data_directory = ${place}/data
command_directory = /usr/sbin
daemon_directory = ${POSTFIX}
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${place}/log/mail.log
maillog_file_prefixes = ${place}
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = mx.${DOMAIN}
mydestination =
mynetworks =
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = ${DOMAIN}
virtual_mailbox_maps = inline:{ ${PEOPLE.map((person) => `{ ${address(person)} = ${person} }`).join(", ")} }
virtual_transport = lmtp:inet:127.0.0.1:${ports.lmtpPort}
default_transport = error:nothing leaves this machine
relay_transport = error:nothing leaves this machine
smtpd_tls_cert_file = ${home}/cert.pem
smtpd_tls_key_file = ${home}/key.pem
smtpd_tls_security_level = may
smtpd_tls_auth_only = no
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${ports.authPort}
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = reject_unlisted_recipient
message_size_limit = 2000000
mailbox_size_limit = 0
in_flow_delay = 0
`;

const postfixPrograms = ({ smtpPort }: Ports): string => `
127.0.0.1:${smtpPort} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
`;
