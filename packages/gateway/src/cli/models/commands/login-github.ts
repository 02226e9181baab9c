// `chela models auth login-github-copilot`: shows a code that is typed in at GitHub, waits, and stores what comes of it.
import { defined } from "@chela/sdk/base";
import { Secret, GatewayError, type Clock } from "@chela/sdk";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { createHttpFetch, type HttpFetch } from "@chela/sdk/http";
import type { NewProfile } from "../../../rooms/models/room.ts";
import { githubAddresses } from "../../../rooms/models/providers/sign-in/github-addresses.ts";
import { startGithubDeviceLogin } from "../../../rooms/models/providers/sign-in/github-device-login.ts";
import { commandClock } from "../../offline/command-clock.ts";
import { NEW_CODE, waitForDevice } from "../wait-for-device.ts";
import { cleanForTerminal } from "../../../base/terminal/layout.ts";
import { chooseProfileId, storeProfile, withAgent } from "../models-credentials.ts";

export interface LoginParts {
  readonly clock: Clock;
  readonly fetch: HttpFetch;
  /** Another GitHub than the public one or that of --enterprise-url. */
  readonly siteUrl?: string;
}

const PROVIDER = "github-copilot";

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
      ...defined({ enterpriseUrl }),
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

async function logIn(parts: LoginParts, call: CommandCall): Promise<Secret> {
  try {
    const login = await startGithubDeviceLogin(parts);
    return new Secret((await waitForDevice(login, "GitHub", parts.clock, call)).access_token);
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    const why = error.code === "MODEL_NETWORK" ? `${error.detail} cannot be reached` : error.detail;
    throw new CommandFailure("other", `The login did not work: ${cleanForTerminal(why)}.`, { fix: NEW_CODE });
  }
}
