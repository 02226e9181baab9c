// Connects a command to its gateway: finds it, tries the credentials there are, and explains a refusal.
import { CommandFailure, timeoutOf } from "@chela/sdk/command-line";
import type { HelloOk, MethodAnswer, MethodName, WrittenParams } from "@chela/sdk/protocol";
import { forgetDeviceToken, keepDeviceToken, openOwnDevice, readDeviceToken, type OwnDevice } from "./device-proof.ts";
import { findGateway, type GatewayAddress } from "./gateway-address.ts";
import type { Caller } from "./gateway-caller.ts";
import { GatewayConnection, type ConnectOptions } from "./gateway-connection.ts";

export interface GatewayClient {
  readonly connection: GatewayConnection;
  readonly hello: HelloOk;
  readonly url: string;
}

export async function connectGateway(call: Caller, timeoutMs = timeoutOf(call)): Promise<GatewayClient> {
  return connectTo(await findGateway(call), timeoutMs);
}

/** One request over a connection of its own: what most commands need. */
export async function callGateway<M extends MethodName>(
  call: Caller,
  method: M,
  params?: WrittenParams<M>,
): Promise<MethodAnswer<M>> {
  const timeoutMs = timeoutOf(call);
  const { connection } = await connectGateway(call, timeoutMs);
  try {
    return await connection.request(method, params, { timeoutMs });
  } finally {
    connection.close();
  }
}

export async function connectTo(address: GatewayAddress, timeoutMs: number): Promise<GatewayClient> {
  let device: Promise<OwnDevice> | undefined;
  const own = (): Promise<OwnDevice> => (device ??= openOwnDevice(address.stateDir));
  let absent: unknown;
  for (const url of address.urls) {
    try {
      const client = await tryCredentials(address, {
        url,
        timeoutMs,
        isLocal: address.isLocal,
        device: own,
        tlsFingerprint: address.tlsFingerprint,
      });
      const { auth } = client.hello;
      if (auth && address.mayUseDeviceToken) await keepDeviceToken(address.stateDir, (await own()).deviceId, auth);
      return client;
    } catch (error) {
      if (!CommandFailure.is(error) || error.kind !== "no-gateway") throw explainRefusal(error, address);
      absent = error;
    }
  }
  throw absent;
}

async function tryCredentials(address: GatewayAddress, options: Omit<ConnectOptions, "auth">): Promise<GatewayClient> {
  let refusal: unknown;
  for (const auth of address.credentials) {
    try {
      return { ...(await GatewayConnection.open({ ...options, auth })), url: options.url };
    } catch (error) {
      if (!isWrongCredential(error)) throw error;
      refusal ??= error;
    }
  }
  const device = address.mayUseDeviceToken ? await options.device() : undefined;
  const deviceToken = device && readDeviceToken(address.stateDir, device.deviceId);
  if (!device || deviceToken === undefined) throw refusal;
  try {
    return { ...(await GatewayConnection.open({ ...options, auth: { deviceToken } })), url: options.url };
  } catch (error) {
    if (CommandFailure.is(error) && error.message.includes("device token mismatch")) {
      await forgetDeviceToken(address.stateDir, device.deviceId);
    }
    throw isWrongCredential(error) ? refusal : error;
  }
}

function codeOf(error: unknown): string {
  if (!CommandFailure.is(error) || error.kind !== "refused") return "";
  return String((error.details as { code?: unknown } | undefined)?.code ?? "");
}

function isWrongCredential(error: unknown): boolean {
  return /^AUTH_(TOKEN|PASSWORD|DEVICE_TOKEN)_/.test(codeOf(error));
}

/** The gateway's own words, and what to type. */
function explainRefusal(error: unknown, address: GatewayAddress): unknown {
  if (!CommandFailure.is(error) || error.kind !== "refused" || error.details === undefined) return error;
  return new CommandFailure("refused", `The gateway refused: ${error.message}`, {
    fix: error.fix ?? adviceFor(codeOf(error), address),
    details: error.details,
  });
}

function adviceFor(code: string, { isLocal }: GatewayAddress): string | undefined {
  if (code.startsWith("AUTH_PASSWORD")) return "Add --password, or set OPENCLAW_GATEWAY_PASSWORD.";
  if (code === "AUTH_RATE_LIMITED") return "Wait a few minutes and try again.";
  if (!code.startsWith("AUTH_")) return undefined;
  return isLocal
    ? "Add --token with the token the gateway was started with; `chela doctor` shows where it is looked for."
    : "Add --token with the token of that gateway (gateway.auth.token there), or run: chela config set gateway.remote.token <token>";
}
