// Reads from its scope which conversations share a sandbox.

export interface SandboxScope {
  readonly kind: "shared" | "agent" | "session";
  /** The agent's id or the session's key. */
  readonly of: string;
  /** What it sees of the agent's workspace. */
  readonly access: "none" | "ro" | "rw";
}

/** `session:agent:main:abc@<session id>+ro` → the session `agent:main:abc`, which can read the workspace. Undefined for what is no scope. */
export function readScope(scope: string): SandboxScope | undefined {
  const [, kind, of = "", access = "none"] =
    /^(shared|(?:agent|session)(?=:.))(?::(.+?))?(?:@[^@:]*?)?(?:\+(ro|rw))?(?:\+covered)?$/.exec(scope) ?? [];
  if (kind !== "shared" && kind !== "agent" && kind !== "session") return undefined;
  return { kind, of, access: access === "ro" || access === "rw" ? access : "none" };
}
