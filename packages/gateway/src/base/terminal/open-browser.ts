// Opens an address in the person's browser, where there is a desktop to open it on.
import { spawn } from "node:child_process";
import { safeSearchPath } from "@chela/sdk/files";

type Environment = Readonly<Record<string, string | undefined>>;

interface Opener {
  readonly program: string;
  readonly args: (url: string) => readonly string[];
}

/** Undefined where nobody would see the window: no desktop, or a person who is logged in from elsewhere. */
export function findOpener(platform: NodeJS.Platform, env: Environment): Opener | undefined {
  if (isFromElsewhere(env)) return undefined;
  if (platform === "darwin") return { program: "/usr/bin/open", args: (url) => [url] };
  // Not `start`: that is a word of the shell, which would take an & in the address for its own.
  if (platform === "win32") {
    const system = env["SystemRoot"] ?? "C:\\Windows";
    return { program: `${system}\\System32\\rundll32.exe`, args: (url) => ["url.dll,FileProtocolHandler", url] };
  }
  const hasDesktop = Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  return hasDesktop ? { program: "xdg-open", args: (url) => [url] } : undefined;
}

export function isFromElsewhere(env: Environment): boolean {
  return Boolean(env["SSH_CONNECTION"] || env["SSH_CLIENT"] || env["SSH_TTY"]);
}

/** What a desktop needs to show a window; whatever else the person has set is none of a browser's business. */
const SHARED: ReadonlySet<string> = new Set(
  (
    "HOME USER LOGNAME LANG LC_ALL DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION " +
    "XDG_RUNTIME_DIR XDG_SESSION_TYPE XDG_CURRENT_DESKTOP XDG_DATA_DIRS XDG_CONFIG_DIRS XDG_DATA_HOME XDG_CONFIG_HOME " +
    "SystemRoot SystemDrive USERPROFILE APPDATA LOCALAPPDATA ProgramFiles TEMP TMP"
  ).split(" "),
);

/** False when the program that opens addresses is missing, or it is no address of a page. */
export async function openBrowser({ program, args }: Opener, url: string, own: Environment): Promise<boolean> {
  const address = URL.parse(url);
  if (!address || !["http:", "https:"].includes(address.protocol)) return false;
  const shared = Object.entries(own).filter(([name]) => SHARED.has(name));
  const env = { ...Object.fromEntries(shared), PATH: safeSearchPath(own["PATH"] ?? "") };
  return new Promise((resolve) => {
    const child = spawn(program, args(address.href), { env, detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
