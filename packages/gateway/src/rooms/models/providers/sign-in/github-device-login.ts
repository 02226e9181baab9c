// The login at GitHub with a code, for the models of Copilot.
import { startDeviceLogin, type DeviceLogin, type DeviceLoginParts } from "./device-login.ts";
import { githubAddresses } from "./github-addresses.ts";

export interface GithubLoginOptions extends DeviceLoginParts {
  /** GitHub's site; that of an enterprise comes from `githubAddresses`. */
  readonly siteUrl?: string;
}

/** The public name of the editor extension that Copilot's API is open to. */
const CLIENT_ID = "Iv1.b507a08c87ecfe98";

export function startGithubDeviceLogin(options: GithubLoginOptions): Promise<DeviceLogin> {
  const siteUrl = options.siteUrl ?? githubAddresses().site;
  return startDeviceLogin(
    {
      name: "GitHub",
      codeUrl: `${siteUrl}/login/device/code`,
      tokenUrl: `${siteUrl}/login/oauth/access_token`,
      clientId: CLIENT_ID,
      scope: "read:user",
    },
    options,
  );
}
