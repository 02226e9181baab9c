// Which arguments of an interpreter are the code it runs: the script, and what its options load before it. Pure.

/** Options whose value is loaded as code. */
const LOADS: ReadonlySet<string> = new Set(
  "-r --require --import --loader --experimental-loader -f --file --rcfile --init-file -l --load -i -S".split(" "),
);
/** After these the code is in the arguments, or found by a name. */
const CODE_FOLLOWS: ReadonlySet<string> = new Set("-c -e --eval -p --print -m -E --expression".split(" "));

/** A word of argv, the program's own being 0, and where in it the path of a file of code begins. */
export interface CodePlace {
  readonly at: number;
  readonly from: number;
}

export function codePlaces(argv: readonly string[]): CodePlace[] {
  const places: CodePlace[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    const equals = word.indexOf("=");
    if (CODE_FOLLOWS.has(word)) return places;
    if (LOADS.has(word)) places.push({ at: (at += 1), from: 0 });
    else if (equals > 0 && LOADS.has(word.slice(0, equals))) places.push({ at, from: equals + 1 });
    else if (!word.startsWith("-") && !word.startsWith("+")) return [...places, { at, from: 0 }];
  }
  return places;
}
