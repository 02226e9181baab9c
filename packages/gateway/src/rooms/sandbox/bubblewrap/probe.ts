// Tries the wall before anything is trusted to it: looks out of a real sandbox and reads what it sees.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "./private-folders.ts";
import type { SandboxPlace, SandboxProfile } from "@chela/sdk";

/** One line for each thing that has to be so; only what every shell has is used. */
const LOOK = `
for file in /proc/self/fd/*; do [ "\${file##*/}" -gt 9 ] && echo "open file \${file##*/}"; done
read_status() { while read -r name value rest; do [ "$name" = "$1" ] && echo "$1 $value"; done </proc/self/status; }
for name in Uid: CapEff: CapBnd: NoNewPrivs: Seccomp:; do read_status "$name"; done
[ -e "$CANARY" ] && echo "canary seen"
[ -e /etc/shadow ] && echo "shadow seen"
for link in /proc/1/root/etc/shadow /sys/kernel; do [ -e "$link" ] && echo "$link seen"; done
for file in sys/kernel/printk_ratelimit irq/default_smp_affinity sysrq-trigger; do
  (: >/proc/$file) 2>/dev/null && echo "$file can be written"
done
{ read -r header; while read -r name rest; do echo "route by $name"; done; } </proc/net/route
echo done
`;

const WANTED = ["Uid: 65534", "CapEff: 0000000000000000", "CapBnd: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2"];
const FINE = [...WANTED, "done"];

/** What is not as it should be. Without anything that should not be seen, the look may have ended too early. */
export interface Hole {
  readonly what: string;
  readonly isOpen: boolean;
}

/** Undefined when everything is as it should be, else what is not. Throws SANDBOX_FAILED when it cannot be set up. */
export async function probe(
  folder: string,
  open: (profile: SandboxProfile) => Promise<SandboxPlace>,
): Promise<Hole | undefined> {
  const root = makePrivateFolder(folder, "probe");
  const canary = join(root, "canary");
  writeFileSync(canary, "");
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const place = await open(probeProfile(workspace, root)).catch((error: unknown) => {
    rmSync(root, { recursive: true, force: true });
    throw error;
  });
  try {
    const seen = await lookOut(place, canary);
    return judge(seen);
  } finally {
    await place.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function lookOut(place: SandboxPlace, canary: string): Promise<string[]> {
  let text = "";
  const running = await place.start({
    command: LOOK,
    cwd: "/workspace",
    env: { CANARY: canary },
    takesInput: false,
    onText: (more) => (text += more),
  });
  await running.closed;
  return text.split("\n").filter((line) => line !== "");
}

function judge(seen: readonly string[]): Hole | undefined {
  const missing = [...WANTED, "done"].filter((line) => !seen.includes(line));
  const unwanted = seen.filter((line) => !FINE.includes(line));
  if (missing.length === 0 && unwanted.length === 0) return undefined;
  const what = [...unwanted, ...missing.map((line) => `no "${line}"`)].join(", ").slice(0, 500);
  return { what, isOpen: unwanted.length > 0 || seen.includes("done") };
}

function probeProfile(workspace: string, scope: string): SandboxProfile {
  return {
    scope,
    workdir: "/workspace",
    mounts: [{ outside: workspace, inside: "/workspace", isWritable: true }],
    network: { kind: "none" },
    limits: { memoryBytes: 128 * 2 ** 20, processes: 16, cpuSeconds: 10, fileBytes: 2 ** 20, openFiles: 64 },
    env: {},
    container: {
      image: "",
      namePrefix: "",
      isRootReadOnly: true,
      tmpfs: [],
      capDrop: ["ALL"],
      ulimits: {},
      dns: [],
      extraHosts: [],
    },
  };
}
