// A media room on a directory of its own, with a clock that stands still.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { createHttpFetch } from "@chela/sdk/http";
import { createIds } from "../../base/ids.ts";
import { createMedia, type Media, type MediaParts, type StoredMedia, type TakeOptions } from "./room.ts";

export interface MediaWorld extends Disposable {
  readonly media: Media;
  readonly clock: FakeClock;
  readonly stateDir: string;
  /** Ids of files that wait to be sent. */
  readonly inUse: Set<string>;
  take(content: string | Uint8Array, options?: Partial<TakeOptions>): Promise<StoredMedia>;
  /** Names of everything below media/. */
  files(): string[];
  /** The room as it is after a restart. */
  again(): Media;
}

export function openMediaWorld(options: Partial<MediaParts> = {}): MediaWorld {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-media-"));
  const clock = createFakeClock();
  const inUse = new Set<string>();
  const fetch = createHttpFetch();
  const house = { paths: { stateDir }, clock, ids: createIds() };
  const again = (): Media =>
    createMedia(house, {
      inUse: async () => inUse,
      preservesNames: () => false,
      fetch,
      environment: {},
      access: async () => undefined,
      ...options,
    });
  const media = again();
  return {
    media,
    clock,
    stateDir,
    inUse,
    again,
    take: (content, more) =>
      media.take(streamOf(content), { direction: "inbound", maxBytes: 50 * 1024 * 1024, ...more }),
    files: () =>
      readdirSync(join(stateDir, "media"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    [Symbol.dispose]() {
      fetch.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

export async function* streamOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}
