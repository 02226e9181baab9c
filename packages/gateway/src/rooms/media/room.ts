// The media room owns files that come with messages and go out with replies: in media/inbound and media/outbound, by their
// content. It tells what they are, shows pictures to models, writes down voice notes, and mints the only names a reply can
// send a file by.
export { inboundNote, transcriptBody, type AttachedMedia } from "./inbound-note.ts";
export { createMedia, type Media, type MediaParts } from "./media.ts";
export type { TakeOptions } from "./media-store.ts";
export type { ShownImage } from "./show-image.ts";
export { isMediaId, mediaIdOf, refOf, type StoredMedia } from "./stored-media.ts";
export type { ProviderAccess, Transcript } from "./transcribe.ts";
export type { TranscriptionSettings } from "./transcription-settings.ts";
