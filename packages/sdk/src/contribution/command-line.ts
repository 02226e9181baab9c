// Commands of the command line: what a part declares of one, what its code gets when it runs, and how it fails.
import type { Ask, WrittenParams } from "../protocol/ask.ts";
import type { MethodAnswer, MethodName } from "../protocol/methods.ts";

export interface FlagSpec {
  readonly name: string;
  readonly short?: string;
  /** Absent for a switch; else what the value is called in help texts. */
  readonly value?: string;
  readonly kind?: "text" | "number";
  readonly choices?: readonly string[];
  readonly repeats?: true;
  /** Told in help texts; the command itself applies it. */
  readonly preset?: string;
  readonly help: string;
  /** Taken for the sake of existing scripts; the sentence says so when it is used. */
  readonly unused?: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly isOptional?: true;
  /** May be given several times. Only the last argument of a command can. */
  readonly repeats?: true;
  readonly help: string;
}

/** How an argument is written in a line of usage. */
export function argumentShape({ name, isOptional, repeats }: ArgumentSpec): string {
  const shape = repeats ? `${name}...` : name;
  return isOptional ? `[${shape}]` : `<${shape}>`;
}

export interface CommandSpec {
  /** Words after `chela`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly args?: readonly ArgumentSpec[];
  readonly flags?: readonly FlagSpec[];
  /** Variables of the environment that it heeds and no flag says. */
  readonly environment?: ReadonlyArray<{ readonly name: string; readonly help: string }>;
  /** Absent for a word that only groups others. */
  readonly load?: () => Promise<RunCommand>;
}

/** Resolves with the exit code. */
export type RunCommand = (call: CommandCall) => Promise<number>;

export interface CommandCall {
  readonly path: readonly string[];
  readonly args: readonly string[];
  readonly flags: FlagValues;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From --profile and --dev. */
  readonly state: { readonly profile?: string; readonly dev?: boolean };
  readonly gateway: GatewayCaller;
}

export interface FlagValues {
  has(name: string): boolean;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  list(name: string): readonly string[];
}

/** The gateway a command is about; it is looked for with the first question. All fail with a CommandFailure. */
export interface GatewayCaller {
  /** Over one connection, which is closed afterwards. Resolves with the exit code. */
  ask(work: (ask: Ask) => Promise<void>): Promise<number>;
  /** The same; the files of this machine are asked when no gateway runs on it, with `whenRefused` also when it does not let us in. */
  askOrOffline(work: (ask: Ask) => Promise<void>, options?: { readonly whenRefused?: boolean }): Promise<number>;
  /** One question over a connection of its own: what most commands need. */
  call<M extends MethodName>(method: M, params: WrittenParams<M>): Promise<MethodAnswer<M>>;
  /** A connection that is kept, for what takes long and what is told meanwhile; its answers are waited for as long as said. */
  connect(options?: { readonly timeoutMs?: number | undefined }): Promise<GatewayLink>;
  /** The files of this machine, whether a gateway runs or not. */
  readonly offline: Ask;
}

export interface GatewayLink {
  readonly ask: Ask;
  /** The returned function ends that. */
  onEvent(listener: (event: { readonly event: string; readonly payload: unknown }) => void): () => void;
  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<unknown>;
  close(): void;
}

/** Colours and the like; nothing but the text where nobody sees them. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** Whatever is written to it is cleaned of what a terminal would obey. */
export interface Terminal {
  readonly style: Style;
  readonly columns: number;
  /** A person is at both ends. */
  readonly isInteractive: boolean;
  write(text: string): void;
  /** Moves the cursor or clears a line: our own codes, never a text. */
  control(code: string): void;
  print(text: string): void;
  printJson(value: unknown): void;
  /** To stderr: notes and failures, so that stdout stays clean for programs. */
  note(text: string): void;
}

/** Flags that several commands have in common. */
export const JSON_FLAG: FlagSpec = { name: "json", help: "Print JSON for programs" };

/** Of commands that ask a gateway. */
export const RPC_FLAGS: readonly FlagSpec[] = [
  { name: "url", value: "url", help: "Address of the gateway (ws:// or wss://); needs --token or --password" },
  { name: "token", value: "token", help: "Token of the gateway" },
  { name: "password", value: "password", help: "Password of the gateway" },
  { name: "timeout", value: "ms", kind: "number", preset: "10000", help: "How long to wait for the gateway" },
  JSON_FLAG,
];

export const DEFAULT_TIMEOUT_MS = 10_000;

/** How long the gateway may take. */
export function timeoutOf({ flags }: Pick<CommandCall, "flags">): number {
  return flags.number("timeout") || DEFAULT_TIMEOUT_MS;
}

export type FailureKind = "usage" | "no-gateway" | "refused" | "call" | "lost" | "timeout" | "other";

const BRAND = Symbol.for("chela.command-failure");

/** A command that cannot do what was asked: one sentence for the person, and what to type next. */
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
