// Programs that can write, or be told of other programs and lists of files: those of their uses that read what they are
// given and print it. Only such a use is said by its arguments alone; what is in a file that an agent writes is not. Pure.
import { basename } from "node:path";
import { calledName, type FoundProgram } from "./find-program.ts";

/** Whether these arguments name no program, no list, and no place to write to. */
type Use = (args: readonly string[]) => boolean;

/** GNU programs take any beginning of a long option, and the letters of short ones together. */
const without =
  (option: RegExp): Use =>
  (args) =>
    !args.some((word) => option.test(word));
const always: Use = () => true;

const TO_OUTPUT = /^(?:-[A-Za-z0-9]*c[A-Za-z0-9]*|--stdout|--to-stdout)$/;
const ELSEWHERE = /^(?:-[A-Za-z0-9]*[oO]|--o|--file)/;
/** Packers replace the file they are given unless they are told to print. */
const prints: Use = (args) => args.some((word) => TO_OUTPUT.test(word)) && !args.some((word) => ELSEWHERE.test(word));

const CURL_SWITCH =
  /^(?:-[sSfLiIvgGkNq46#]+|--(?:silent|show-error|fail|fail-with-body|location|include|head|verbose|compressed|get|insecure|globoff|ipv4|ipv6|no-progress-meter|progress-bar|no-buffer|http1\.1|http2))$/;
const CURL_VALUE =
  /^(?:-[XHdAemu]|--(?:request|header|data|data-raw|json|user-agent|referer|max-time|connect-timeout|retry|retry-delay|max-redirs|user|url))$/;
const ADDRESS = /^https?:\/\//i;
/** Only options of the list: others read instructions, save cookies, write what came or what was said. */
const fetches: Use = (args) => {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (CURL_SWITCH.test(word) || /^-X[A-Z]+$/.test(word) || /^-m\d+$/.test(word)) continue;
    if (CURL_VALUE.test(word)) {
      const value = args[(at += 1)];
      if (value === undefined || value.startsWith("@") || (word === "--url" && !ADDRESS.test(value))) return false;
    } else if (!ADDRESS.test(word)) return false;
  }
  return true;
};

const sorts = without(/^(?:--co|--fil|--o|-[^-]*o)/);
const searches = without(/^--(?:pre(?:=|$)|hostname-bin)/);

const USES: Readonly<Record<string, Use>> = {
  sort: sorts,
  gsort: sorts,
  shuf: without(/^(?:--o|-[^-]*o)/),
  diff: always,
  diff3: without(/^--d/),
  rg: searches,
  ripgrep: searches,
  zgrep: always,
  bzgrep: always,
  xzgrep: always,
  zdiff: always,
  zcat: always,
  gzip: prints,
  gunzip: prints,
  bzip2: prints,
  xz: prints,
  zstd: prints,
  pdftotext: (args) => args.at(-1) === "-" && !args.includes("-cfg"),
  curl: fetches,
  dig: without(/^-f/),
  nslookup: always,
  host: always,
};

export function hasExactUses(name: string): boolean {
  return Object.hasOwn(USES, name);
}

/** A link to another program is that program. */
export function isExactUse(program: Pick<FoundProgram, "file" | "argv">): boolean {
  const name = calledName(program);
  return hasExactUses(name) && basename(program.file) === name && USES[name]?.(program.argv.slice(1)) === true;
}
