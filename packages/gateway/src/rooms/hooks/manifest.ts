// Reads a hook's HOOK.md: what it is called, what it wants to hear, what it needs to run.
import * as z from "zod";
import { HOOK_EVENTS, once, type HookEventName, type Parsed } from "@chela/sdk";
import { readFrontMatter } from "../../base/text/front-matter.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const list = () =>
  z
    .union([z.array(z.string()), z.string().transform((one) => one.split(",").map((item) => item.trim()))])
    .transform((items) => items.filter((item) => item !== ""))
    .optional();

const Requires = once(() =>
  z.object({ bins: list(), anyBins: list(), env: list(), config: list(), os: list() }).partial(),
);
type Requirements = Parsed<typeof Requires>;

const Own = () =>
  z.object({
    events: list(),
    requires: Requires().optional(),
    os: list(),
    emoji: z.string().max(16).optional(),
    /** Runs whatever it requires, except on another system. */
    always: z.boolean().optional(),
    hookKey: z.string().regex(NAME).optional(),
    /** Which export of the handler file; its default one unless told. */
    export: z.string().optional(),
    /** What it cannot decide, because it failed, is refused. */
    guard: z.boolean().optional(),
    homepage: z.string().optional(),
  });

const HookFile = once(() =>
  z.object({
    name: z.string().regex(NAME, "must be letters, digits, - and _, 64 at most").optional(),
    description: z.string().max(1000).optional(),
    homepage: z.string().optional(),
    metadata: z.object({ openclaw: Own().optional(), chela: Own().optional() }).optional(),
  }),
);

export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly homepage?: string;
  readonly emoji?: string;
  readonly events: readonly HookEventName[];
  /** Names it wants to hear that do not exist here. */
  readonly unknownEvents: readonly string[];
  readonly requires: Requirements;
  readonly always: boolean;
  readonly hookKey: string;
  readonly exportName: string;
  readonly guard: boolean;
}

export type ReadManifest =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "broken"; readonly why: string };

export function isHookName(name: string): boolean {
  return NAME.test(name);
}

/** `folder` names a hook that does not name itself. */
export function readManifest(markdown: string, folder: string): ReadManifest {
  const front = readFrontMatter(markdown);
  if (front.kind === "unreadable") return { kind: "broken", why: `HOOK.md cannot be read: ${front.why}.` };
  const parsed = HookFile().safeParse(front.fields);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { kind: "broken", why: `HOOK.md: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is wrong"}.` };
  }
  const { name = folder, description = "", homepage, metadata } = parsed.data;
  if (!isHookName(name)) return { kind: "broken", why: "Its name must be letters, digits, - and _, 64 at most." };
  const own = metadata?.openclaw ?? metadata?.chela ?? {};
  const { known, unknown } = sortEvents(own.events ?? []);
  const page = homepage ?? own.homepage;
  const os = own.requires?.os ?? own.os;
  return {
    kind: "manifest",
    manifest: {
      name,
      description,
      ...(page ? { homepage: page } : {}),
      ...(own.emoji ? { emoji: own.emoji } : {}),
      events: known,
      unknownEvents: unknown,
      requires: { ...own.requires, ...(os ? { os } : {}) },
      always: own.always ?? false,
      hookKey: own.hookKey ?? name,
      exportName: own.export ?? "default",
      guard: own.guard ?? false,
    },
  };
}

/** The part before the colon stands for all events of its kind. */
export function sortEvents(written: readonly string[]): { known: HookEventName[]; unknown: string[] } {
  const names = Object.keys(HOOK_EVENTS) as HookEventName[];
  const meant = (one: string) => names.filter((name) => name === one || name.startsWith(`${one}:`));
  const known = new Set(written.flatMap(meant));
  return { known: names.filter((name) => known.has(name)), unknown: written.filter((one) => meant(one).length === 0) };
}
