// `tools`: what agents may do, and how each built-in tool behaves.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  item,
  listOf,
  mapOf,
  numberFrom0,
  positive,
  secret,
  secretMap,
  text,
  texts,
} from "./leaf.ts";
import { agentToolShape, execShape, scopeRules, toolPolicy } from "./shared.ts";

export const toolsSection = once(() =>
  block(() => ({
    ...agentToolShape(),
    web: block(() => ({ search: webSearch(), fetch: webFetch() })),
    media: block(() => ({
      models: listOf(mediaModel()),
      concurrency: positive(),
      image: mediaKind(),
      audio: mediaKind(),
      video: mediaKind(),
    })),
    links: block(() => ({
      enabled: bool(),
      scope: scopeRules(),
      maxLinks: positive(),
      timeoutSeconds: positive(),
      models: listOf(
        item(() => ({
          type: choice("cli"),
          command: z.string().min(1),
          args: texts(),
          timeoutSeconds: positive(),
        })),
      ),
    })),
    sessions: block(() => ({ visibility: choice("self", "tree", "agent", "all") })),
    message: block(() => ({
      allowCrossContextSend: bool(),
      crossContext: block(() => ({
        allowWithinProvider: bool(),
        allowAcrossProviders: bool(),
        marker: block(() => ({ enabled: bool(), prefix: text(), suffix: text() })),
      })),
      broadcast: block(() => ({ enabled: bool() })),
    })),
    agentToAgent: block(() => ({ enabled: bool(), allow: texts() })),
    exec: block(execShape),
    subagents: block(() => ({ tools: toolPolicy() })),
  })),
);

const webSearch = () =>
  block(() => ({
    enabled: bool(),
    provider: choice("brave", "perplexity", "grok", "gemini", "kimi", "searxng"),
    apiKey: secret(),
    maxResults: positive(),
    timeoutSeconds: positive(),
    cacheTtlMinutes: numberFrom0(),
    perplexity: block(() => ({ apiKey: secret(), baseUrl: text(), model: text() })),
    grok: block(() => ({ apiKey: secret(), model: text(), inlineCitations: bool() })),
    gemini: block(() => ({ apiKey: secret(), model: text() })),
    kimi: block(() => ({ apiKey: secret(), baseUrl: text(), model: text() })),
    searxng: block(() => ({ baseUrl: text() })),
  }));

const webFetch = () =>
  block(() => ({
    enabled: bool(),
    maxChars: positive(),
    maxCharsCap: positive(),
    timeoutSeconds: positive(),
    cacheTtlMinutes: numberFrom0(),
    maxRedirects: count(),
    userAgent: text(),
    firecrawl: block(() => ({
      enabled: bool(),
      apiKey: secret(),
      baseUrl: text(),
      onlyMainContent: bool(),
      maxAgeMs: count(),
      timeoutSeconds: positive(),
    })),
  }));

/** What a media model and a kind of media have in common. */
const mediaShape = () => ({
  maxChars: positive(),
  maxBytes: positive(),
  prompt: text(),
  timeoutSeconds: positive(),
  language: text(),
  providerOptions: mapOf(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  deepgram: block(() => ({ detectLanguage: bool(), punctuate: bool(), smartFormat: bool() })),
  baseUrl: text(),
  headers: secretMap(),
});

const mediaModel = once(() =>
  item(() => ({
    ...mediaShape(),
    provider: text(),
    model: text(),
    capabilities: listOf(z.enum(["image", "audio", "video"])),
    type: choice("provider", "cli"),
    command: text(),
    args: texts(),
    profile: text(),
    preferredProfile: text(),
  })),
);

const mediaKind = once(() =>
  block(() => ({
    ...mediaShape(),
    enabled: bool(),
    scope: scopeRules(),
    attachments: block(() => ({
      mode: choice("first", "all"),
      maxAttachments: positive(),
      prefer: choice("first", "last", "path", "url"),
    })),
    models: listOf(mediaModel()),
  })),
);
