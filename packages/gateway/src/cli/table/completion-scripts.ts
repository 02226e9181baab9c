// Completion scripts for four shells. Each holds the whole table, so that completing never starts Node.
import { COMMANDS, GLOBAL_FLAGS } from "./command-table.ts";
import { childrenOf } from "./help.ts";

export type Shell = "bash" | "zsh" | "fish" | "powershell";

export function completionScript(shell: Shell): string {
  const makers = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };
  return makers[shell]();
}

interface CommandRow {
  /** Words of the command, joined by one space. */
  readonly path: string;
  readonly words: readonly string[];
}

/** What may follow each command: its children and flags. */
function rows(): CommandRow[] {
  const globals = GLOBAL_FLAGS.map(({ name }) => `--${name}`);
  const top = {
    path: "",
    words: [...childrenOf([]).map(({ path }) => path.join(" ")), "help", "--version", ...globals],
  };
  return [
    top,
    ...COMMANDS.map(({ path, flags = [] }) => ({
      path: path.join(" "),
      words: [
        ...childrenOf(path).map((child) => child.path.at(-1) ?? ""),
        ...flags.map(({ name }) => `--${name}`),
        ...globals,
      ],
    })),
  ];
}

function bashScript(): string {
  const cases = rows().map(({ path, words }) => `    "${path}") words="${words.join(" ")}" ;;`);
  return `# chela completion for bash. Put this in ~/.bashrc: source <(chela completion --shell bash)
_chela_words() {
  local words=""
  case "$1" in
${cases.join("\n")}
    *) return 1 ;;
  esac
  printf '%s' "$words"
}
_chela() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" index word
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ "$word" == -* ]] && continue
    _chela_words "\${path:+$path }$word" > /dev/null && path="\${path:+$path }$word"
  done
  COMPREPLY=($(compgen -W "$(_chela_words "$path")" -- "$current"))
}
complete -o default -F _chela chela
`;
}

function zshScript(): string {
  return `#compdef chela
# chela completion for zsh. Put this in ~/.zshrc: source <(chela completion --shell zsh)
autoload -U +X bashcompinit && bashcompinit
${bashScript().split("\n").slice(1).join("\n")}`;
}

function fishScript(): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  const lines = COMMANDS.flatMap(({ path, summary, flags = [] }) => {
    const parents = path.slice(0, -1);
    const seen = (words: readonly string[]): string =>
      words.length === 0
        ? "__fish_use_subcommand"
        : words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    return [
      `complete -c chela -f -n ${quote(seen(parents))} -a ${path.at(-1)} -d ${quote(summary)}`,
      ...flags.map(({ name, short, value, help }) =>
        [
          `complete -c chela -n ${quote(seen(path))} -l ${name}`,
          ...(short ? [`-s ${short}`] : []),
          ...(value ? ["-r"] : []),
          `-d ${quote(help)}`,
        ].join(" "),
      ),
    ];
  });
  const globals = GLOBAL_FLAGS.map(({ name, help }) => `complete -c chela -l ${name} -d ${quote(help)}`);
  return `# chela completion for fish. Put this in ~/.config/fish/completions/chela.fish\n${[...lines, ...globals].join("\n")}\n`;
}

function powershellScript(): string {
  const table = rows().map(({ path, words }) => `    '${path}' = @(${words.map((word) => `'${word}'`).join(", ")})`);
  return `# chela completion for PowerShell. Put this in your $PROFILE: chela completion --shell powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName chela -ScriptBlock {
  param($word, $commandAst, $cursor)
  $table = @{
${table.join("\n")}
  }
  $path = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $next = ("$path $element").Trim()
    if ($table.ContainsKey($next)) { $path = $next }
  }
  $table[$path] | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
