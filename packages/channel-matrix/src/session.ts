// Sign-in at the homeserver: by a token we were given, or by a login whose token and device are kept in a file.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { GatewayError, once, type ChannelHost, type Parsed } from "@chela/sdk";
import type { Api } from "./api.ts";
import type { MatrixAccount } from "./config.ts";
import { expectDone, isSoftLogout, isTokenRefused, toError } from "./failures.ts";
import { readIfThere, writePrivateFile } from "@chela/sdk/channel-kit";

export interface Session {
  readonly userId: string;
  readonly deviceId: string;
}

const Identity = once(() => z.object({ user_id: z.string(), device_id: z.string().optional() }));
const LoggedIn = once(() => z.object({ user_id: z.string(), device_id: z.string(), access_token: z.string() }));
const Kept = once(() =>
  z.object({
    homeserver: z.string(),
    userId: z.string(),
    deviceId: z.string(),
    /** Absent when it was refused, and a new one is needed for the same device. */
    token: z.string().optional(),
  }),
);

const fileOf = (host: ChannelHost): string => join(host.directory, "session.json");

export async function openSession(account: MatrixAccount, host: ChannelHost, api: Api): Promise<Session> {
  const { login } = account;
  if (login.kind === "token") {
    api.authorise(login.token.reveal());
    return identify(account, api);
  }
  const kept = await readKept(account, host);
  if (kept?.token !== undefined) {
    api.authorise(kept.token);
    const result = await api.call({ method: "GET", path: "/client/v3/account/whoami" });
    if (result.kind === "done") return { userId: kept.userId, deviceId: kept.deviceId };
    if (!isTokenRefused(result)) throw toError(result, "the homeserver does not say who we are");
    return logIn(account, host, api, login.password.reveal(), isSoftLogout(result) ? kept.deviceId : undefined);
  }
  return logIn(account, host, api, login.password.reveal(), kept?.deviceId);
}

/**
 * Forgets a token the homeserver refused in the middle of things. A device that was deleted there has lost its keys, too:
 * only after a soft logout it may be used again.
 */
export async function forgetToken(account: MatrixAccount, host: ChannelHost, keepsDevice: boolean): Promise<void> {
  const kept = await readKept(account, host);
  if (!kept) return;
  if (!keepsDevice) return rm(fileOf(host), { force: true });
  const { token: _, ...rest } = kept;
  await writePrivateFile(fileOf(host), JSON.stringify(rest));
}

async function identify(account: MatrixAccount, api: Api): Promise<Session> {
  const path = "/client/v3/account/whoami";
  const answer = expectDone(await api.call({ method: "GET", path }), "the homeserver does not accept accessToken");
  const who = Identity().safeParse(answer);
  if (!who.success) throw new GatewayError("CHANNEL_OFFLINE", "the homeserver does not answer as Matrix does");
  const { user_id, device_id } = who.data;
  if (account.userId !== undefined && account.userId !== user_id) {
    throw new GatewayError("CHANNEL_SETTINGS", `the accessToken belongs to ${user_id}, and not to ${account.userId}`);
  }
  return { userId: user_id, deviceId: device_id ?? "" };
}

async function logIn(
  account: MatrixAccount,
  host: ChannelHost,
  api: Api,
  password: string,
  deviceId: string | undefined,
): Promise<Session> {
  const result = await api.call({
    method: "POST",
    path: "/client/v3/login",
    body: {
      type: "m.login.password",
      identifier: { type: "m.id.user", user: account.userId },
      password,
      initial_device_display_name: account.deviceName,
      ...(deviceId ? { device_id: deviceId } : {}),
    },
  });
  if (result.kind === "refused" && result.status === 403) {
    throw new GatewayError("CHANNEL_AUTH", `the homeserver does not accept the password of ${account.userId}`);
  }
  const read = LoggedIn().safeParse(expectDone(result, "logging in failed"));
  if (!read.success) throw new GatewayError("CHANNEL_OFFLINE", "the homeserver does not answer as Matrix does");
  const { user_id, device_id, access_token } = read.data;
  const kept: Parsed<typeof Kept> = {
    homeserver: account.homeserver,
    userId: user_id,
    deviceId: device_id,
    token: access_token,
  };
  await writePrivateFile(fileOf(host), JSON.stringify(kept));
  api.authorise(access_token);
  return { userId: user_id, deviceId: device_id };
}

/** What was kept for another person or server is of no use. */
async function readKept(account: MatrixAccount, host: ChannelHost): Promise<Parsed<typeof Kept> | undefined> {
  const written = await readIfThere(fileOf(host));
  if (!written) return undefined;
  try {
    const kept = Kept().parse(JSON.parse(written.toString("utf8")));
    return kept.homeserver === account.homeserver && kept.userId === account.userId ? kept : undefined;
  } catch {
    host.log.warn("what was kept of the last login cannot be read; logging in anew");
    return undefined;
  }
}
