// Opens an address in the person's browser, where there is a desktop to open it on.
import { spawn } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

interface Opener {
  readonly program: string;
  readonly args: (url: string) => readonly string[];
}

/** Undefined where nobody would see the window: no desktop, or a person who is logged in from elsewhere. */
export function findOpener(platform: NodeJS.Platform, env: Environment): Opener | undefined {
  if (isFromElsewhere(env)) return undefined;
  if (platform === "darwin") return { program: "open", args: (url) => [url] };
  // `start` takes the first quoted word for a title.
  if (platform === "win32") return { program: "cmd", args: (url) => ["/c", "start", "", url] };
  const hasDesktop = Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  return hasDesktop ? { program: "xdg-open", args: (url) => [url] } : undefined;
}

export function isFromElsewhere(env: Environment): boolean {
  return Boolean(env["SSH_CONNECTION"] || env["SSH_CLIENT"] || env["SSH_TTY"]);
}

/** False when the program that opens addresses is missing. */
export function openBrowser({ program, args }: Opener, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args(url), { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
