// What plugins ask of the gateway, and whether they may: each question has its schema and its grant.
import * as z from "zod";
import { GatewayError, once } from "@chela/sdk";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@chela/sdk/base";
import type { Grant } from "../grants/grant.ts";

export interface AskParts {
  readonly id: string;
  readonly grant: Grant;
  /** What it was shown of the configuration. */
  shownConfig(): unknown;
  /** Writes one place of the configuration. */
  setConfig(path: string, value: unknown): void;
  systemEvent(text: string, sessionKey: string | undefined): Promise<void>;
}

const WriteConfig = once(() => z.object({ config: z.record(z.string(), z.unknown()) }));
const SystemEvent = once(() =>
  z.object({
    text: z.string().min(1).max(10_000),
    options: z.looseObject({ sessionKey: z.string().max(512).optional() }).optional(),
  }),
);

/** Throws a GatewayError that is told to the plugin. */
export async function answerAsk(name: string, asks: unknown, parts: AskParts): Promise<unknown> {
  switch (name) {
    case "config.write":
      return writeConfig(read(WriteConfig(), asks, name).config, parts);
    case "system.event": {
      const { text, options } = read(SystemEvent(), asks, name);
      await parts.systemEvent(text, options?.sessionKey);
      return null;
    }
    default:
      throw new GatewayError("PLUGIN_NOT_GRANTED", `${name} is nothing this gateway does for plugins`);
  }
}

function read<T>(schema: z.ZodType<T>, asks: unknown, name: string): T {
  const result = schema.safeParse(asks);
  if (result.success) return result.data;
  throw new GatewayError("PLUGIN_REQUEST", `${name}: ${result.error.issues[0]?.message ?? "it cannot be read"}`);
}

/** Plugins hand in the whole configuration; what of it is theirs is written, and the rest must be as it was shown. */
function writeConfig(next: Readonly<Record<string, unknown>>, { id, grant, shownConfig, setConfig }: AskParts): null {
  const shown = shownConfig();
  const own = [`plugins.entries.${id}.config`, ...grant.config];
  const others = changedPlaces(shown, next).filter(
    (path) => !own.some((place) => path === place || path.startsWith(`${place}.`) || place.startsWith(`${path}.`)),
  );
  const [foreign] = others;
  if (foreign !== undefined)
    throw new GatewayError("PLUGIN_NOT_GRANTED", `${id} may not change ${foreign} in the configuration`);
  for (const place of own) {
    const [before, after] = [valueAt(shown, place), valueAt(next, place)];
    if (after !== undefined && !isDeepStrictEqual(before, after)) setConfig(place, after);
  }
  return null;
}

function changedPlaces(before: unknown, after: unknown, path = ""): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changedPlaces(before[name], after[name], path === "" ? name : `${path}.${name}`));
}

function valueAt(config: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), config);
}
