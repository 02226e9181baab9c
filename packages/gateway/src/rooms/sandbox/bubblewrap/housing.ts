// The private folder of one start of bubblewrap: its arguments, its filter, and the channel to the inside.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "./private-folders.ts";
import { PIPES_FOLDER } from "./warden-script.ts";

export interface Housing {
  /** All that the inside sees of it, read-only. */
  readonly channel: string;
  /** A part of the channel. */
  readonly pipes: string;
  readonly argumentsFile: string;
  readonly filterFile: string;
  isThere(): boolean;
  remove(): void;
}

/** Nobody but the gateway's user gets in. */
export function makeHousing(parent: string, filter: Buffer): Housing {
  const root = makePrivateFolder(parent, "sandbox");
  const at = (name: string): string => join(root, name);
  const pipes = join(at("channel"), PIPES_FOLDER);
  mkdirSync(pipes, { recursive: true, mode: 0o755 });
  writeFileSync(at("filter"), filter, { mode: 0o600 });
  return {
    channel: at("channel"),
    pipes,
    argumentsFile: at("arguments"),
    filterFile: at("filter"),
    isThere: () => existsSync(pipes),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
