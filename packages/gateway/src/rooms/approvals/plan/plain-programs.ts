// The few programs that may be allowed by their path alone: they start nothing, obey no file, write nowhere, and take
// what they read for data. Everything else is allowed with exact arguments, or never for good.
import { basename } from "node:path";
import { calledName, type FoundProgram } from "./find-program.ts";
import { isInTrustedDirectory, type PatternPlace } from "./path-pattern.ts";

/** Whether these arguments are harmless. */
type Grammar = (args: readonly string[]) => boolean;

const PLAIN_WITH_ANY_ARGUMENTS =
  "cat ls dir vdir echo printf pwd whoami logname id groups uname arch nproc basename dirname realpath readlink stat head tail cut tr nl " +
  "fold expand unexpand tac rev comm join paste seq sleep true false test factor expr numfmt tsort cmp od hexdump hd base64 base32 basenc " +
  "cksum sum uptime free df grep egrep fgrep printenv users tty cal";

/** A list of names in a file could name what no argument may. */
const readsNoList: Grammar = (args) => !args.some((word) => word.startsWith("--f"));
const checksNoList: Grammar = (args) => !args.some((word) => /^(?:-[a-z]*c|--c)/.test(word));
/** `uniq in out` writes its second file. */
const hasOneOperand: Grammar = (args) =>
  !args.includes("--") && args.filter((word) => word === "-" || !word.startsWith("-")).length <= 1;
const hasNoArguments: Grammar = (args) => args.length === 0;

const DATE_OPTION = /^(?:-[uR]|-I\w*|--utc|--universal|--rfc-email|--iso-8601(?:=\w+)?|--rfc-3339=\w+|--date=.*|-d.+)$/;
/** A word that is no format would set the clock. */
const asksForTheTime: Grammar = (args) =>
  args.every((word, at) => word.startsWith("+") || word === "-d" || args[at - 1] === "-d" || DATE_OPTION.test(word));

const FILE_OPTION = /^(?:-[biLhpk]+|--brief|--mime|--mime-type|--mime-encoding|--dereference)$/;
const asksForTheKind: Grammar = (args) => args.every((word) => !word.startsWith("-") || FILE_OPTION.test(word));

/** Lines by their numbers, and nothing that runs, reads or writes. */
const SED_OPTION = /^(?:-[nEruz]+|--quiet|--silent|--regexp-extended)$/;
const SED_SCRIPT = /^(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq=]$/;
const picksLines: Grammar = (args) => {
  const [script, ...files] = args.filter((word) => !SED_OPTION.test(word));
  return script !== undefined && SED_SCRIPT.test(script) && files.every((word) => !word.startsWith("-"));
};

const FIND_TESTS: ReadonlySet<string> = new Set(
  (
    "-name -iname -path -ipath -wholename -iwholename -type -xtype -size -mtime -mmin -ctime -cmin -atime -amin -newer -empty -maxdepth " +
    "-mindepth -perm -user -group -print -print0 -printf -ls -not -and -or -a -o -prune -regex -iregex -regextype -depth -d -xdev -mount " +
    "-readable -writable -executable -links -inum -samefile -nouser -nogroup -true -false -quit -daystart -P"
  ).split(" "),
);
/** Formats and names may begin with a dash only where they are quoted for a shell, which is rare enough to ask. */
const findsOnly: Grammar = (args) =>
  args.every((word) => !word.startsWith("-") || FIND_TESTS.has(word) || /^-\d+$/.test(word));

const BY_GRAMMAR: Readonly<Record<string, Grammar>> = {
  wc: readsNoList,
  du: (args) => readsNoList(args) && !args.some((word) => /^(?:-[a-z]*X|--ex)/i.test(word)),
  md5sum: checksNoList,
  sha1sum: checksNoList,
  sha224sum: checksNoList,
  sha256sum: checksNoList,
  sha384sum: checksNoList,
  sha512sum: checksNoList,
  b2sum: checksNoList,
  uniq: hasOneOperand,
  hostname: hasNoArguments,
  date: asksForTheTime,
  file: asksForTheKind,
};

/** Others of which some arguments are known to be harmless: they are never allowed by path, but with these exactly. */
const EXACT_BY_GRAMMAR: Readonly<Record<string, Grammar>> = { sed: picksLines, find: findsOnly };

const ANY: ReadonlySet<string> = new Set(PLAIN_WITH_ANY_ARGUMENTS.split(" "));

/** With any arguments, or with some. */
export function isPlainName(name: string): boolean {
  return ANY.has(name) || Object.hasOwn(BY_GRAMMAR, name);
}

export function isPlainProgram(program: FoundProgram, place: PatternPlace): boolean {
  const name = calledName(program);
  if (basename(program.foundAt) !== name || !isInTrustedDirectory(program, place)) return false;
  if (!isPlainName(name) || !isItselfUnderAnyName(program, name)) return false;
  return ANY.has(name) || BY_GRAMMAR[name]?.(program.argv.slice(1)) === true;
}

/** Whether a program of this name and with these arguments only reads what it is given; who put it there is not asked. */
export function onlyReads({ argv }: Pick<FoundProgram, "argv">): boolean {
  const name = basename(argv[0] ?? "");
  return ANY.has(name) || (Object.hasOwn(BY_GRAMMAR, name) && BY_GRAMMAR[name]?.(argv.slice(1)) === true);
}

/** Whether these arguments say all that it does. */
export function isPlainUse(program: FoundProgram, place: PatternPlace): boolean {
  const name = calledName(program);
  if (!Object.hasOwn(EXACT_BY_GRAMMAR, name) || basename(program.file) !== name) return false;
  return isInTrustedDirectory(program, place) && EXACT_BY_GRAMMAR[name]?.(program.argv.slice(1)) === true;
}

/** A link to another program is that program. Only a box of the same programs, called by this name, is this one. */
function isItselfUnderAnyName(program: FoundProgram, name: string): boolean {
  const file = basename(program.file);
  return file === name || file === "coreutils";
}
