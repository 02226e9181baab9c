// What MCP calls things: revisions, keys of metadata, and the shapes of what servers answer, as far as they are read.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

/** The newest revision with a handshake, and the ones before it that are understood. */
export const LEGACY_VERSION = "2025-11-25";
export const LEGACY_VERSIONS: readonly string[] = [LEGACY_VERSION, "2025-06-18", "2025-03-26", "2024-11-05"];
/** Without a handshake: every request says by itself what it needs. */
export const MODERN_VERSION = "2026-07-28";

export type Era = "legacy" | "modern";

const PREFIX = "io.modelcontextprotocol/";
export const META = {
  version: `${PREFIX}protocolVersion`,
  clientInfo: `${PREFIX}clientInfo`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  serverInfo: `${PREFIX}serverInfo`,
  subscriptionId: `${PREFIX}subscriptionId`,
} as const;

const Json = () => z.record(z.string(), z.unknown());

export const ServerInfo = once(() =>
  z.looseObject({ name: z.string(), version: z.string(), title: z.string().optional() }),
);
export type ServerInfo = Parsed<typeof ServerInfo>;

const Changing = () => z.looseObject({ listChanged: z.boolean().optional() }).optional();
export const ServerCapabilities = once(() =>
  z.looseObject({ tools: Changing(), resources: Changing(), prompts: Changing(), logging: z.unknown().optional() }),
);
export type ServerCapabilities = Parsed<typeof ServerCapabilities>;

export const InitializeResult = once(() =>
  z.looseObject({
    protocolVersion: z.string(),
    capabilities: ServerCapabilities(),
    serverInfo: ServerInfo(),
    instructions: z.string().optional(),
  }),
);

export const DiscoverResult = once(() =>
  z.looseObject({
    supportedVersions: z.array(z.string()),
    capabilities: ServerCapabilities(),
    instructions: z.string().optional(),
    _meta: Json().optional(),
  }),
);

/** A tool as its server wrote it. */
export const ToolDefinition = once(() =>
  z.looseObject({
    name: z.string().min(1).max(512),
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: Json(),
    outputSchema: Json().optional(),
    annotations: Json().optional(),
  }),
);
export type ToolDefinition = Parsed<typeof ToolDefinition>;

export const ResourceDefinition = once(() =>
  z.looseObject({
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  }),
);
export const TemplateDefinition = once(() =>
  z.looseObject({ uriTemplate: z.string(), name: z.string(), description: z.string().optional() }),
);
export const PromptDefinition = once(() =>
  z.looseObject({
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    arguments: z
      .array(z.looseObject({ name: z.string(), description: z.string().optional(), required: z.boolean().optional() }))
      .optional(),
  }),
);

const ResourceContents = () =>
  z.looseObject({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  });

export const ContentPart = once(() =>
  z.union([
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
    z.looseObject({ type: z.literal("audio"), data: z.string(), mimeType: z.string() }),
    z.looseObject({ type: z.literal("resource"), resource: ResourceContents() }),
    z.looseObject({
      type: z.literal("resource_link"),
      uri: z.string(),
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      mimeType: z.string().optional(),
    }),
  ]),
);
export type ContentPart = Parsed<typeof ContentPart>;

export const ToolResult = once(() =>
  z.looseObject({
    content: z.array(z.unknown()).default([]),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().optional(),
  }),
);
export type ToolResult = Parsed<typeof ToolResult>;

export const ReadResult = once(() => z.looseObject({ contents: z.array(ResourceContents()) }));
export type ReadResult = Parsed<typeof ReadResult>;
export const PromptResult = once(() =>
  z.looseObject({
    description: z.string().optional(),
    messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  }),
);
export type PromptResult = Parsed<typeof PromptResult>;

/** The server wants something first, and then the same request once more. */
export const InputRequired = once(() =>
  z.looseObject({
    resultType: z.literal("input_required"),
    inputRequests: z.record(z.string(), z.looseObject({ method: z.string(), params: Json().optional() })).optional(),
    requestState: z.string().optional(),
  }),
);
