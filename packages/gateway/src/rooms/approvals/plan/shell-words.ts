// First words a shell treats by itself: running a program of that name would not be what was written.

const RESERVED =
  "! [[ ]] { } case coproc do done elif else end esac fi for foreach function if in nocorrect repeat select then time until while";
const BUILTINS =
  ". : [ alias autoload bg bind bindkey break builtin bye caller cd chdir command compdef compgen complete compopt continue declare " +
  "dirs disable disown echotc emulate enable eval exec exit export fc fg float functions getln getopts hash help history " +
  "integer jobs let limit local log logout mapfile noglob popd print pushd pushln read readarray readonly rehash " +
  "return sched set setopt shift shopt source suspend times trap ttyctl type typeset ulimit umask unalias unfunction unhash " +
  "unlimit unset unsetopt vared wait whence where zcompile zle zmodload zparseopts zstyle";

const WORDS: ReadonlySet<string> = new Set(`${RESERVED} ${BUILTINS}`.split(" "));

export function isShellWord(word: string): boolean {
  return WORDS.has(word);
}
