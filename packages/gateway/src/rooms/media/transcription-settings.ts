// Lists the ways to write down what was said, in the order they are tried. Pure.

/** What a kind of media and each of its models can set; the model's own word counts more. */
interface Tuning {
  readonly maxChars?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly prompt?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly language?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An entry of `tools.media.models` or `tools.media.audio.models`. */
interface TranscriptionModel extends Tuning {
  readonly type?: "provider" | "cli" | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly profile?: string | undefined;
  readonly preferredProfile?: string | undefined;
}

export interface TranscriptionSettings {
  /** `tools.media.audio`. */
  readonly audio?:
    | (Tuning & {
        readonly enabled?: boolean | undefined;
        readonly models?: readonly TranscriptionModel[] | undefined;
      })
    | undefined;
  /** `tools.media.models`: those of them that can hear are used. */
  readonly models?: readonly TranscriptionModel[] | undefined;
  /** `audio.transcription`. */
  readonly transcription?:
    | { readonly command?: readonly string[] | undefined; readonly timeoutSeconds?: number | undefined }
    | undefined;
}

interface Limits {
  readonly maxBytes: number;
  readonly maxChars: number;
  readonly timeoutMs: number;
}

export type TranscriptionWay = Limits & { readonly label: string } & (
    | {
        readonly kind: "http";
        readonly provider: string;
        readonly model: string;
        readonly profile?: string;
        readonly baseUrl?: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly language?: string;
        readonly prompt?: string;
      }
    | { readonly kind: "command"; readonly argv: readonly string[]; readonly prompt?: string }
    /** Configured in a way that cannot work. */
    | { readonly kind: "unusable"; readonly why: string }
  );

/** Providers that speak OpenAI's way of transcribing, with a model that is fit for voice notes. */
export const KNOWN_PROVIDERS: Readonly<Record<string, { readonly baseUrl: string; readonly model: string }>> = {
  openai: { baseUrl: "https://api.openai.com/v1", model: "gpt-4o-mini-transcribe" },
  groq: { baseUrl: "https://api.groq.com/openai/v1", model: "whisper-large-v3-turbo" },
  mistral: { baseUrl: "https://api.mistral.ai/v1", model: "voxtral-mini-latest" },
};

const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_SECONDS = 60;

export function listWays(settings: TranscriptionSettings): {
  /** Nothing is configured: these are what one could try with the credentials that happen to be there. */
  readonly isGuess: boolean;
  readonly ways: readonly TranscriptionWay[];
} {
  const shared = (settings.models ?? []).filter(({ capabilities }) => capabilities?.includes("audio"));
  const models = [...(settings.audio?.models ?? []), ...shared];
  const { command, timeoutSeconds } = settings.transcription ?? {};
  const [file = "", ...args] = command ?? [];
  if (file) models.push({ type: "cli", command: file, args, timeoutSeconds });
  const isGuess = models.length === 0;
  const tried = isGuess ? Object.keys(KNOWN_PROVIDERS).map((provider) => ({ provider })) : models;
  return { isGuess, ways: tried.map((model) => toWay(model, settings.audio ?? {})) };
}

function toWay(model: TranscriptionModel, audio: Tuning): TranscriptionWay {
  const { command = "", args = [] } = model;
  const limits: Limits = {
    maxBytes: model.maxBytes ?? audio.maxBytes ?? MAX_BYTES,
    maxChars: model.maxChars ?? audio.maxChars ?? Infinity,
    timeoutMs: (model.timeoutSeconds ?? audio.timeoutSeconds ?? TIMEOUT_SECONDS) * 1000,
  };
  const prompt = model.prompt ?? audio.prompt;
  const said = prompt ? { prompt } : {};
  if (model.type === "cli" || (!model.provider && command)) {
    if (!command) return { ...limits, label: "command", kind: "unusable", why: "no command is set" };
    return { ...limits, ...said, label: command, kind: "command", argv: [command, ...args] };
  }
  return { ...limits, ...said, ...toHttpWay(model, audio) };
}

type HttpOrNot<W = TranscriptionWay> = W extends { kind: "http" | "unusable" } ? Omit<W, keyof Limits> : never;

function toHttpWay(model: TranscriptionModel, audio: Tuning): HttpOrNot {
  const provider = model.provider?.toLowerCase() ?? "";
  const name = model.model ?? KNOWN_PROVIDERS[provider]?.model;
  const label = name ? `${provider}/${name}` : provider || "model";
  if (!provider) return { label, kind: "unusable", why: "neither a provider nor a command is set" };
  if (!name) return { label, kind: "unusable", why: "no model is set" };
  const profile = model.profile ?? model.preferredProfile;
  const baseUrl = model.baseUrl ?? audio.baseUrl;
  const language = model.language ?? audio.language;
  return {
    kind: "http",
    label,
    provider,
    model: name,
    headers: { ...audio.headers, ...model.headers },
    ...(profile ? { profile } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    ...(language ? { language } : {}),
  };
}
