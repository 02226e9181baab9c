// The model of each service where the owner named none.

export type RemoteProvider = "openai" | "gemini" | "voyage" | "mistral";

const MODELS: Readonly<Record<RemoteProvider, string>> = {
  openai: "text-embedding-3-small",
  gemini: "gemini-embedding-001",
  voyage: "voyage-4-large",
  mistral: "mistral-embed",
};

export function defaultRemoteModel(provider: RemoteProvider): string {
  return MODELS[provider];
}
