// `chela models auth login-github-copilot`: shows a code that is typed in at GitHub, waits, and stores what comes of it.
import { Secret, GatewayError, type Clock } from "@chela/sdk";
import { createHttpFetch, type HttpFetch } from "../../base/http-fetch.ts";
import type { NewProfile } from "../../models/room.ts";
import { githubAddresses } from "../../models/providers/github-addresses.ts";
import { startGithubDeviceLogin } from "../../models/providers/github-device-login.ts";
import { commandClock } from "../command-clock.ts";
import { CommandFailure, usageFailure } from "../command-failure.ts";
import type { CommandCall } from "../command-spec.ts";
import { cleanForTerminal, formatDuration } from "../layout.ts";
import { chooseProfileId, storeProfile, withAgent } from "../models-credentials.ts";

export interface LoginParts {
  readonly clock: Clock;
  readonly fetch: HttpFetch;
  /** Another GitHub than the public one or that of --enterprise-url. */
  readonly siteUrl?: string;
}

const PROVIDER = "github-copilot";
const AGAIN = "Nothing was stored. Run the command again for a new code.";

export async function run(call: CommandCall, parts?: LoginParts): Promise<number> {
  const enterpriseUrl = readEnterprise(call);
  const { clock, fetch, siteUrl } = parts ?? { clock: commandClock, fetch: createHttpFetch() };
  const id = chooseProfileId(PROVIDER, call.flags.text("profile-id"), "github");
  const site = siteUrl ?? githubAddresses(enterpriseUrl).site;
  return withAgent(call, async (place) => {
    const token = await logIn({ clock, fetch, siteUrl: site }, call);
    const profile: NewProfile = {
      type: "token",
      provider: PROVIDER,
      token,
      ...(enterpriseUrl === undefined ? {} : { enterpriseUrl }),
    };
    await storeProfile(place, id, profile, call);
  }).finally(() => fetch.close());
}

function readEnterprise({ flags }: CommandCall): string | undefined {
  const typed = flags.text("enterprise-url")?.trim();
  if (typed === undefined) return undefined;
  const { site } = githubAddresses(typed);
  if (typed !== "" && URL.canParse(site)) return new URL(site).host;
  throw usageFailure(`--enterprise-url "${typed}" is no address.`, "Write it as acme.ghe.com.");
}

async function logIn(parts: LoginParts, { terminal }: CommandCall): Promise<Secret> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    const login = await startGithubDeviceLogin(parts);
    terminal.print(`Open ${cleanForTerminal(login.verificationUrl)}`);
    terminal.print(`and type this code: ${terminal.style.bold(cleanForTerminal(login.userCode))}`);
    terminal.print(`It is good for ${formatDuration(login.expiresAt - parts.clock.now())}. Waiting …`);
    const outcome = await login.wait(stop.signal);
    if (outcome.kind === "approved") return new Secret(outcome.token);
    throw new CommandFailure("other", SENTENCES[outcome.kind], { fix: AGAIN });
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    const why = error.code === "MODEL_NETWORK" ? `${error.detail} cannot be reached` : error.detail;
    throw new CommandFailure("other", `The login did not work: ${cleanForTerminal(why)}.`, { fix: AGAIN });
  } finally {
    process.off("SIGINT", interrupt);
  }
}

const SENTENCES = {
  denied: "The login was refused at GitHub.",
  expired: "The code is too old: nobody typed it in.",
  aborted: "The login was called off.",
} as const;
