// Fills {{…}} with what a request says. Only own fields are looked at, and what is filled in is not read again.

export interface TemplateWorld {
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly path: string;
  readonly now: number;
}

const LONGEST = 64_000;
const EXPRESSION = /\{\{([^{}]{1,300})\}\}/g;
const STEP = /([^.[\]]+)|\[(\d{1,6})\]/g;

/** What is not there is left out; objects are written as JSON. */
export function fillTemplate(template: string, world: TemplateWorld, write = (value: string): string => value): string {
  return fillOnce(template, world, write).text.slice(0, LONGEST).toWellFormed();
}

/** A line in which nothing could be filled is left out, unless it asks for nothing. */
export function fillLines(lines: readonly string[], world: TemplateWorld): string {
  const filled = lines.flatMap((line) => {
    const { text, asked, found } = fillOnce(line, world, (value) => value.trim());
    return asked > 0 && found === 0 ? [] : [text.replace(/ {2,}/g, " ").trim()];
  });
  return filled.join("\n").slice(0, LONGEST).toWellFormed();
}

function fillOnce(template: string, world: TemplateWorld, write: (value: string) => string) {
  let [asked, found] = [0, 0];
  const text = template.replace(EXPRESSION, (_whole, expression: string) => {
    asked += 1;
    const value = write(writeValue(look(expression.trim(), world)));
    if (value !== "") found += 1;
    return value;
  });
  return { text, asked, found };
}

function look(expression: string, world: TemplateWorld): unknown {
  const steps = stepsOf(expression);
  const [root = "", ...rest] = steps;
  if (rest.length === 0) {
    if (root === "path") return world.path;
    if (root === "now") return new Date(world.now).toISOString();
  }
  if (root === "payload") return walk(world.payload, rest);
  const name = rest.join(".");
  if (root === "headers" && name) return ownOf(world.headers, name.toLowerCase());
  if (root === "query" && name) return world.query.get(name) ?? undefined;
  return walk(world.payload, steps);
}

function stepsOf(expression: string): string[] {
  return [...expression.matchAll(STEP)].map(([, name, index]) => (name ?? index ?? "").trim());
}

function walk(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => ownOf(at, step), value);
}

function ownOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function writeValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than can be written; nobody could read it either.
    return "";
  }
}
