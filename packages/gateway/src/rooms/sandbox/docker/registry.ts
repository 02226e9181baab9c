// Remembers when containers were used, in a file of OpenClaw's shape. What is missing or damaged there costs nothing but that memory.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { once, type Clock, type Logger, type Parsed } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { parseJson } from "@chela/sdk/base";

export interface ContainerRegistry {
  lastUsedAt(name: string): number | undefined;
  note(entry: Omit<RegistryEntry, "lastUsedAtMs" | "backendId">): void;
  /** It is in use. Written down at most twice a minute. */
  touch(name: string): void;
  forget(name: string): void;
}

const Entry = once(() =>
  z.object({
    containerName: z.string(),
    sessionKey: z.string(),
    createdAtMs: z.number(),
    lastUsedAtMs: z.number(),
    image: z.string(),
    configHash: z.string().optional(),
    backendId: z.string().optional(),
  }),
);
const Registry = once(() => z.object({ entries: z.array(z.unknown()) }));

type RegistryEntry = Parsed<typeof Entry>;

const WRITE_EVERY_MS = 30_000;

export function openRegistry(parts: {
  readonly stateDir: string;
  readonly backendId: string;
  readonly clock: Clock;
  readonly log: Logger;
}): ContainerRegistry {
  const { clock, backendId, log } = parts;
  const path = join(parts.stateDir, "sandbox", "containers.json");
  const used = new Map<string, { at: number; writtenAt: number }>();
  /** Read and written in one go: other backends of this gateway keep theirs in the same file. */
  const change = (edit: (entries: RegistryEntry[]) => RegistryEntry[]): void => {
    try {
      writeFileAtomic(path, `${JSON.stringify({ entries: edit(readEntries(path, log)) }, null, 2)}\n`);
    } catch (error) {
      log.warn("when a sandbox was used cannot be written down", { path, errno: errnoOf(error) });
    }
  };
  return {
    lastUsedAt(name) {
      const known = used.get(name)?.at;
      return known ?? readEntries(path, log).find(({ containerName }) => containerName === name)?.lastUsedAtMs;
    },
    note(entry) {
      const now = clock.now();
      used.set(entry.containerName, { at: now, writtenAt: now });
      change((entries) => [
        ...entries.filter(({ containerName }) => containerName !== entry.containerName),
        { ...entry, lastUsedAtMs: now, backendId },
      ]);
    },
    touch(name) {
      const now = clock.now();
      const writtenAt = used.get(name)?.writtenAt ?? 0;
      const isDue = now - writtenAt >= WRITE_EVERY_MS;
      used.set(name, { at: now, writtenAt: isDue ? now : writtenAt });
      if (!isDue) return;
      change((entries) => entries.map((one) => (one.containerName === name ? { ...one, lastUsedAtMs: now } : one)));
    },
    forget(name) {
      used.delete(name);
      change((entries) => entries.filter(({ containerName }) => containerName !== name));
    },
  };
}

function readEntries(path: string, log: Logger): RegistryEntry[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") log.warn("the list of sandboxes cannot be read", { path, errno: errnoOf(error) });
    return [];
  }
  const parsed = Registry().safeParse(parseJson(text));
  if (!parsed.success) return [];
  return parsed.data.entries.flatMap((entry) => {
    const read = Entry().safeParse(entry);
    return read.success ? [read.data] : [];
  });
}
