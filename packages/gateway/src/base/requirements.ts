// What hooks and skills may require of a machine: programs by name, and values of settings.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export function hasProgram(name: string, env: Readonly<Record<string, string | undefined>>): boolean {
  // A bare name, looked for in the places of the PATH: nothing relative, nothing from the current directory.
  if (!/^[A-Za-z0-9_.+-]+$/.test(name)) return false;
  const places = (env["PATH"] ?? "").split(delimiter).filter((place) => isAbsolute(place));
  return places.some((place) => isProgram(join(place, name)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** By a path of keys with dots. */
export function valueAt(config: unknown, path: string): unknown {
  let value = config;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
