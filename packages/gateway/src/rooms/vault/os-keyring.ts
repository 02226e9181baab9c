// The keyring of the operating system, by the program that comes with it.
import { defined } from "@chela/sdk/base";
import { existsSync } from "node:fs";
import { GatewayError } from "@chela/sdk";
import { run, runNow, type ProgramCall } from "./run-program.ts";

export interface Keyring {
  /** Throws CREDENTIAL_UNREADABLE when it is not there, or the keyring is locked. */
  read(service: string, account: string): string;
  readLater(service: string, account: string): Promise<string>;
  store(service: string, account: string, value: string): Promise<void>;
  forget(service: string, account: string): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

const SECRET_TOOL = "/usr/bin/secret-tool";
const SECURITY = "/usr/bin/security";
/** A locked keyring asks a person, who may not be there. */
const PATIENCE_MS = 5_000;

/** Undefined where there is none: on Windows, and on machines where nobody is logged in. */
export function findKeyring(env: Env, platform: NodeJS.Platform = process.platform): Keyring | undefined {
  if (platform === "darwin" && existsSync(SECURITY)) return macKeyring(env);
  if (platform === "linux" && env["DBUS_SESSION_BUS_ADDRESS"] && existsSync(SECRET_TOOL)) return secretService(env);
  return undefined;
}

function secretService(env: Env): Keyring {
  const call = (args: readonly string[], input?: string): ProgramCall => ({
    command: SECRET_TOOL,
    args,
    env,
    timeoutMs: PATIENCE_MS,
    ...defined({ input }),
  });
  const names = (service: string, account: string) => {
    checkNames(service, account);
    return ["service", service, "account", account];
  };
  const lookup = (service: string, account: string) => call(["lookup", ...names(service, account)]);
  return {
    read: (service, account) => runNow(lookup(service, account)),
    readLater: (service, account) => run(lookup(service, account)),
    async store(service, account, value) {
      await run(call(["store", `--label=${service}`, ...names(service, account)], value)).catch(ignoreSilence);
    },
    async forget(service, account) {
      await run(call(["clear", ...names(service, account)])).catch(ignoreSilence);
    },
  };
}

/** Commands go in by standard input: an argument would be seen by everybody who lists processes. */
function macKeyring(env: Env): Keyring {
  const base = { command: SECURITY, env, timeoutMs: PATIENCE_MS };
  const find = (service: string, account: string): ProgramCall => {
    checkNames(service, account);
    return { ...base, args: ["find-generic-password", "-s", service, "-a", account, "-w"] };
  };
  const tell = (line: string) => run({ ...base, args: ["-i"], input: `${line}\n` }).catch(ignoreSilence);
  return {
    read: (service, account) => runNow(find(service, account)),
    readLater: (service, account) => run(find(service, account)),
    async store(service, account, value) {
      await tell(`add-generic-password -U -s ${word(service)} -a ${word(account)} -w ${word(value)}`);
    },
    async forget(service, account) {
      await tell(`delete-generic-password -s ${word(service)} -a ${word(account)}`);
    },
  };
}

/** A name that begins with a dash would be read as an option. Throws CREDENTIAL_REFUSED. */
export function checkNames(...names: readonly string[]): void {
  const wrong = names.find((name) => name.startsWith("-") || name.includes("\0"));
  if (wrong !== undefined) throw new GatewayError("CREDENTIAL_REFUSED", `"${wrong}" cannot be a name in the keyring`);
}

function word(text: string): string {
  if (/^[\w.@+:/=-]+$/.test(text)) return text;
  throw new GatewayError("CREDENTIAL_REFUSED", "a name in the keyring has characters that are not allowed there");
}

/** Storing prints nothing, which is no failure here. */
function ignoreSilence(error: unknown): void {
  if (!GatewayError.is(error) || !error.detail.endsWith("printed nothing")) throw error;
}
