// A skill as its SKILL.md describes it: the public standard's fields, and those OpenClaw added.

/** What a machine must have before the skill is of use. */
export interface Requirements {
  readonly bins: readonly string[];
  readonly anyBins: readonly string[];
  readonly env: readonly string[];
  readonly config: readonly string[];
}

export const INSTALL_KINDS = ["brew", "node", "go", "uv", "download"] as const;
export type InstallKind = (typeof INSTALL_KINDS)[number];

/** One way to bring a program the skill needs; it is shown, and carried out only when the owner says so. */
export interface InstallOption {
  readonly id: string;
  readonly kind: InstallKind;
  readonly label: string;
  readonly bins: readonly string[];
  readonly os: readonly string[];
  readonly formula?: string;
  readonly package?: string;
  readonly module?: string;
  readonly url?: string;
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly homepage?: string;
  readonly emoji?: string;
  readonly license?: string;
  /** Whether people have it as a command of its own. */
  readonly isForPeople: boolean;
  /** Whether models are told of it. */
  readonly isForModels: boolean;
  /** Its command goes straight to this tool, without a model. */
  readonly commandTool?: string;
  /** Where the configuration speaks of it: `skills.entries.<key>`. */
  readonly key: string;
  readonly always: boolean;
  /** The variable that `skills.entries.<key>.apiKey` becomes. */
  readonly primaryEnv?: string;
  readonly os: readonly string[];
  readonly requires: Requirements;
  readonly install: readonly InstallOption[];
  /** What in it was not as it should be, and how it was read all the same. */
  readonly warnings: readonly string[];
}

export type ReadSkill =
  | { readonly kind: "skill"; readonly skill: Skill; readonly body: string }
  | { readonly kind: "broken"; readonly why: string };
