// Lists providers a person may choose from, and where each gives out its keys.
import { listProviders } from "../catalog.ts";
import type { ModelsConfigView } from "../config-view.ts";
import { isOpen } from "../known-providers.ts";

export interface ProviderChoice {
  readonly id: string;
  readonly label: string;
  readonly kind: "hosted" | "local" | "custom";
  /** Where a key can be made. */
  readonly keyUrl?: string;
  /** The environment variable that may hold the key. */
  readonly envVar?: string;
  /** The model to begin with. */
  readonly defaultModel?: string;
  /** A key is there, or the configuration names the provider. */
  readonly configured: boolean;
}

const KEY_PAGES: Readonly<Record<string, string>> = {
  anthropic: "https://console.anthropic.com/settings/keys",
  openai: "https://platform.openai.com/api-keys",
  google: "https://aistudio.google.com/apikey",
  openrouter: "https://openrouter.ai/keys",
  groq: "https://console.groq.com/keys",
  mistral: "https://console.mistral.ai/api-keys",
  xai: "https://console.x.ai",
  deepseek: "https://platform.deepseek.com/api_keys",
  moonshot: "https://platform.moonshot.ai/console/api-keys",
  zai: "https://z.ai/manage-apikey/apikey-list",
  cerebras: "https://cloud.cerebras.ai",
  together: "https://api.together.ai/settings/api-keys",
  fireworks: "https://app.fireworks.ai/settings/users/api-keys",
  minimax: "https://platform.minimax.io/user-center/basic-information/interface-key",
  qwen: "https://bailian.console.alibabacloud.com",
};

export function listProviderChoices(
  config: ModelsConfigView,
  hasCredential: (provider: string) => boolean,
): ProviderChoice[] {
  return listProviders(config).flatMap(({ id, known, configured }): ProviderChoice[] => {
    if (known?.api === "demo") return [];
    const isThere = configured !== undefined || hasCredential(id);
    // There is no key to ask for; `chela models auth login` asks for the rest.
    if (known?.signsIn && !isThere) return [];
    const keyUrl = keyPageOf(id);
    const envVar = known?.keyNames[0];
    const kind = known ? (isOpen(known) ? "local" : "hosted") : "custom";
    return [
      {
        id,
        label: known?.name ?? id,
        kind,
        ...(keyUrl ? { keyUrl } : {}),
        ...(envVar ? { envVar } : {}),
        ...(known?.defaultModel ? { defaultModel: known.defaultModel } : {}),
        configured: isThere,
      },
    ];
  });
}

export function keyPageOf(provider: string): string | undefined {
  return Object.hasOwn(KEY_PAGES, provider) ? KEY_PAGES[provider] : undefined;
}
