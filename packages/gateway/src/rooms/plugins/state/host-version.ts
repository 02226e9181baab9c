// The version of OpenClaw that plugins are answered with: what they compare it with has its form.

export const HOST_VERSION = "2026.9.6";

const FLOOR = /^>=\s*(\d+(?:\.\d+){0,2})(?:-[\w.-]+)?$/;

/** Why a plugin that asks for at least some version cannot run; undefined when it can. */
export function checkHostVersion(floor: string | undefined): string | undefined {
  if (floor === undefined) return undefined;
  const [, asked] = FLOOR.exec(floor.trim()) ?? [];
  if (asked === undefined)
    return `It asks for a gateway "${floor.slice(0, 60)}", which is no version like >=2026.3.23.`;
  if (compare(asked, HOST_VERSION) <= 0) return undefined;
  return `It asks for OpenClaw ${asked} or newer; this gateway does what ${HOST_VERSION} does.`;
}

function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.split(".").map(Number));
  for (let at = 0; at < 3; at += 1) {
    const apart = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (apart !== 0) return apart;
  }
  return 0;
}
