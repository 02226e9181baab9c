// Which variables cannot make a program do something else than its arguments say.

const PLAIN_NAMES: ReadonlySet<string> = new Set(
  (
    "PATH HOME USER LOGNAME SHELL PWD OLDPWD SHLVL LANG LANGUAGE TZ TERM COLORTERM COLUMNS LINES TMPDIR TEMP TMP HOSTNAME " +
    "CI NO_COLOR FORCE_COLOR CLICOLOR OPENCLAW_SHELL DEBIAN_FRONTEND XDG_RUNTIME_DIR"
  ).split(" "),
);

/** A name that is neither plain nor given, with the same value, by the operator; undefined when there is none. */
export function findOddVariable(
  env: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): string | undefined {
  return Object.keys(env).find(
    (name) =>
      !PLAIN_NAMES.has(name) && !/^LC_[A-Z]+$/.test(name) && !(Object.hasOwn(given, name) && given[name] === env[name]),
  );
}
