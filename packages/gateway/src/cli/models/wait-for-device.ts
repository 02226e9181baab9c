// Shows the code of a sign-in that is typed in elsewhere, and waits until somebody did.
import type { Clock } from "@chela/sdk";
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import type { Approved, DeviceLogin } from "../../rooms/models/providers/sign-in/device-login.ts";
import { cleanForTerminal, formatDuration } from "../../base/terminal/layout.ts";

/** For whoever fails to sign in. */
export const NEW_CODE = "Nothing was stored. Run the command again for a new code.";

/** Throws CommandFailure when nobody signed in. */
export async function waitForDevice(
  login: DeviceLogin,
  name: string,
  clock: Clock,
  { terminal }: CommandCall,
): Promise<Approved> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    terminal.print(`Open ${cleanForTerminal(login.completeUrl ?? login.verificationUrl)}`);
    terminal.print(`and type this code: ${terminal.style.bold(cleanForTerminal(login.userCode))}`);
    terminal.print(`It is good for ${formatDuration(login.expiresAt - clock.now())}. Waiting …`);
    const outcome = await login.wait(stop.signal);
    if (outcome.kind === "approved") return outcome.answer;
    throw new CommandFailure("other", sentenceFor(outcome.kind, name), { fix: NEW_CODE });
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function sentenceFor(kind: "denied" | "expired" | "aborted", name: string): string {
  if (kind === "denied") return `The login was refused at ${name}.`;
  return kind === "expired" ? "The code is too old: nobody typed it in." : "The login was called off.";
}
