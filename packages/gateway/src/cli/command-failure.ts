// A command that cannot do what was asked: one sentence for the person, and what to type next.

export type FailureKind = "usage" | "no-gateway" | "refused" | "call" | "lost" | "timeout" | "other";

const BRAND = Symbol.for("chela.command-failure");

export class CommandFailure extends Error {
  readonly kind: FailureKind;
  readonly fix: string | undefined;
  /** What the gateway sent along: the error's details, or the payload of a failed run. */
  readonly details: unknown;

  constructor(kind: FailureKind, message: string, more: { fix?: string | undefined; details?: unknown } = {}) {
    super(message);
    this.name = "CommandFailure";
    this.kind = kind;
    this.fix = more.fix;
    this.details = more.details;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Works across bundles: the gateway is one of its own. */
  static is(value: unknown): value is CommandFailure {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

export function usageFailure(message: string, fix?: string): CommandFailure {
  return new CommandFailure("usage", message, { fix });
}
