// Finds environment variables that may have a program do something else than its arguments say.

const PLAIN_NAMES: ReadonlySet<string> = new Set(
  (
    "PATH HOME USER LOGNAME SHELL PWD OLDPWD SHLVL LANG LANGUAGE TZ TERM COLORTERM COLUMNS LINES TMPDIR TEMP TMP HOSTNAME " +
    "CI NO_COLOR FORCE_COLOR CLICOLOR OPENCLAW_SHELL DEBIAN_FRONTEND XDG_RUNTIME_DIR"
  ).split(" "),
);

const LOCALE = /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM)$/;

/** A name that is neither plain nor given, with the same value, by the operator; undefined when there is none. */
export function findOddVariable(
  env: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): string | undefined {
  return Object.entries(env).find(([name, value]) => {
    if (Object.hasOwn(given, name) && given[name] === value) return false;
    // What a locale, a zone or a terminal is called is looked up as a file: a path there leads to somebody's own.
    if (LOCALE.test(name)) return /^:|\.\.|^\//.test(value) || (name !== "TZ" && value.includes("/"));
    return !PLAIN_NAMES.has(name);
  })?.[0];
}
