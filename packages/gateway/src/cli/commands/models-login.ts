// `chela models auth login`: opens a provider's sign-in in the browser, takes the code that comes back, and stores the tokens.
import { createServer, type Server } from "node:http";
import { GatewayError } from "@chela/sdk";
import { createHttpFetch } from "../../base/http-fetch.ts";
import { findProvider } from "../../models/catalog.ts";
import {
  beginSignIn,
  finishSignIn,
  readReturned,
  SIGN_INS,
  type BegunSignIn,
  type SignIn,
  type SignInParts,
} from "../../models/providers/oauth-sign-in.ts";
import { commandClock } from "../command-clock.ts";
import { CommandFailure, usageFailure } from "../command-failure.ts";
import type { CommandCall } from "../command-spec.ts";
import { cleanForTerminal, wrapText } from "../layout.ts";
import { authParts, chooseProfileId, storeProfile, withAgent } from "../models-credentials.ts";
import { readSecret, type TypedInput } from "../secret-input.ts";

export interface LoginParts extends Partial<SignInParts> {
  readonly input?: TypedInput;
  /** Other places to sign in than the known ones. */
  readonly signIns?: readonly SignIn[];
}

const WIDTH = 80;
const AGAIN = "Nothing was stored. Run the command again.";

export async function run(call: CommandCall, parts: LoginParts = {}): Promise<number> {
  const signIn = chooseSignIn(call, parts.signIns ?? SIGN_INS);
  const fetch = parts.fetch ?? createHttpFetch();
  const trading: SignInParts = { clock: commandClock, ...parts, fetch };
  const id = chooseProfileId(signIn.provider, call.flags.text("profile-id"), "default");
  return withAgent(call, async (place) => {
    const begun = beginSignIn(signIn);
    const code = await waitForCode(begun, call, parts.input ?? authParts().input);
    await storeProfile(place, id, await finish(begun, code, trading), call);
    if (signIn.settings && !findProvider(place.config, signIn.provider)) tellSettings(signIn, call);
  }).finally(() => fetch.close());
}

function chooseSignIn({ flags }: CommandCall, signIns: readonly SignIn[]): SignIn {
  const typed = flags.text("provider")?.trim().toLowerCase() ?? "";
  const found = signIns.find(({ provider }) => provider === typed);
  if (found) return found;
  const all = signIns.map(({ provider }) => provider).join(", ");
  const fix = wrapText(
    `One can sign in at: ${all}. GitHub Copilot: chela models auth login-github-copilot. Others take a key: chela models auth add.`,
    WIDTH,
  );
  throw usageFailure(
    typed === "" ? "Which provider? Add --provider <name>." : `There is no sign-in for "${typed}".`,
    fix,
  );
}

/** Which models there are changes often: the person names them. */
function tellSettings({ provider, settings }: SignIn, { terminal }: CommandCall): void {
  terminal.note("Its models are still to be named, for example:");
  terminal.note(`chela config set models.providers.${provider} '${JSON.stringify(settings)}'`);
}

async function finish(begun: BegunSignIn, code: string, parts: SignInParts) {
  try {
    return await finishSignIn(begun, code, parts);
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    const why = error.code === "MODEL_NETWORK" ? `${error.detail} cannot be reached` : error.detail;
    throw new CommandFailure("other", `The sign-in did not work: ${cleanForTerminal(why)}.`, { fix: AGAIN });
  }
}

/** Whichever comes first: the browser comes back to this machine, or the person pastes what it shows. */
async function waitForCode(begun: BegunSignIn, { terminal }: CommandCall, input: TypedInput): Promise<string> {
  const { signIn, url } = begun;
  const door = signIn.comesBack ? await openDoor(begun) : undefined;
  if (signIn.note) terminal.note(wrapText(signIn.note, WIDTH));
  terminal.print(`Open this address in a browser, and sign in at ${signIn.name}:\n${url}`);
  if (signIn.comesBack) {
    terminal.print("The browser comes back here by itself. When it runs on another machine, the");
    terminal.print("page it ends at does not load: copy the address of that page.");
  }
  try {
    const pasted = readSecret("code or the address", { terminal, input }).then((typed) => take(typed.reveal(), begun));
    return await (door ? Promise.race([door.code, pasted]) : pasted);
  } finally {
    door?.close();
    // Nobody needs to type any more: what waits for it does not keep the program.
    input.pause();
  }
}

function take(text: string, begun: BegunSignIn): string {
  const read = readReturned(text, begun);
  if (read.kind === "code") return read.code;
  throw new CommandFailure("other", `This cannot be used: ${cleanForTerminal(read.why)}.`, { fix: AGAIN });
}

interface Door {
  readonly code: Promise<string>;
  close(): void;
}

/** Undefined when the port is taken: then only pasting is left. */
function openDoor(begun: BegunSignIn): Promise<Door | undefined> {
  const { port, pathname } = new URL(begun.signIn.redirectUri);
  return new Promise((resolve) => {
    const arrival = Promise.withResolvers<string>();
    const server: Server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", begun.signIn.redirectUri);
      const read = url.pathname === pathname ? readReturned(url.href, begun) : undefined;
      response.writeHead(read?.kind === "code" ? 200 : 400, { "content-type": "text/plain; charset=utf-8" });
      response.end(
        read?.kind === "code" ? "Signed in. You can close this page." : "This is no sign-in that was asked for.",
      );
      // Whatever else knocks is no reason to give up.
      if (read?.kind === "code") arrival.resolve(read.code);
    });
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    server.once("error", () => resolve(undefined));
    server.listen(Number(port), "127.0.0.1", () => resolve({ code: arrival.promise, close }));
  });
}
