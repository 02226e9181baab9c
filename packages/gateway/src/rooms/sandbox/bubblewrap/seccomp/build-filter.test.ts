// The filter, run through a small machine that does what the kernel does with it.
import { describe, expect, it } from "vitest";
import { assembleBpf } from "./assemble-bpf.ts";
import { buildFilter } from "./build-filter.ts";
import { NEWEST_CALL, refusedCalls, type Processor } from "./system-calls.ts";

const ARCHITECTURE = { x64: 0xc000003e, arm64: 0xc00000b7 };
const ANSWERS: Record<number, string> = {
  0x7fff0000: "allow",
  0x80000000: "kill",
  0x00050001: "EPERM",
  0x00050026: "ENOSYS",
  0x00050061: "EAFNOSUPPORT",
};

function ask(processor: Processor, call: number, args: readonly number[] = [], architecture = ARCHITECTURE[processor]) {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  // The upper half is whatever a caller put there: it must not matter.
  for (const [index, arg] of args.entries())
    data.writeBigUInt64LE((0xdeadbeefn << 32n) | BigInt(arg >>> 0), 16 + 8 * index);
  return ANSWERS[run(buildFilter(processor) ?? Buffer.alloc(0), data)];
}

function run(program: Buffer, data: Buffer): number {
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const [yes, no] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x25) at += accumulator > value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? yes : no;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("ran off the end");
}

const [UNIX, INET, INET6, NETLINK, PACKET, ALG, VSOCK] = [1, 2, 10, 16, 17, 38, 40];
const CREATE = 0o101;
const TEMPORARY_FILE = 0o20200001;

describe("the filter for system calls", () => {
  it.each<[string, number, number[], string]>([
    ["read", 0, [], "allow"],
    ["execve", 59, [], "allow"],
    ["fork", 57, [], "allow"],
    ["clone of a thread", 56, [0x3d0f00], "allow"],
    ["clone with a user namespace", 56, [0x10000011], "EPERM"],
    ["clone with a mount namespace", 56, [0x20011], "EPERM"],
    ["clone with a network namespace", 56, [0x40000000], "EPERM"],
    ["clone with a cgroup namespace", 56, [0x02000000], "EPERM"],
    ["clone3", 435, [], "ENOSYS"],
    ["openat2", 437, [], "ENOSYS"],
    ["unshare", 272, [0x10000000], "EPERM"],
    ["setns", 308, [], "EPERM"],
    ["mount", 165, [], "EPERM"],
    ["ptrace", 101, [], "EPERM"],
    ["bpf", 321, [], "EPERM"],
    ["keyctl", 250, [], "EPERM"],
    ["io_uring_setup", 425, [], "EPERM"],
    ["a unix socket", 41, [UNIX!, 1, 0], "allow"],
    ["an IPv4 socket", 41, [INET!, 1, 6], "allow"],
    ["an IPv6 socket", 41, [INET6!, 1, 0], "allow"],
    ["a question about own addresses", 41, [NETLINK!, 3, 0], "allow"],
    ["a netfilter socket", 41, [NETLINK!, 3, 12], "EAFNOSUPPORT"],
    ["a packet socket", 41, [PACKET!, 3, 3], "EAFNOSUPPORT"],
    ["a crypto socket", 41, [ALG!, 5, 0], "EAFNOSUPPORT"],
    ["a hypervisor socket", 41, [VSOCK!, 1, 0], "EAFNOSUPPORT"],
    ["a pair of unix sockets", 53, [UNIX!, 1, 0], "allow"],
    ["a pair of other sockets", 53, [INET!, 1, 0], "EAFNOSUPPORT"],
    ["the size of a terminal", 16, [0, 0x5413], "allow"],
    ["typing into a terminal", 16, [0, 0x5412], "EPERM"],
    ["pasting into a console", 16, [0, 0x541c], "EPERM"],
    ["asking for the personality", 135, [0xffffffff], "allow"],
    ["another personality", 135, [0x0040000], "EPERM"],
    ["chmod 0755", 90, [0, 0o755], "allow"],
    ["chmod 4755", 90, [0, 0o4755], "EPERM"],
    ["fchmod 2755", 91, [3, 0o2755], "EPERM"],
    ["fchmodat 4755", 268, [0, 0, 0o4755], "EPERM"],
    ["fchmodat2 4755", 452, [0, 0, 0o4755, 0], "EPERM"],
    ["creating a plain file", 257, [0, 0, CREATE, 0o644], "allow"],
    ["creating a set-user-id file", 257, [0, 0, CREATE, 0o4755], "EPERM"],
    ["opening without creating, with rubbish as mode", 257, [0, 0, 0, 0o4755], "allow"],
    ["a set-user-id file without a name", 257, [0, 0, TEMPORARY_FILE, 0o4755], "EPERM"],
    ["open with a set-group-id mode", 2, [0, CREATE, 0o2755], "EPERM"],
    ["creat with a set-user-id mode", 85, [0, 0o4755], "EPERM"],
    ["mknod with a set-user-id mode", 133, [0, 0o104755], "EPERM"],
    ["a pipe with a name", 133, [0, 0o10644], "allow"],
    ["the newest call that is known", NEWEST_CALL, [], "allow"],
    ["a call that did not exist yet", NEWEST_CALL + 1, [], "ENOSYS"],
    ["a call of the x32 ABI", 0x40000000, [], "kill"],
    ["unshare of the x32 ABI", 0x40000000 + 272, [], "kill"],
  ])("answers %s on x64", (_, call, args, answer) => {
    expect(ask("x64", call, args)).toBe(answer);
  });

  it.each<[string, number, number[], string]>([
    ["read", 63, [], "allow"],
    ["clone with a user namespace", 220, [0x10000011], "EPERM"],
    ["unshare", 97, [], "EPERM"],
    ["mount", 40, [], "EPERM"],
    ["ptrace", 117, [], "EPERM"],
    ["socket of the hypervisor", 198, [VSOCK!, 1, 0], "EAFNOSUPPORT"],
    ["fchmod 4755", 52, [3, 0o4755], "EPERM"],
    ["creating a set-user-id file", 56, [0, 0, CREATE, 0o4755], "EPERM"],
    ["typing into a terminal", 29, [0, 0x5412], "EPERM"],
    ["a call that did not exist yet", 0x40000000, [], "ENOSYS"],
  ])("answers %s on arm64", (_, call, args, answer) => {
    expect(ask("arm64", call, args)).toBe(answer);
  });

  it.each<Processor>(["x64", "arm64"])("refuses every call of the table on %s", (processor) => {
    const answers = refusedCalls(processor).map((call) => ask(processor, call));
    expect(answers.length).toBeGreaterThan(45);
    expect(new Set(answers)).toEqual(new Set(["EPERM"]));
  });

  it("ends programs that speak the calls of another processor", () => {
    expect(ask("x64", 0, [], 0x40000003)).toBe("kill");
    expect(ask("x64", 0, [], ARCHITECTURE.arm64)).toBe("kill");
    expect(ask("arm64", 0, [], 0x40000028)).toBe("kill");
  });

  it("knows no processor it has no table for", () => {
    expect(buildFilter("riscv64")).toBeUndefined();
  });

  it("does not assemble a jump that leads nowhere, backwards or too far", () => {
    const jump = { kind: "jump", test: "equal", value: 1, yes: "there" } as const;
    const answer = { kind: "answer", value: 0 } as const;
    expect(() => assembleBpf([jump, answer])).toThrow(RangeError);
    expect(() => assembleBpf([{ kind: "label", name: "there" }, answer, jump])).toThrow(RangeError);
    const far = Array.from({ length: 256 }, () => answer);
    expect(() => assembleBpf([jump, ...far, { kind: "label", name: "there" }, answer])).toThrow(RangeError);
    expect(() => assembleBpf([jump, ...far.slice(1), { kind: "label", name: "there" }, answer])).not.toThrow();
  });
});
