// Abilities of a node, as it says itself: bounded when read, and kept to what a person approved. Pure.

export interface Surface {
  readonly caps: readonly string[];
  readonly commands: readonly string[];
  /** What its operating system lets it do. */
  readonly permissions: Readonly<Record<string, boolean>>;
}

/** As it stands in a handshake, a request or a file. */
export interface DeclaredSurface {
  readonly caps?: readonly string[] | undefined;
  readonly commands?: readonly string[] | undefined;
  readonly permissions?: Readonly<Record<string, boolean>> | undefined;
}

const MOST_NAMES = 128;
const NAME = /^[A-Za-z][\w.-]{0,79}$/;

export const NO_SURFACE: Surface = { caps: [], commands: [], permissions: {} };

/** What is no name at all is left out: it comes from strangers, and lands in files and on screens. */
export function readSurface({ caps = [], commands = [], permissions = {} }: DeclaredSurface): Surface {
  return {
    caps: names(caps),
    commands: names(commands),
    permissions: Object.fromEntries(
      names(Object.keys(permissions)).map((name) => [name, permissions[name] === true] as const),
    ),
  };
}

/** Of what is declared, what was approved. */
export function narrow(declared: Surface, approved: Surface): Surface {
  return {
    caps: declared.caps.filter((cap) => approved.caps.includes(cap)),
    commands: declared.commands.filter((command) => approved.commands.includes(command)),
    permissions: Object.fromEntries(
      Object.entries(declared.permissions).map(([name, isGiven]) => [name, isGiven && holds(approved, name)]),
    ),
  };
}

/** Of what is declared, what nobody approved yet. */
export function additions(declared: Surface, approved: Surface): Surface {
  return {
    caps: declared.caps.filter((cap) => !approved.caps.includes(cap)),
    commands: declared.commands.filter((command) => !approved.commands.includes(command)),
    permissions: Object.fromEntries(
      Object.entries(declared.permissions).filter(([name, isGiven]) => isGiven && !holds(approved, name)),
    ),
  };
}

export function isNothing({ caps, commands, permissions }: Surface): boolean {
  return caps.length === 0 && commands.length === 0 && Object.keys(permissions).length === 0;
}

function holds({ permissions }: Surface, name: string): boolean {
  return Object.hasOwn(permissions, name) && permissions[name] === true;
}

function names(written: readonly string[]): string[] {
  return [...new Set(written.filter((name) => NAME.test(name)))].slice(0, MOST_NAMES);
}
