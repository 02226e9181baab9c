// The filter for system calls in a container: the rules of our own sandbox, in the words of container engines.
import { REFUSED_CALLS } from "../bubblewrap/seccomp/system-calls.ts";

interface Condition {
  readonly index: number;
  readonly value: number;
  readonly valueTwo?: number;
  readonly op: "SCMP_CMP_EQ" | "SCMP_CMP_MASKED_EQ";
}

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const SET_ID_BITS = [0o4000, 0o2000];
/** O_CREAT, and the bit that makes O_TMPFILE. */
const CREATES = [0o100, 0o20000000];
const NEW_NAMESPACES = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000];
const ALLOWED_FAMILIES = new Set([1, 2, 10, 16]);
const NEWEST_FAMILY = 46;

/** Bit for bit: whether the argument has it. */
const has = (index: number, bit: number): Condition => ({ index, value: bit, valueTwo: bit, op: "SCMP_CMP_MASKED_EQ" });
const is = (index: number, value: number): Condition => ({ index, value, op: "SCMP_CMP_EQ" });
const refuse = (names: readonly string[], errnoRet: number, args: readonly Condition[] = []) => ({
  names,
  action: "SCMP_ACT_ERRNO",
  errnoRet,
  args,
});

export function seccompProfile(): string {
  const families = Array.from({ length: NEWEST_FAMILY }, (_, family) => family);
  return JSON.stringify({
    defaultAction: "SCMP_ACT_ALLOW",
    archMap: [
      { architecture: "SCMP_ARCH_X86_64", subArchitectures: ["SCMP_ARCH_X86", "SCMP_ARCH_X32"] },
      { architecture: "SCMP_ARCH_AARCH64", subArchitectures: ["SCMP_ARCH_ARM"] },
    ],
    syscalls: [
      refuse(REFUSED_CALLS, EPERM),
      // Libraries fall back to an older call, whose arguments can be seen.
      refuse(["clone3", "openat2"], ENOSYS),
      ...NEW_NAMESPACES.map((flag) => refuse(["clone"], EPERM, [has(0, flag)])),
      // Files may belong to root outside: none may lend root to whoever runs it.
      ...SET_ID_BITS.flatMap((bit) => [
        refuse(["chmod", "fchmod", "creat", "mknod"], EPERM, [has(1, bit)]),
        refuse(["fchmodat", "fchmodat2", "mknodat"], EPERM, [has(2, bit)]),
        ...CREATES.flatMap((flag) => [
          refuse(["open"], EPERM, [has(1, flag), has(2, bit)]),
          refuse(["openat"], EPERM, [has(2, flag), has(3, bit)]),
        ]),
      ]),
      ...families
        .filter((family) => !ALLOWED_FAMILIES.has(family))
        .map((family) => refuse(["socket", "socketpair"], EAFNOSUPPORT, [is(0, family)])),
    ],
  });
}
