// The filter for system calls inside a sandbox: what no command needs does not reach the kernel.
import { assembleBpf, type BpfLine } from "./assemble-bpf.ts";
import { callNumber, NEWEST_CALL, refusedCalls, type Processor } from "./system-calls.ts";

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERRNO = 0x00050000;
const REFUSE = ERRNO | 1; // EPERM
const NO_SUCH_CALL = ERRNO | 38; // ENOSYS: libraries fall back to an older call, whose arguments can be seen
const NO_SUCH_FAMILY = ERRNO | 97; // EAFNOSUPPORT

const ARCHITECTURES: Readonly<Record<Processor, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Calls of the x32 ABI have this bit; they would have numbers of their own. */
const X32_BIT = 0x40000000;

const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
/** The kernel itself only looks at the low half of the arguments that are checked here. */
const lowHalfOf = (argument: number): number => 16 + 8 * argument;

/** All CLONE_NEW… that clone itself takes. */
const NEW_NAMESPACES = 0x7e020000;
const SET_ID_BITS = 0o6000;
/** O_CREAT and the bit that makes O_TMPFILE: only then there is a mode among the arguments. */
const CREATES = 0o100 | 0o20000000;
const FAMILY = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
/** Type text into a terminal as if a person had done so. */
const TERMINAL_INJECTIONS = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX
/** The usual one, and the question which one it is. */
const HARMLESS_PERSONALITIES = [0, 0xffffffff];

/** The program as Linux takes it; undefined for processors without a table. */
export function buildFilter(processor: string): Buffer | undefined {
  return processor === "x64" || processor === "arm64" ? assembleBpf(filterLines(processor)) : undefined;
}

function filterLines(processor: Processor): BpfLine[] {
  return [
    load(ARCHITECTURE_OFFSET),
    jump("equal", ARCHITECTURES[processor], { yes: "ours" }),
    answer(KILL_PROCESS),
    label("ours"),
    load(NUMBER_OFFSET),
    ...(processor === "x64" ? [jump("atLeast", X32_BIT, { no: "native" }), answer(KILL_PROCESS), label("native")] : []),
    jump("above", NEWEST_CALL, { no: "known" }),
    answer(NO_SUCH_CALL),
    label("known"),
    ...argumentRules(processor),
    ...refusedCalls(processor).map((number) => jump("equal", number, { yes: "refuse" })),
    answer(ALLOW),
    label("refuse"),
    answer(REFUSE),
  ];
}

function argumentRules(processor: Processor): BpfLine[] {
  const rule = (name: Parameters<typeof callNumber>[0], ...body: BpfLine[]): BpfLine[] => {
    const number = callNumber(name, processor);
    const after = `after ${name}`;
    return number === undefined ? [] : [jump("equal", number, { no: after }), ...body, label(after)];
  };
  return [
    ...rule("clone", ...refuseBits("clone", 0, NEW_NAMESPACES)),
    ...rule("clone3", answer(NO_SUCH_CALL)),
    ...rule("openat2", answer(NO_SUCH_CALL)),
    // Files may belong to the gateway's own user outside: none may lend that user to whoever runs it.
    ...rule("open", ...refuseSetIdOnCreation("open", 1)),
    ...rule("openat", ...refuseSetIdOnCreation("openat", 2)),
    ...rule("creat", ...refuseBits("creat", 1, SET_ID_BITS)),
    ...rule("mknod", ...refuseBits("mknod", 1, SET_ID_BITS)),
    ...rule("mknodat", ...refuseBits("mknodat", 2, SET_ID_BITS)),
    ...rule("chmod", ...refuseBits("chmod", 1, SET_ID_BITS)),
    ...rule("fchmod", ...refuseBits("fchmod", 1, SET_ID_BITS)),
    ...rule("fchmodat", ...refuseBits("fchmodat", 2, SET_ID_BITS)),
    ...rule("fchmodat2", ...refuseBits("fchmodat2", 2, SET_ID_BITS)),
    ...rule("socket", ...socketFamilies()),
    ...rule("socketpair", ...allowOnly("socketpair", 0, [FAMILY.unix], NO_SUCH_FAMILY)),
    ...rule("ioctl", ...refuseValues("ioctl", 1, TERMINAL_INJECTIONS)),
    ...rule("personality", ...allowOnly("personality", 0, HARMLESS_PERSONALITIES, REFUSE)),
  ];
}

/** Routing questions (NETLINK_ROUTE) are how programs learn their own addresses; families like VSOCK leave the namespace. */
function socketFamilies(): BpfLine[] {
  const allowed = { yes: "socket allowed" };
  return [
    load(lowHalfOf(0)),
    jump("equal", FAMILY.unix, allowed),
    jump("equal", FAMILY.inet, allowed),
    jump("equal", FAMILY.inet6, allowed),
    jump("equal", FAMILY.netlink, { no: "socket refused" }),
    load(lowHalfOf(2)),
    jump("equal", 0, allowed),
    label("socket refused"),
    answer(NO_SUCH_FAMILY),
    label("socket allowed"),
    answer(ALLOW),
  ];
}

function refuseSetIdOnCreation(name: string, flags: number): BpfLine[] {
  const free = `${name} creates nothing`;
  return [
    load(lowHalfOf(flags)),
    jump("hasAnyBit", CREATES, { no: free }),
    load(lowHalfOf(flags + 1)),
    jump("hasAnyBit", SET_ID_BITS, { no: free }),
    answer(REFUSE),
    label(free),
    answer(ALLOW),
  ];
}

function refuseBits(name: string, argument: number, bits: number): BpfLine[] {
  const free = `${name} is free of them`;
  return [load(lowHalfOf(argument)), jump("hasAnyBit", bits, { no: free }), answer(REFUSE), label(free), answer(ALLOW)];
}

function refuseValues(name: string, argument: number, values: readonly number[]): BpfLine[] {
  const bad = `${name} is one of them`;
  const tests = values.map((value) => jump("equal", value, { yes: bad }));
  return [load(lowHalfOf(argument)), ...tests, answer(ALLOW), label(bad), answer(REFUSE)];
}

function allowOnly(name: string, argument: number, values: readonly number[], otherwise: number): BpfLine[] {
  const good = `${name} is one of them`;
  const tests = values.map((value) => jump("equal", value, { yes: good }));
  return [load(lowHalfOf(argument)), ...tests, answer(otherwise), label(good), answer(ALLOW)];
}

const label = (name: string): BpfLine => ({ kind: "label", name });
const load = (offset: number): BpfLine => ({ kind: "load", offset });
const answer = (value: number): BpfLine => ({ kind: "answer", value });

function jump(
  test: Extract<BpfLine, { kind: "jump" }>["test"],
  value: number,
  where: { readonly yes?: string; readonly no?: string },
): BpfLine {
  return { kind: "jump", test, value, ...where };
}
