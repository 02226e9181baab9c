// The shapes of nodes/pending.json and nodes/paired.json. Fields we do not know are kept.
import { once, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { readSurface, type Surface } from "./surface.ts";

const text = () => z.string().optional();
const time = () => z.number().nonnegative();
const about = () => ({
  nodeId: z.string().regex(/^[A-Za-z0-9][\w.:-]{0,127}$/, "must be letters, digits and . : _ -"),
  displayName: text(),
  platform: text(),
  version: text(),
  coreVersion: text(),
  uiVersion: text(),
  deviceFamily: text(),
  modelIdentifier: text(),
  caps: z.array(z.string()).optional(),
  commands: z.array(z.string()).optional(),
  permissions: z.record(z.string(), z.boolean()).optional(),
  remoteIp: text(),
});

export const pendingNodeSchema = once(() =>
  z.looseObject({
    requestId: z.string().min(1),
    ...about(),
    silent: z.boolean().optional(),
    isRepair: z.boolean().optional(),
    ts: time(),
  }),
);

export const pairedNodeSchema = once(() =>
  z.looseObject({
    ...about(),
    token: z.string().min(1),
    createdAtMs: time(),
    approvedAtMs: time(),
    lastConnectedAtMs: time().optional(),
  }),
);

export type PendingNode = Parsed<typeof pendingNodeSchema>;
export type PairedNode = Parsed<typeof pairedNodeSchema>;

/** What is known of a node besides what it can do. All of it but the id is its own word. */
export interface NodeFacts {
  readonly nodeId: string;
  readonly displayName?: string | undefined;
  readonly platform?: string | undefined;
  readonly version?: string | undefined;
  readonly coreVersion?: string | undefined;
  readonly uiVersion?: string | undefined;
  readonly deviceFamily?: string | undefined;
  readonly modelIdentifier?: string | undefined;
  readonly remoteIp?: string | undefined;
}

const FACTS = [
  "displayName",
  "platform",
  "version",
  "coreVersion",
  "uiVersion",
  "deviceFamily",
  "modelIdentifier",
  "remoteIp",
] as const satisfies readonly (keyof NodeFacts)[];
const LONGEST_FACT = 200;

/** The facts alone, cut to a sane length. */
export function factsOf(node: NodeFacts): NodeFacts {
  const known = FACTS.flatMap((name) => {
    const value = node[name]?.slice(0, LONGEST_FACT).trim();
    return value ? [[name, value] as const] : [];
  });
  return { nodeId: node.nodeId, ...Object.fromEntries(known) };
}

export function surfaceOf(record: PendingNode | PairedNode): Surface {
  return readSurface(record);
}
