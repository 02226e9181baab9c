// Facts from the schema about a config key: whether it guards the gateway, and who must act when it changes.
import { defined } from "@chela/sdk/base";
import type { Path } from "./edit/path.ts";
import { factsOf, type KeyFacts, type Reload, shapeOf, unwrap } from "@chela/sdk/config";
import { isSectionName, SECTIONS } from "./schema/sections.ts";
import { step, type Standing } from "./schema-walk.ts";

type Inherited = Pick<KeyFacts, "guards" | "reload" | "inherits">;

/** Whether changing this place could change who may do what: it guards, holds something that does, or is unknown. */
export function guardsSafety(path: Path): boolean {
  // What an included file says cannot be seen from here.
  return path.includes("$include") || factsAt(path).guards !== false;
}

/** A change that nobody has thought about needs a restart. */
export function reloadOf(path: Path): Exclude<Reload, { readonly roomOfEach: string }> {
  const { reload } = factsAt(path);
  return reload === undefined || (typeof reload === "object" && "roomOfEach" in reload) ? "restart" : reload;
}

/** What holds when nothing is written at this very place. */
export function presetAt(path: Path): unknown {
  const { preset, inherits } = factsAt(path);
  return inherits ? undefined : preset;
}

/** What is said of the place, or of the nearest above it of which something is said. */
function factsAt([first = "", ...rest]: Path): KeyFacts {
  const name = String(first);
  if (!isSectionName(name)) return {};
  let standing: Standing = [SECTIONS[name].schema()];
  let facts: KeyFacts = SECTIONS[name].facts;
  for (const key of rest) {
    facts = { ...handedDown(facts, key), ...ownFacts(standing, key) };
    standing = step(standing, key);
  }
  return facts;
}

export function handedDown({ guards, reload, inherits }: KeyFacts, key: string | number): Inherited {
  const ofEach = typeof reload === "object" && "roomOfEach" in reload;
  return {
    ...defined({ guards, inherits }),
    ...(reload === undefined ? {} : { reload: ofEach ? { room: `${reload.roomOfEach}:${key}` } : reload }),
  };
}

function ownFacts(standing: Standing, key: string | number): KeyFacts {
  return Object.assign({}, ...standing.map((schema) => factsIn(schema, String(key)))) as KeyFacts;
}

function factsIn(schema: Standing[number], key: string): KeyFacts {
  const shaped = shapeOf(schema);
  if (shaped.kind === "union") return ownFacts(shaped.options, key);
  return shaped.kind === "object" ? factsOf(unwrap(schema), key) : {};
}
