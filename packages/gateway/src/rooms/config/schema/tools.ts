// `tools`: what agents may do, and how each built-in tool behaves.
import * as z from "zod";
import {
  block,
  bool,
  choice,
  count,
  inherits,
  item,
  key,
  listOf,
  numberFrom0,
  positive,
  secret,
  secretMap,
  section,
  share,
  text,
  texts,
} from "@chela/sdk/config";
import { toolPolicy } from "@chela/sdk/config";
import { agentToolShape, execShape } from "./shared.ts";

export const toolsSection = section(
  "What agents may do: which tools, which files, which commands.",
  { reload: "live" },
  () =>
    block(() => ({
      ...agentToolShape(),
      search: block(() => ({
        enabled: key(
          bool(),
          "Whether tools beyond the first few are found by searching (tool_search, tool_describe, tool_call); off: models are told of all of them, with every message.",
          { preset: true, guards: false },
        ),
        direct: key(count(), "How many tools a model is told of at once.", { preset: 24, guards: false }),
        share: key(
          share(),
          "How much of the model's window the tools it is told of may fill. The gateway's own are not held back by this, only those of MCP servers and plugins.",
          { preset: 0.1, guards: false },
        ),
      })),
      web: block(() => ({ search: webSearch(), fetch: webFetch() })),
      media: block(() => ({
        models: inherits(
          listOf(
            item(() => ({
              ...mediaModelShape(),
              capabilities: key(
                listOf(z.enum(["image", "audio", "video"])),
                "What it can take; those that can take audio write down voice notes.",
              ),
            })),
          ),
        ),
        audio: audio(),
      })),

      sessions: block(() => ({
        visibility: key(
          choice("self", "tree", "agent", "all"),
          "Which conversations an agent sees: its own (self), also those it started (tree), all of the agent's (agent), or all.",
          { preset: "tree" },
        ),
      })),
      message: block(() => ({
        allowCrossContextSend: key(bool(), "The older way to allow messages to all other chats.", { preset: false }),
        crossContext: block(() => ({
          allowWithinProvider: key(bool(), "Whether an agent may write from one chat to another of the same channel.", {
            preset: true,
          }),
          allowAcrossProviders: key(
            bool(),
            "Whether it may write to chats of other channels. Only an owner can ask for that; in OpenClaw everybody.",
            { preset: false },
          ),
          marker: block(() => ({
            enabled: key(bool(), "Whether such a message says where it comes from.", { preset: true }),
            prefix: key(text(), "What stands before it; {channel} is filled in.", { preset: "[from {channel}] " }),
            suffix: key(text(), "What stands behind it."),
          })),
        })),
        broadcast: block(() => ({
          enabled: key(bool(), "Whether an agent may send one message to several chats.", { preset: true }),
        })),
      })),
      agentToAgent: block(() => ({
        enabled: key(bool(), "Whether agents may look into each other's conversations and write to them.", {
          preset: false,
        }),
        allow: key(
          texts(),
          "The agents that may do so, both sides; * for all. Empty, as by default, is nobody; in OpenClaw it is everybody.",
          { preset: [] },
        ),
      })),
      exec: block(execShape),
      subagents: block(() => ({
        tools: toolPolicy({
          allow: "Only these tools for sub-agents; a name lifts what is denied to them by default.",
          alsoAllow: "Further tools for sub-agents.",
          deny: "Never these tools for sub-agents.",
        }),
      })),
    })),
);

const webSearch = () =>
  block(() => ({
    enabled: key(bool(), "Whether agents may search the web.", { preset: true }),
    provider: key(
      choice("brave", "perplexity", "grok", "gemini", "kimi", "searxng"),
      "Who searches. Unless it is named, the first one there is a key for.",
    ),
    apiKey: key(secret(), "Key for Brave; else BRAVE_API_KEY of the environment."),
    maxResults: key(positive(), "How many results a search brings unless the call says otherwise.", { preset: 5 }),
    timeoutSeconds: key(positive(), "How long a search may take.", { preset: 30 }),
    cacheTtlMinutes: key(numberFrom0(), "How long the same search gets the same results; 0 for not at all.", {
      preset: 15,
    }),
    perplexity: block(() => ({
      apiKey: key(
        secret(),
        "Key for Perplexity, or for OpenRouter to reach it; else PERPLEXITY_API_KEY or OPENROUTER_API_KEY.",
      ),
      baseUrl: key(text(), "Address of Perplexity's API."),
      model: key(text(), "The model of Perplexity that searches."),
    })),
    grok: block(() => ({
      apiKey: key(secret(), "Key for xAI; else XAI_API_KEY."),
      model: key(text(), "The model of xAI that searches."),
      inlineCitations: key(bool(), "Whether its answer names sources inside the text."),
    })),
    gemini: block(() => ({
      apiKey: key(secret(), "Key for Google; else GEMINI_API_KEY."),
      model: key(text(), "The model of Google that searches."),
    })),
    kimi: block(() => ({
      apiKey: key(secret(), "Key for Moonshot; else KIMI_API_KEY or MOONSHOT_API_KEY."),
      baseUrl: key(text(), "Address of Moonshot's API."),
      model: key(text(), "The model of Moonshot that searches."),
    })),
    searxng: block(() => ({
      baseUrl: key(text(), "Address of a SearXNG server of yours. A key of ours: OpenClaw does not know it."),
    })),
  }));

const webFetch = () =>
  block(() => ({
    enabled: key(bool(), "Whether agents may fetch pages.", { preset: true }),
    maxChars: key(positive(), "How much text of a page is given unless the call says otherwise.", { preset: 50_000 }),
    maxCharsCap: key(positive(), "How much it is at most, whatever the call says.", { preset: 50_000 }),
    timeoutSeconds: key(positive(), "How long a page may take.", { preset: 30 }),
    cacheTtlMinutes: key(numberFrom0(), "How long a page is kept; 0 for not at all.", { preset: 15 }),
    maxRedirects: key(count(), "How often a page may lead to another one.", { preset: 3 }),
    userAgent: key(text(), "What servers are told about who fetches."),
    firecrawl: block(() => ({
      enabled: key(
        bool(),
        "Whether pages that cannot be read directly are asked of Firecrawl, which is then told their address. On when there is a key or a baseUrl.",
      ),
      apiKey: key(secret(), "Key for Firecrawl; else FIRECRAWL_API_KEY."),
      baseUrl: key(text(), "Address of Firecrawl's API, or of a server of yours that speaks it.", {
        preset: "https://api.firecrawl.dev",
      }),
      onlyMainContent: key(bool(), "Whether menus, headers and footers are left out.", { preset: true }),
      maxAgeMs: key(count(), "How old a copy of the page may be that Firecrawl has already.", { preset: 86_400_000 }),
      timeoutSeconds: key(positive(), "How long Firecrawl may take.", { preset: 60 }),
    })),
  }));

/** What one way to write down speech and all of them have in common. */
const mediaShape = () => ({
  maxChars: key(positive(), "How much of what was said is kept, in characters."),
  maxBytes: key(positive(), "Largest recording that is sent.", { preset: 20_971_520 }),
  prompt: key(text(), "What the model is told, such as names that occur."),
  timeoutSeconds: key(positive(), "How long it may take.", { preset: 60 }),
  language: key(text(), "The language that is spoken."),

  baseUrl: key(text(), "Address of the API, such as that of a server of your own."),
  headers: key(secretMap(), "Further HTTP headers."),
});

const mediaModelShape = () => ({
  ...mediaShape(),
  provider: key(
    text(),
    "Who is asked: openai, groq, mistral, or another one that speaks OpenAI's way, with its baseUrl.",
  ),
  model: key(text(), "The model that listens."),
  type: key(choice("provider", "cli"), "Whether a provider is asked, or a program of this machine (cli)."),
  command: key(text(), "The program."),
  args: key(texts(), "Its arguments; {{MediaPath}} stands for the file."),
  profile: key(text(), "The credential it is asked with."),
  preferredProfile: key(text(), "The same, when profile is not written."),
});

const audio = () =>
  block(() => ({
    ...mediaShape(),
    enabled: key(
      bool(),
      "Whether voice notes are written down for models. Unless a way is set, with a key for OpenAI, Groq or Mistral.",
      { preset: true },
    ),
    models: inherits(listOf(item(mediaModelShape))),
  }));
