// A real homeserver: Synapse, where this machine has it, or in a directory with a Debian that has it.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** How to run Python with Synapse: `root` is a directory to change into first. */
interface Synapse {
  readonly root: string;
}

export interface Account {
  readonly userId: string;
  readonly password: string;
  readonly token: string;
  readonly deviceId: string;
}

export interface Homeserver extends AsyncDisposable {
  readonly url: string;
  register(name: string): Promise<Account>;
}

/** Undefined, and a loud line, when this machine has none. CHELA_SYNAPSE_ROOT names a Debian made with debootstrap. */
export function findSynapse(): Synapse | undefined {
  for (const root of [process.env["CHELA_SYNAPSE_ROOT"] ?? "", ""]) {
    const [program = "", ...args] = commandFor(root, ["-c", "import synapse"]);
    if (spawnSync(program, args, { stdio: "ignore" }).status === 0) return { root };
  }
  process.stderr.write(
    "\nNOT TESTED HERE: Matrix with a real homeserver and encryption (no matrix-synapse; install it, or set CHELA_SYNAPSE_ROOT)\n",
  );
  return undefined;
}

function commandFor(root: string, args: readonly string[]): string[] {
  return root === "" ? ["python3", ...args] : ["chroot", root, "python3", ...args];
}

export async function startSynapse({ root }: Synapse): Promise<Homeserver> {
  const port = await freePort();
  if (root !== "") mkdirSync(join(root, "tmp"), { recursive: true });
  const home = mkdtempSync(join(root === "" ? tmpdir() : join(root, "tmp"), "chela-synapse-"));
  const inside = home.slice(root.length);
  writeFileSync(join(home, "signing.key"), `ed25519 a_test ${randomBytes(32).toString("base64").replace(/=+$/, "")}\n`);
  writeFileSync(join(home, "homeserver.yaml"), settings(inside, port));
  const [program = "", ...args] = commandFor(root, [
    "-m",
    "synapse.app.homeserver",
    "--config-path",
    `${inside}/homeserver.yaml`,
  ]);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  const lines = createInterface(child.stderr);
  const ready = Promise.withResolvers<void>();
  const seen: string[] = [];
  lines.on("line", (line) => {
    seen.push(line);
    if (line.includes("Synapse now listening on TCP port")) ready.resolve();
  });
  void exited.then(() => ready.reject(new Error(`Synapse did not start:\n${seen.slice(-20).join("\n")}`)));
  await ready.promise;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async register(name) {
      const password = randomBytes(9).toString("hex");
      const response = await fetch(`${url}/_matrix/client/v3/register`, {
        method: "POST",
        body: JSON.stringify({ username: name, password, auth: { type: "m.login.dummy" } }),
      });
      const { user_id, access_token, device_id } = (await response.json()) as Record<string, string | undefined>;
      if (!user_id || !access_token || !device_id) throw new Error(`${name} could not be registered`);
      return { userId: user_id, password, token: access_token, deviceId: device_id };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const LIMITS = ["rc_message", "rc_registration", "rc_joins_per_room", "rc_invites_per_issuer"];

function settings(home: string, port: number): string {
  const free = { per_second: 10_000, burst_count: 10_000 };
  return JSON.stringify({
    server_name: "hs.test",
    pid_file: `${home}/pid`,
    listeners: [
      {
        bind_addresses: ["127.0.0.1"],
        port,
        tls: false,
        type: "http",
        resources: [{ names: ["client"], compress: false }],
      },
    ],
    database: { name: "sqlite3", args: { database: `${home}/homeserver.db` } },
    media_store_path: `${home}/media`,
    signing_key_path: `${home}/signing.key`,
    macaroon_secret_key: "secret of a test",
    form_secret: "another secret of a test",
    report_stats: false,
    trusted_key_servers: [],
    federation_domain_whitelist: [],
    enable_registration: true,
    enable_registration_without_verification: true,
    bcrypt_rounds: 4,
    ...Object.fromEntries(LIMITS.map((name) => [name, free])),
    rc_login: { address: free, account: free, failed_attempts: free },
    rc_joins: { local: free, remote: free },
    rc_invites: { per_room: free, per_user: free, per_issuer: free },
  });
}
