// Fills {{path.to.field}} with what an event says. Only own fields are looked at.

const LONGEST = 20_000;

/** `{{@event}}` is the name of the event, which stands beside it. What is not there is left out. */
export function fillTemplate(template: string, event: unknown, beside: { readonly event: string }): string {
  const filled = template.replace(/\{\{\s*([\w@.-]+)\s*\}\}/g, (_whole, path: string) =>
    path === "@event" ? beside.event : write(find(event, path.split("."))),
  );
  return filled.slice(0, LONGEST).toWellFormed();
}

function find(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return find((value as Record<string, unknown>)[key], rest);
}

function write(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
