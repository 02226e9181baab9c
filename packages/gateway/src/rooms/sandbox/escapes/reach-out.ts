// Attempts to reach what is outside: files, networks, processes.
import { ESCAPED, perl, succeeds, systemCall, unlessContainer, UNTESTED, word, yields } from "./words.ts";
import type { Escape, EscapeStage } from "./words.ts";

export function fileEscapes({ canary, stateDir, workdir, readOnlyFolder }: EscapeStage): Escape[] {
  const link = word(`${workdir}/escape-link`);
  const hard = word(`${workdir}/escape-hard`);
  const openFiles = `for f in /proc/self/fd/*; do case \${f##*/} in 0|1|2) continue ;; esac
    case "$(readlink "$f")" in ''|/proc/*|/dev/null|*/sh|*/dash|*/bash|pipe:*) ;; *) echo ${ESCAPED} ;; esac; done`;
  return [
    { name: "host-file", tries: "reads a file of the machine by its path", command: `cat ${word(canary)}` },
    { name: "shadow", tries: "reads password hashes", command: succeeds("grep ':\\$' /etc/shadow") },
    { name: "state-directory", tries: "lists the gateway's own files", command: yields(`ls -A ${word(stateDir)}`) },
    {
      name: "symlink-out",
      tries: "follows a link out of the workspace",
      command: `ln -sfn ${word(canary)} ${link}; cat ${link}; rm -f ${link}`,
    },
    {
      name: "parent-climb",
      tries: "climbs out of the workspace by its parents",
      command: `cd ${word(workdir)}; cat ../../../../../../../../../..${word(canary)}`,
    },
    {
      name: "hard-link",
      tries: "links a file of the machine into the workspace",
      command: `ln ${word(canary)} ${hard} && cat ${hard}; rm -f ${hard}`,
    },
    {
      name: "init-root",
      tries: "goes through the root of the first process",
      command: `cat /proc/1/root${word(canary)} /proc/1/cwd/..${word(canary)}`,
    },
    {
      name: "write-system",
      tries: "changes programs and settings of the machine",
      command: unlessContainer(`${succeeds("touch /usr/bin/escape")}; ${succeeds("touch /etc/escape")}`),
    },
    ...readOnlyEscapes(readOnlyFolder),
    { name: "open-files", tries: "finds files that the gateway left open", command: openFiles },
    {
      name: "container-socket",
      tries: "asks a container engine for a way out",
      command: `for s in /var/run/docker.sock /run/docker.sock /run/podman/podman.sock /run/containerd/containerd.sock; do ${succeeds("[ -S $s ]")}; done`,
    },
    {
      name: "system-bus",
      tries: "speaks to the system's services",
      command: `for s in /run/dbus/system_bus_socket /run/systemd/private /run/systemd/journal/socket; do ${succeeds("[ -S $s ]")}; done`,
    },
  ];
}

function readOnlyEscapes(folder: string | undefined): Escape[] {
  if (folder === undefined) return [];
  const command = `${succeeds(`touch ${word(`${folder}/escape`)}`)}; ${succeeds(`mount -o remount,rw ${word(folder)}`)}`;
  return [{ name: "write-read-only", tries: "writes to a folder that can only be read", command }];
}

export function networkEscapes({ port, address, abstractSocket }: EscapeStage): Escape[] {
  return [
    { name: "gateway-port", tries: "connects to the gateway on loopback", command: connect("127.0.0.1", port) },
    ...(address === undefined
      ? []
      : [{ name: "machine-address", tries: "connects to the machine's own address", command: connect(address, port) }]),
    { name: "internet", tries: "connects to the internet", command: connect("1.1.1.1", 443) },
    { name: "metadata", tries: "asks a cloud for its credentials", command: connect("169.254.169.254", 80) },
    { name: "dns", tries: "resolves a name", command: yields("getent hosts example.com") },
    { name: "routes", tries: "finds a way to other machines", command: yields("tail -n +2 /proc/net/route") },
    ...abstractEscapes(abstractSocket),
    {
      name: "vsock",
      tries: "opens a socket to the hypervisor, which no network namespace holds",
      command: perl(`socket(S, 40, 1, 0) and print "${ESCAPED}\\n";`),
    },
    {
      name: "raw-socket",
      tries: "listens to all packets",
      command: perl(`(socket(S, 17, 3, 768) or socket(S, 2, 3, 1)) and print "${ESCAPED}\\n";`),
    },
  ];
}

function abstractEscapes(name: string | undefined): Escape[] {
  if (name === undefined) return [];
  const script = `use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) or exit; print "${ESCAPED}\\n" if connect(S, pack("Sa*", 1, "\\0${name}"));`;
  return [
    { name: "abstract-socket", tries: "connects to a socket of the machine without a file", command: perl(script) },
  ];
}

function connect(host: string, port: number): string {
  const script = `use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or exit; $SIG{ALRM} = sub { exit }; alarm 3;
    print "${ESCAPED}\\n" if connect(S, sockaddr_in(${port}, inet_aton("${host}")));`;
  return `if command -v perl >/dev/null 2>&1; then ${perl(script)};
    elif command -v nc >/dev/null 2>&1; then ${succeeds(`nc -w 2 ${host} ${port} </dev/null`)};
    else echo ${UNTESTED}; fi`;
}

/** Whether the process is still alive, and whether its secret was printed, is seen from outside. */
export function processEscapes({ pid, secretName }: EscapeStage): Escape[] {
  const injection = `open(T, "<", "/dev/tty") or open(T, "<&", 0); my $c = "x"; print "${ESCAPED}\\n" if ioctl(T, 0x5412, $c);`;
  return [
    { name: "kill-host", tries: "ends a process of the machine", command: `kill -9 ${pid}; kill -9 -${pid}` },
    {
      name: "processes-of-others",
      tries: "looks at processes of the machine",
      command: "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\000' '\\n'",
    },
    {
      name: "environment",
      tries: "finds secrets in its environment",
      command: `printenv ${secretName}; env; cat /proc/1/environ /proc/self/environ | tr '\\000' '\\n'`,
    },
    {
      name: "ptrace",
      tries: "takes over another process",
      command: systemCall({ x64: 101, arm64: 117 }, "16, getppid(), 0, 0"),
    },
    {
      name: "memory-of-others",
      tries: "reads the memory of another process",
      command: systemCall({ x64: 310, arm64: 270 }, 'getppid(), my $a = pack("QQ", 0, 0), 1, my $b = $a, 1, 0'),
    },
    { name: "terminal-injection", tries: "types into the terminal it was started from", command: perl(injection) },
  ];
}
