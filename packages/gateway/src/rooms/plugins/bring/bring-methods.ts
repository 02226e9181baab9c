// Gateway methods of a plugin: for the owner's own clients, since nobody declared what they take or do.
import * as z from "zod";
import { once, type MethodFamily } from "@chela/sdk";
import { invalid, type CallContext, type MethodSpec } from "@chela/sdk/protocol";
import type { House } from "../../../house/house.ts";
import type { BroughtPlugin } from "./brought-plugin.ts";

const MOST_MS = 60_000;
const anything = once(() => z.looseObject({}));
const whatever = once(() => z.unknown());

const Response = once(() =>
  z.object({ ok: z.boolean(), payload: z.unknown().optional(), error: z.unknown().optional() }),
);

export function bringMethods(plugin: BroughtPlugin): MethodFamily<House> | undefined {
  const { id, catalogue } = plugin;
  if (catalogue.methods.length === 0) return undefined;
  const spec: MethodSpec = {
    role: "operator",
    scope: "operator.admin",
    says: `Brought by the plugin ${id}`,
    params: anything,
    result: whatever,
  };
  const specs = Object.fromEntries(catalogue.methods.map((name) => [name, spec]));
  const handlers = Object.fromEntries(
    catalogue.methods.map((name) => [
      name,
      async (params: unknown, { client }: CallContext) => {
        const { connId, role, scopes, info } = client;
        const told = { connId, role, scopes, client: info };
        const gave = Response().safeParse(
          await plugin.call("method", { name, params, client: told }, { mostMs: MOST_MS }),
        );
        if (!gave.success) throw invalid(`${name} of the plugin ${id} gave back something that cannot be read`);
        if (!gave.data.ok) throw invalid(sentenceOf(gave.data.error) ?? `${name} of the plugin ${id} refused it`);
        return gave.data.payload ?? {};
      },
    ]),
  );
  return { specs, load: async () => handlers };
}

function sentenceOf(error: unknown): string | undefined {
  const message = typeof error === "object" && error !== null ? (error as { message?: unknown }).message : error;
  return typeof message === "string" ? message.slice(0, 1_000) : undefined;
}
