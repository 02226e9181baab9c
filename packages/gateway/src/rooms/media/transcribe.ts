// Writes down what was said in a voice note: tries the configured ways in order, and says why when none worked.
import type { Secret } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import type { MediaHouse } from "./media-store.ts";
import type { StoredMedia } from "./stored-media.ts";
import { transcribeByCommand } from "./transcribe-by-command.ts";
import { transcribeByHttp } from "./transcribe-by-http.ts";
import { listWays, type TranscriptionSettings, type TranscriptionWay } from "./transcription-settings.ts";

export type Transcript =
  | { readonly kind: "text"; readonly text: string }
  /** Nobody was asked. */
  | { readonly kind: "skipped"; readonly why: string }
  /** For the operator, without secrets; the sender's words are not lost, the file is still there. */
  | { readonly kind: "failed"; readonly why: string };

export interface ProviderAccess {
  readonly apiKey?: Secret | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type VoiceHouse = Pick<MediaHouse, "clock" | "ids">;

export interface TranscriptionParts {
  readonly fetch: HttpFetch;
  /** The gateway's own environment; commands get a few harmless names of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What is needed to call a provider; undefined when there is no credential for it. */
  access(question: {
    readonly provider: string;
    readonly agentId: string;
    readonly profile?: string | undefined;
  }): Promise<ProviderAccess | undefined>;
}

export interface Listener {
  readonly agentId: string;
  readonly signal?: AbortSignal | undefined;
}

/** What one way came to; "unable" leaves the question to the next. */
export type WayOutcome =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unable"; readonly why: string };

/** Never rejects, but for an AbortError. */
export async function transcribe(
  media: StoredMedia,
  settings: TranscriptionSettings,
  listener: Listener,
  house: VoiceHouse,
  parts: TranscriptionParts,
): Promise<Transcript> {
  if (media.kind !== "audio") return { kind: "skipped", why: `it is no sound (${media.mimeType})` };
  if (settings.audio?.enabled === false) return { kind: "skipped", why: "tools.media.audio.enabled is false" };
  const { clock, ids } = house;
  const { isGuess, ways } = listWays(settings);
  const failures: string[] = [];
  for (const way of ways) {
    listener.signal?.throwIfAborted();
    const access = way.kind === "http" ? await accessFor(way, isGuess, listener, parts) : undefined;
    if (isGuess && !access) continue;
    const outcome = await tryWay(way, access, media, { ...parts, clock, ids, signal: listener.signal });
    listener.signal?.throwIfAborted();
    if (outcome.kind === "text") return { kind: "text", text: shorten(outcome.text.trim(), way.maxChars) };
    failures.push(`${way.label}: ${outcome.why}`);
  }
  if (failures.length > 0) return { kind: "failed", why: failures.join("; ") };
  return { kind: "skipped", why: "no model for transcripts: set tools.media.audio.models" };
}

/** A configured address needs no credential: it may be a server of one's own. */
async function accessFor(
  way: Extract<TranscriptionWay, { kind: "http" }>,
  isGuess: boolean,
  { agentId }: Listener,
  parts: TranscriptionParts,
): Promise<ProviderAccess | undefined> {
  const { provider, profile, baseUrl } = way;
  const found = await parts.access({ provider, agentId, profile });
  return found ?? (baseUrl && !isGuess ? {} : undefined);
}

async function tryWay(
  way: TranscriptionWay,
  access: ProviderAccess | undefined,
  media: StoredMedia,
  means: TranscriptionParts & VoiceHouse & Pick<Listener, "signal">,
): Promise<WayOutcome> {
  if (media.bytes > way.maxBytes) {
    const [has, most] = [media.bytes, way.maxBytes].map((bytes) => `${Math.ceil(bytes / 1024)} KB`);
    return { kind: "unable", why: `it has ${has}, and at most ${most} are sent` };
  }
  switch (way.kind) {
    case "unusable":
      return { kind: "unable", why: way.why };
    case "command":
      return await transcribeByCommand(media, way, means);
    case "http":
      if (!access) return { kind: "unable", why: `no credential for ${way.provider}` };
      return await transcribeByHttp(media, way, { ...means, access });
  }
}

function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
