// What the program of a plugin tells the gateway. Nothing of it is believed: the gateway reads it by these schemas.
import * as z from "zod";

const MOST = 500;
const name = () => z.string().min(1).max(200);
const words = () => z.string().max(20_000);
const place = () => z.int().min(0).max(100_000);

const ToldTool = () =>
  z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    label: words().optional(),
    description: words(),
    /** JSON Schema, as its author wrote it. */
    parameters: z.record(z.string(), z.unknown()).optional(),
    optional: z.literal(true).optional(),
    ownerOnly: z.literal(true).optional(),
  });

/** What a plugin registered: all that is known of it while it does not run. */
export const ToldCatalogue = () =>
  z.object({
    name: words().optional(),
    description: words().optional(),
    version: words().optional(),
    tools: z.array(ToldTool()).max(MOST),
    hooks: z.array(z.object({ place: place(), hook: name(), priority: z.number() })).max(MOST),
    internalHooks: z
      .array(z.object({ place: place(), events: z.array(name()).max(100), name: words().optional() }))
      .max(MOST),
    routes: z
      .array(
        z.object({
          place: place(),
          path: z.string().min(1).max(1_000),
          auth: z.enum(["gateway", "plugin"]),
          match: z.enum(["exact", "prefix", "any"]),
        }),
      )
      .max(MOST),
    methods: z.array(name()).max(MOST),
    commands: z
      .array(z.object({ name: name(), description: words(), acceptsArgs: z.boolean(), requireAuth: z.boolean() }))
      .max(MOST),
    cli: z.array(name()).max(MOST),
    services: z.array(name()).max(MOST),
    /** What it registered that is brought by other means than these: by the name of the method, and the ids. */
    others: z.array(z.object({ register: name(), id: words().optional() })).max(MOST),
    warnings: z.array(words()).max(MOST),
  });

export type Catalogue = z.infer<ReturnType<typeof ToldCatalogue>>;

export const Told = () =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("ready"), catalogue: ToldCatalogue() }),
    /** What was registered after that. */
    z.object({ kind: z.literal("registered"), catalogue: ToldCatalogue() }),
    z.object({ kind: z.literal("not-loaded"), stage: z.enum(["import", "register"]), why: words() }),
    z.object({ kind: z.literal("gave"), id: place(), gives: z.unknown() }),
    z.object({ kind: z.literal("failed"), id: place(), why: words() }),
    z.object({ kind: z.literal("progress"), id: place(), data: z.unknown() }),
    z.object({ kind: z.literal("ask"), id: place(), name: name(), asks: z.unknown() }),
    z.object({ kind: z.literal("log"), level: z.enum(["debug", "info", "warn", "error"]), message: words() }),
  ]);

export type FromPlugin = z.infer<ReturnType<typeof Told>>;
