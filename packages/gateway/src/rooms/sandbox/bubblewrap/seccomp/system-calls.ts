// Numbers of the system calls that sandboxes have rules for, by processor.

export type Processor = "x64" | "arm64";

/** x64, arm64; undefined where a processor does not have the call. One number is the same on both. */
type Numbers = number | readonly [x64: number | undefined, arm64: number | undefined];

/** Calls that nothing in a sandbox needs and that have opened walls before. */
const REFUSED = {
  // File systems and namespaces: the walls themselves.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  setns: [308, 268],
  unshare: [272, 97],
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  open_tree_attr: 467,
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  quotactl_fd: 443,
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  swapon: [167, 224],
  swapoff: [168, 225],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: 438,
  // Parts of the kernel with a long history of flaws.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  memfd_secret: 447,
  // The machine.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  create_module: [174, undefined],
  init_module: [175, 105],
  delete_module: [176, 106],
  get_kernel_syms: [177, undefined],
  query_module: [178, undefined],
  finit_module: [313, 273],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  acct: [163, 89],
  syslog: [103, 116],
  vhangup: [153, 58],
  // Relics.
  uselib: [134, undefined],
  ustat: [136, undefined],
  sysfs: [139, undefined],
  _sysctl: [156, undefined],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
} satisfies Record<string, Numbers>;

/** Calls whose arguments decide. */
const LOOKED_AT = {
  clone: [56, 220],
  clone3: 435,
  openat2: 437,
  socket: [41, 198],
  socketpair: [53, 199],
  ioctl: [16, 29],
  personality: [135, 92],
  open: [2, undefined],
  creat: [85, undefined],
  openat: [257, 56],
  mknod: [133, undefined],
  mknodat: [259, 33],
  chmod: [90, undefined],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: 452,
} satisfies Record<string, Numbers>;

/** The newest call this table was written with (file_setattr of Linux 6.17); what comes later is unknown here. */
export const NEWEST_CALL = 469;

/** Their names, for those who know calls by name. */
export const REFUSED_CALLS: readonly string[] = Object.keys(REFUSED);

export function refusedCalls(processor: Processor): number[] {
  return Object.values(REFUSED).flatMap((numbers) => numberFor(numbers, processor) ?? []);
}

/** Undefined where the processor does not have the call. */
export function callNumber(name: keyof typeof LOOKED_AT, processor: Processor): number | undefined {
  return numberFor(LOOKED_AT[name], processor);
}

function numberFor(numbers: Numbers, processor: Processor): number | undefined {
  return typeof numbers === "number" ? numbers : numbers[processor === "x64" ? 0 : 1];
}
