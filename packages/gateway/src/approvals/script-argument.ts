// Which arguments of an interpreter are the code it runs: the script, and what its options load before it.

/** Options whose next word is loaded as code. */
const LOADS_NEXT: ReadonlySet<string> = new Set(
  "-r --require --import --loader --experimental-loader -f --file --rcfile --init-file -l --load -i -S".split(" "),
);
/** After these the code is in the arguments, or found by a name. */
const CODE_FOLLOWS: ReadonlySet<string> = new Set("-c -e --eval -p --print -m -E --expression".split(" "));

/** Positions in argv, the program's own word being 0, in which a file of code may stand. */
export function codePositions(argv: readonly string[]): number[] {
  const positions: number[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (CODE_FOLLOWS.has(word)) return positions;
    if (LOADS_NEXT.has(word)) positions.push((at += 1));
    else if (!word.startsWith("-") && !word.startsWith("+")) return [...positions, at];
  }
  return positions;
}
