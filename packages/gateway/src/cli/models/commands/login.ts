// `chela models auth login`: signs a person in at a provider, with a browser here or anywhere, and stores the tokens.
import { createServer, type Server } from "node:http";
import { GatewayError } from "@chela/sdk";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { createHttpFetch } from "@chela/sdk/http";
import type { NewProfile } from "../../../rooms/models/room.ts";
import { startDeviceLogin } from "../../../rooms/models/providers/sign-in/device-login.ts";
import {
  beginSignIn,
  createProof,
  finishSignIn,
  readReturned,
  type BegunSignIn,
} from "../../../rooms/models/providers/sign-in/oauth-sign-in.ts";
import { readTokens, toProfile, type SignInParts } from "../../../rooms/models/providers/sign-in/sign-in-profile.ts";
import {
  SIGN_INS,
  type BrowserSignIn,
  type DeviceSignIn,
  type SignIn,
} from "../../../rooms/models/providers/sign-in/sign-ins.ts";
import { commandClock } from "../../offline/command-clock.ts";
import { waitForDevice } from "../wait-for-device.ts";
import { cleanForTerminal, wrapText } from "../../../base/terminal/layout.ts";
import { authParts, chooseProfileId, storeProfile, withAgent } from "../models-credentials.ts";
import { readSecret, type TypedInput } from "../../../base/terminal/secret-input.ts";

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
  const trading: SignInParts = { clock: commandClock, env: call.env, ...parts, fetch };
  const id = chooseProfileId(signIn.provider, call.flags.text("profile-id"), "default");
  requireAccepted(signIn, call);
  return withAgent(call, async (place) => {
    if (signIn.note) call.terminal.note(wrapText(signIn.note, WIDTH));
    const profile =
      signIn.kind === "device"
        ? await signInByCode(signIn, call, trading)
        : await signInByBrowser(signIn, call, trading, parts.input ?? authParts().input);
    await storeProfile(place, id, profile, call);
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

function requireAccepted({ name, risk }: SignIn, { flags }: CommandCall): void {
  if (risk === undefined || flags.has("accept-risk")) return;
  throw usageFailure(
    `Signing in at ${name} this way is a risk for the account.`,
    wrapText(`${risk} To sign in all the same, add --accept-risk.`, WIDTH),
  );
}

async function signInByBrowser(
  signIn: BrowserSignIn,
  call: CommandCall,
  parts: SignInParts,
  input: TypedInput,
): Promise<NewProfile> {
  const begun = beginSignIn(signIn);
  const code = await waitForCode(begun, call, input);
  return told(() => finishSignIn(begun, code, parts));
}

async function signInByCode(signIn: DeviceSignIn, call: CommandCall, parts: SignInParts): Promise<NewProfile> {
  return told(async () => {
    const { codeUrl = signIn.codeUrl, tokenUrl = signIn.tokenUrl } = parts;
    const login = await startDeviceLogin({ ...signIn, codeUrl, tokenUrl, proof: createProof() }, parts);
    const answer = await waitForDevice(login, signIn.name, parts.clock, call);
    return toProfile(signIn, readTokens(answer, signIn.name), parts);
  });
}

/** What the provider does not let us do, as a sentence for the person. */
async function told(work: () => Promise<NewProfile>): Promise<NewProfile> {
  try {
    return await work();
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    const why = error.code === "MODEL_NETWORK" ? `${error.detail} cannot be reached` : error.detail;
    throw new CommandFailure("other", wrapText(`The sign-in did not work: ${cleanForTerminal(why)}.`, WIDTH), {
      fix: AGAIN,
    });
  }
}

/** Whichever comes first: the browser comes back to this machine, or the person pastes what it shows. */
async function waitForCode(begun: BegunSignIn, { terminal }: CommandCall, input: TypedInput): Promise<string> {
  const { signIn, url } = begun;
  const door = signIn.comesBack ? await openDoor(begun) : undefined;
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
  if (read.kind === "ended") throw endedBy(read.why, begun.signIn);
  throw new CommandFailure("other", `This cannot be used: ${cleanForTerminal(read.why)}.`, { fix: AGAIN });
}

function endedBy(why: string, { name }: SignIn): CommandFailure {
  const says =
    why === "access_denied"
      ? `The sign-in was refused at ${name}.`
      : `${name} ended the sign-in with "${cleanForTerminal(why)}".`;
  return new CommandFailure("other", says, { fix: AGAIN });
}

interface Door {
  readonly code: Promise<string>;
  close(): void;
}

const PAGES = {
  code: [200, "Signed in. You can close this page."],
  ended: [200, "Not signed in. You can close this page."],
  wrong: [400, "This is no sign-in that was asked for."],
} as const;

/** Undefined when the port is taken: then only pasting is left. */
function openDoor(begun: BegunSignIn): Promise<Door | undefined> {
  const { port, pathname } = new URL(begun.signIn.redirectUri);
  return new Promise((resolve) => {
    const arrival = Promise.withResolvers<string>();
    const server: Server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", begun.signIn.redirectUri);
      const read = url.pathname === pathname ? readReturned(url.href, begun) : undefined;
      const [status, page] = PAGES[read?.kind ?? "wrong"];
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(page);
      // Whatever else knocks is no reason to give up: only who knows the state may end it.
      if (read?.kind === "code") arrival.resolve(read.code);
      if (read?.kind === "ended") arrival.reject(endedBy(read.why, begun.signIn));
    });
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    server.once("error", () => resolve(undefined));
    server.listen(Number(port), "127.0.0.1", () => resolve({ code: arrival.promise, close }));
  });
}
