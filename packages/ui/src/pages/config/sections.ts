// The sections of the configuration in the order people look for them.
import { isTouched, type FormContext } from "./form-context.ts";
import { namedBelow, shapeOf, type Spot } from "./schema.ts";

const FIRST = [
  "agents",
  "models",
  "channels",
  "gateway",
  "tools",
  "messages",
  "session",
  "commands",
  "approvals",
  "bindings",
  "budgets",
];
/** Notes programs make for themselves. */
const NOTES = new Set(["meta", "wizard"]);

/** The sections for the list at the side. Those without any effect are there when they are set or all are shown. */
export function sectionsOf(root: Spot, form: FormContext): Spot[] {
  const rank = ({ pattern }: Spot): number => {
    const at = FIRST.indexOf(pattern);
    return at < 0 ? FIRST.length : at;
  };
  return namedBelow(root)
    .filter(
      (spot) =>
        form.shows === "all" ||
        (!NOTES.has(spot.pattern) && (isTouched(spot, form) || form.places.isUsed(spot.pattern))),
    )
    .toSorted((a, b) => rank(a) - rank(b) || a.pattern.localeCompare(b.pattern));
}

/** Sections within a section, for the second level of that list. */
export function sectionsBelow(spot: Spot, form: FormContext): Spot[] {
  return namedBelow(spot).filter(
    (child) =>
      shapeOf(child.node).kind === "group" &&
      (form.shows === "all" || isTouched(child, form) || form.places.isCommon(child.pattern)),
  );
}

/** Sections in which something is set, for the first look. */
export function sectionsInUse(root: Spot, form: FormContext): Spot[] {
  return sectionsOf(root, { ...form, shows: "usual" }).filter((spot) => isTouched(spot, form));
}
