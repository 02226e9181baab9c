// The environment of a command: a few names of the gateway's own, what the configuration adds, and what the call sets.
import { delimiter } from "node:path";
import { GatewayError } from "@chela/sdk";
import { safeSearchPath } from "@chela/sdk/files";

const SHARED = ["HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TZ", "TMPDIR"];
const SHARED_ON_WINDOWS = ["SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA"];
const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
const LOCALE =
  /^LC_(ALL|CTYPE|NUMERIC|TIME|COLLATE|MONETARY|MESSAGES|PAPER|NAME|ADDRESS|TELEPHONE|MEASUREMENT|IDENTIFICATION)$/;
const WELL_FORMED = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables that make a program load code, read other settings or become another program: a way around approvals. */
const REFUSED = new Set(
  `PATH HOME USER LOGNAME SHELL IFS ENV CDPATH GLOBIGNORE FPATH ZDOTDIR INPUTRC PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS
  PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE LESSKEY TERMINFO TERMCAP GCONV_PATH LOCPATH NLSPATH
  GLIBC_TUNABLES HOSTALIASES LUA_INIT LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR CLASSPATH JAVA_TOOL_OPTIONS
  _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_HOME GRADLE_OPTS MAVEN_OPTS ANT_OPTS MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES
  CC CXX LD AR CPP RUSTC RUSTFLAGS RUSTDOC GOFLAGS GOROOT GOPATH GOTOOLCHAIN OPENSSL_CONF OPENSSL_ENGINES
  OPENSSL_MODULES SSLKEYLOGFILE SSH_ASKPASS SUDO_ASKPASS SSH_AUTH_SOCK KUBECONFIG AWS_CONFIG_FILE
  AWS_SHARED_CREDENTIALS_FILE WGETRC CURL_HOME PYENV_ROOT GEM_HOME GEM_PATH BUNDLE_GEMFILE
  COMSPEC PATHEXT SYSTEMROOT PSMODULEPATH DOTNET_STARTUP_HOOKS EMACSLOADPATH VIMINIT EXINIT MYVIMRC TAR_OPTIONS
  RSYNC_RSH CVS_RSH SVN_SSH HGPLAIN HGRCPATH TCLLIBPATH ERL_FLAGS ERL_AFLAGS ELIXIR_ERL_OPTIONS R_PROFILE
  R_ENVIRON JULIA_LOAD_PATH MANOPT GREP_OPTIONS`.split(/\s+/),
);
const REFUSED_BEGINNINGS = (
  "LD_ DYLD_ NODE_ NPM_CONFIG_ YARN_ PNPM_ DENO_ BUN_ PYTHON PIP_ UV_ PERL RUBY BASH_ GIT_ XDG_ RUSTC_ CARGO_ DOCKER_ " +
  "MALLOC_ CORECLR_ COR_ LUA_PATH_ LUA_CPATH_ LUA_INIT_ OPENCLAW_ CHELA_"
).split(" ");
const HARMLESS = /^GIT_((AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|TERMINAL_PROMPT)$|^NODE_ENV$|^PYTHONUNBUFFERED$/;

export interface EnvironmentSource {
  /** The gateway's own environment. */
  readonly own: Readonly<Record<string, string | undefined>>;
  /** Further names to take from it, by the operator's choice. */
  readonly allowed: readonly string[];
  readonly pathPrepend: readonly string[];
  /** Directories whose programs are never found by name, such as the agent's workspace. */
  readonly closed?: readonly string[];
  /** What the owner gives to skills in use; names that would change what programs do are left out. */
  readonly given?: Readonly<Record<string, string>>;
  /** What the call asks for. */
  readonly call: Readonly<Record<string, string>>;
  /** The kind of terminal the command gets, if any. */
  readonly terminal?: string;
}

export function buildEnvironment(source: EnvironmentSource): Record<string, string> {
  refuseDangerous(source.call);
  const { own } = source;
  const localized = Object.keys(own).filter((name) => LOCALE.test(name));
  const windows = process.platform === "win32" ? SHARED_ON_WINDOWS : [];
  const inherited = [...SHARED, ...windows, ...localized, ...source.allowed].flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    PATH: safeSearchPath([...source.pathPrepend, own["PATH"] ?? ""].join(delimiter), source.closed) || USUAL_PATH,
    ...(source.terminal ? { TERM: source.terminal } : {}),
    ...Object.fromEntries(Object.entries(source.given ?? {}).filter(([name]) => isAllowed(name))),
    ...source.call,
    OPENCLAW_SHELL: "exec",
  };
}

function refuseDangerous(call: Readonly<Record<string, string>>): void {
  const refused = Object.entries(call).filter(([name, value]) => !isAllowed(name) || value.includes("\0"));
  if (refused.length === 0) return;
  const names = refused.map(([name]) => JSON.stringify(name)).join(", ");
  throw new GatewayError("EXEC_ENVIRONMENT", names);
}

function isAllowed(name: string): boolean {
  if (!WELL_FORMED.test(name)) return false;
  const upper = name.toUpperCase();
  if (HARMLESS.test(upper)) return true;
  return !REFUSED.has(upper) && !REFUSED_BEGINNINGS.some((beginning) => upper.startsWith(beginning));
}
