// Attempts to break the wall itself: the kernel, rights, and limits.
import { ESCAPED, perl, succeeds, systemCall, unlessContainer, word, yields } from "./words.ts";
import type { Escape, EscapeStage } from "./words.ts";

export function kernelEscapes({ workdir }: EscapeStage): Escape[] {
  const at = word(`${workdir}/escape-mount`);
  const mounts = ["-t tmpfs none", "--bind /", "-t proc proc"].map((what) => succeeds(`mount ${what} ${at}`));
  const clone = `my $n = \`uname -m\` =~ /aarch64/ ? 220 : 56; my $p = syscall($n, 0x10000011, 0, 0, 0, 0); exit if $p == 0; print "${ESCAPED}\\n" if $p > 0;`;
  // The same value again: an attempt that gets through changes nothing.
  const rewrite = (path: string): string =>
    `old=$(cat ${path} 2>/dev/null) && ${succeeds(`[ -n "$old" ] && printf '%s\\n' "$old" >${path}`)}`;
  return [
    { name: "mount", tries: "mounts a file system", command: `mkdir -p ${at}; ${mounts.join("; ")}; rmdir ${at}` },
    {
      name: "user-namespace",
      tries: "becomes root in a namespace of its own",
      command: `${succeeds("unshare -Ur true")}; ${systemCall({ x64: 272, arm64: 97 }, "0x10000000")}`,
    },
    { name: "clone-namespace", tries: "starts a process in a new namespace", command: perl(clone) },
    {
      name: "join-namespace",
      tries: "joins the namespaces of the first process",
      command: succeeds("nsenter -t 1 -m -n -p true"),
    },
    {
      name: "kernel-settings",
      tries: "changes settings of the kernel",
      command: ["kernel/printk_ratelimit", "kernel/core_pattern", "vm/swappiness"]
        .map((name) => rewrite(`/proc/sys/${name}`))
        .join("; "),
    },
    {
      name: "sysrq",
      tries: "presses the emergency key of the machine",
      command: succeeds("printf h >/proc/sysrq-trigger"),
    },
    {
      name: "kernel-memory",
      tries: "reads the memory of the kernel",
      command: ["/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/port"]
        .map((path) => yields(`head -c 1 ${path} | od -An`))
        .join("; "),
    },
    {
      name: "kernel-log",
      tries: "reads the log of the kernel",
      command: `${yields("dmesg")}; ${succeeds(": </dev/kmsg")}`,
    },
    {
      name: "sys",
      tries: "changes devices and control groups",
      command: `${yields("find /sys -maxdepth 5 -type f -writable | head -n 1")}; ${succeeds("mkdir /sys/fs/cgroup/escape")}`,
    },
    {
      name: "bpf",
      tries: "loads a program into the kernel",
      command: systemCall({ x64: 321, arm64: 280 }, '0, my $a = pack("LLLL", 1, 4, 4, 1) . "\\0" x 100, 116'),
    },
    {
      name: "keyring",
      tries: "opens keys that the kernel keeps",
      command: systemCall({ x64: 250, arm64: 219 }, "0, -4, 0, 0, 0"),
    },
    {
      name: "io-uring",
      tries: "goes around the filter for system calls",
      command: systemCall({ x64: 425, arm64: 425 }, '4, my $a = "\\0" x 120'),
    },
    {
      name: "kernel-module",
      tries: "loads a module into the kernel",
      command: systemCall({ x64: 313, arm64: 273 }, '0, my $a = "", 0'),
    },
    {
      name: "file-handle",
      tries: "opens a file of the machine by its number",
      command: systemCall({ x64: 304, arm64: 265 }, '-100, my $a = pack("LlQ", 8, 1, 2), 0'),
    },
  ];
}

export function rightsEscapes({ workdir }: EscapeStage): Escape[] {
  const file = word(`${workdir}/escape-suid`);
  const disk = word(`${workdir}/escape-disk`);
  // Without a user namespace the number inside is the one outside, and only root's programs matter.
  const lent = `[ -u ${file} ] && { ! grep -q 4294967295 /proc/self/uid_map || [ "$(stat -c %u ${file})" = 0 ]; }`;
  const create = perl(`sysopen(F, "${workdir}/escape-suid", 0101, 04755);`);
  return [
    {
      name: "set-user-id",
      tries: "leaves a program that lends the rights of its owner",
      command: `cp /bin/sh ${file}; chmod 4755 ${file} 2>/dev/null; ${succeeds(lent)}; rm -f ${file}; ${create}; ${succeeds(lent)}; rm -f ${file}`,
    },
    {
      name: "become-root",
      tries: "becomes root by a program of the machine",
      command: `for p in "su root -c id" "sudo -n id" "pkexec id"; do $p </dev/null 2>/dev/null | grep -q uid=0 && echo ${ESCAPED}; done`,
    },
    {
      name: "capabilities",
      tries: "has rights of an administrator",
      command: `${succeeds("grep '^CapEff:.*[1-9a-f]' /proc/self/status")}; ${succeeds("grep '^NoNewPrivs:.*0' /proc/self/status")}`,
    },
    {
      name: "no-filter",
      tries: "makes system calls without a filter",
      command: succeeds("grep '^Seccomp:.*0' /proc/self/status"),
    },
    {
      name: "device-node",
      tries: "makes a device file for the disk",
      command: `${succeeds(`mknod ${disk} b 8 0 && head -c 1 ${disk}`)}; rm -f ${disk}; for d in /dev/sda /dev/vda /dev/nvme0n1 /dev/kvm /dev/fuse; do ${succeeds("[ -e $d ]")}; done`,
    },
    {
      name: "spoil-devices",
      tries: "changes the permissions of a device file of the machine",
      command: unlessContainer(succeeds("chmod 666 /dev/full")),
    },
  ];
}

export function limitEscapes({ workdir }: EscapeStage, limits: { readonly fileBytes: number }): Escape[] {
  const big = word(`${workdir}/escape-big`);
  const memory = `my $x = "a" x (64 * 2 ** 20); my @all; push @all, $x . $_ for 1 .. 16; print "${ESCAPED}\\n";`;
  // Slowly, so that whoever counts by looking has the time to look; what got through is ended again.
  const forks = `my @all; for (1 .. 300) { my $p = fork(); last if !defined $p; if ($p == 0) { sleep 20; exit } push @all, $p; select(undef, undef, undef, 0.005) }
    print "${ESCAPED}\\n" if @all >= 300; kill 9, @all;`;
  return [
    {
      name: "disk-filler",
      tries: "writes a file that fills the disk",
      command: `(head -c ${limits.fileBytes * 4} /dev/zero >${big}) 2>/dev/null; ${succeeds(`[ "$(stat -c %s ${big})" -gt ${limits.fileBytes} ]`)}; rm -f ${big}`,
    },
    { name: "memory-bomb", tries: "takes all memory", command: perl(memory) },
    { name: "fork-bomb", tries: "starts processes without end", command: perl(forks) },
  ];
}
