// Puts the parts of the room together; what is heavy is loaded when it is first needed.
import { OneAtATime } from "@chela/sdk";
import { AtMost } from "./at-most.ts";
import { createHandles } from "./handles.ts";
import type { ImageLibrary } from "./image-library.ts";
import { createMediaStore, type MediaHouse, type MediaStore, type MediaStoreParts } from "./media-store.ts";
import type { ImageLimits, ShownImage } from "./show-image.ts";
import type { StoredMedia } from "./stored-media.ts";
import type { Listener, Transcript, TranscriptionParts } from "./transcribe.ts";
import type { TranscriptionSettings } from "./transcription-settings.ts";

export interface MediaParts extends MediaStoreParts, TranscriptionParts {
  /** How many voice notes are transcribed at a time; 2 unless told otherwise. */
  readonly concurrency?: number;
  /** For tests: another way to get the library that scales pictures. */
  readonly loadImages?: () => Promise<ImageLibrary | undefined>;
}

export interface Media extends MediaStore {
  /** A name for a kept file that a reply of this session may use: `media:<id>.<mac>`. */
  mintHandle(sessionKey: string, mediaId: string): string;
  /** Only what was minted for this very session leads to a file; paths, addresses and the like never do. */
  resolveHandle(sessionKey: string, handle: string): Promise<StoredMedia | undefined>;
  /** 1200 pixels and 5 MB unless told otherwise. Rejects only when the file cannot be read. */
  forModel(media: StoredMedia, limits?: Partial<ImageLimits>): Promise<ShownImage>;
  /** Rejects with an AbortError only. */
  transcribe(media: StoredMedia, settings: TranscriptionSettings, listener: Listener): Promise<Transcript>;
}

const IMAGE_LIMITS: ImageLimits = { maxDimension: 1200, maxBytes: 5 * 1024 * 1024 };
const CONCURRENCY = 2;

/** Touches no file until something is asked of it. */
export function createMedia(house: MediaHouse, parts: MediaParts): Media {
  const store = createMediaStore(house, parts);
  const handles = createHandles(house);
  // A decoded picture can be large: one after another.
  const pictures = new OneAtATime();
  const voices = new AtMost(parts.concurrency ?? CONCURRENCY);
  let library: Promise<ImageLibrary | undefined> | undefined;
  const load = (): Promise<ImageLibrary | undefined> => (library ??= (parts.loadImages ?? loadImages)());

  return {
    take: (stream, options) => store.take(stream, options),
    find: (id) => store.find(id),
    open: (id) => store.open(id),
    sweep: (now) => store.sweep(now),
    mintHandle: (sessionKey, mediaId) => handles.mint(sessionKey, mediaId),
    async resolveHandle(sessionKey, handle) {
      const id = handles.read(sessionKey, handle);
      return id === undefined ? undefined : await store.find(id);
    },
    async forModel(media, limits) {
      const { showImage } = await import("./show-image.ts");
      return await pictures.run("picture", () => showImage(media, { ...IMAGE_LIMITS, ...limits }, load));
    },
    async transcribe(media, settings, listener) {
      const { transcribe } = await import("./transcribe.ts");
      return await voices.run(() => transcribe(media, settings, listener, house, parts));
    },
  };
}

async function loadImages(): Promise<ImageLibrary | undefined> {
  const { loadImageLibrary } = await import("./image-library.ts");
  return await loadImageLibrary();
}
