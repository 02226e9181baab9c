// Finds and loads channels that come in npm packages of their own: `chela-channel-<id>`, installed beside the gateway.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { GatewayError, type Channel } from "@chela/sdk";

const fromHere = createRequire(import.meta.url);
const NAME = /^chela-channel-([a-z][a-z0-9-]*)$/;

interface ChannelPackage {
  readonly id: string;
  readonly name: string;
}

/** Where Node looks for packages: in the folders around this program, and in those of NODE_PATH. */
export function foundPackages(): ChannelPackage[] {
  const folders = fromHere.resolve.paths("chela-channel-any") ?? [];
  const names = folders.flatMap((folder) => [
    ...namesIn(folder),
    ...namesIn(folder)
      .filter((name) => name.startsWith("@"))
      .flatMap((scope) => namesIn(join(folder, scope)).map((name) => `${scope}/${name}`)),
  ]);
  return [...new Set(names)].flatMap((name) => {
    const id = NAME.exec(name.split("/").at(-1) ?? "")?.[1];
    return id === undefined ? [] : [{ id, name }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function isInstalled(name: string): boolean {
  return placeOf(name) !== undefined;
}

function placeOf(name: string): string | undefined {
  try {
    return fromHere.resolve(name);
  } catch {
    return undefined;
  }
}

/** At once, for whoever reads a configuration. Undefined when it is not there or cannot be loaded: loading it says why. */
export function requirePackage(name: string): Channel | undefined {
  const place = placeOf(name);
  try {
    return place === undefined ? undefined : channelOf(fromHere(place), name);
  } catch {
    return undefined;
  }
}

/** Throws CHANNEL_PACKAGE. */
export async function loadPackage(name: string): Promise<Channel> {
  const place = placeOf(name);
  if (place === undefined) throw new GatewayError("CHANNEL_PACKAGE", `npm install ${name}`);
  // The name is a variable on purpose: a bundler must leave it for the time when it is needed.
  const url = pathToFileURL(place).href;
  return channelOf(await import(url), name);
}

function channelOf(exported: unknown, name: string): Channel {
  const { channel } = exported as { readonly channel?: Channel };
  if (channel?.id !== undefined) return channel;
  throw new GatewayError("CHANNEL_PACKAGE", `${name} exports no channel`);
}
