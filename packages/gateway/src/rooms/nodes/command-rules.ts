// Decides which commands may be sent to which node. Pure; what is not named here or in the configuration is refused.

export interface CommandSettings {
  /** gateway.nodes.allowCommands: adds to what the platform allows. */
  readonly allowCommands?: readonly string[] | undefined;
  /** gateway.nodes.denyCommands: takes away, and wins. */
  readonly denyCommands?: readonly string[] | undefined;
}

export interface PlatformFacts {
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
}

export type CommandDecision =
  | { readonly kind: "allowed" }
  | { readonly kind: "refused"; readonly reason: string; readonly fix: string };

const CANVAS = [
  "canvas.present",
  "canvas.hide",
  "canvas.navigate",
  "canvas.eval",
  "canvas.snapshot",
  "canvas.a2ui.push",
  "canvas.a2ui.pushJSONL",
  "canvas.a2ui.reset",
];
const SEEING = ["camera.list", "location.get"];
const PERSONAL = [
  "device.info",
  "device.status",
  "contacts.search",
  "calendar.events",
  "reminders.list",
  "photos.latest",
  "motion.activity",
  "motion.pedometer",
];
const RUNNING = ["system.run.prepare", "system.run", "system.which"];
const COMPUTER = [...RUNNING, "browser.proxy"];
const NOTIFY = "system.notify";
const PHONE = [...CANVAS, ...SEEING, ...PERSONAL];

const BY_PLATFORM = {
  ios: [...PHONE, NOTIFY],
  android: [...PHONE, "notifications.list"],
  macos: [...PHONE, NOTIFY, ...COMPUTER],
  linux: [...COMPUTER, NOTIFY],
  windows: [...COMPUTER, NOTIFY],
  // Who does not say what it is runs nothing.
  unknown: [...CANVAS, ...SEEING, NOTIFY],
} as const satisfies Record<string, readonly string[]>;

/** What looks, listens or acts in somebody's name: only where the configuration allows it by name. */
const DANGEROUS: ReadonlySet<string> = new Set([
  "camera.snap",
  "camera.clip",
  "screen.record",
  "contacts.add",
  "calendar.add",
  "reminders.add",
  "sms.send",
]);

/** What a node may be let in with, without anybody having read its name. Whatever is not here, known or not, is read first. */
const HARMLESS: ReadonlySet<string> = new Set([...PHONE, NOTIFY, "notifications.list"]);

/** What may be offered of the commands of a node. */
export function allowedCommands(
  commands: readonly string[],
  facts: PlatformFacts,
  settings: CommandSettings,
): readonly string[] {
  return commands.filter((command) => decideByList(command, facts, settings).kind === "allowed");
}

export function decideCommand(
  command: string,
  node: PlatformFacts & { readonly commands: readonly string[] },
  settings: CommandSettings,
): CommandDecision {
  if (isApprovalsCommand(command)) {
    return {
      kind: "refused",
      reason: "the approvals of a node are not changed from here",
      fix: "Change them on the machine the node runs on.",
    };
  }
  const listed = decideByList(command, node, settings);
  if (listed.kind === "refused" || node.commands.includes(command)) return listed;
  return {
    kind: "refused",
    reason: "the node does not offer it, or nobody approved it",
    fix: "`chela nodes describe --node <id>` shows what the node offers, `chela nodes pending` what waits for approval.",
  };
}

/** Runs programs or touches files of somebody's choice, or may: only administrators send it. */
export function isPowerful(command: string): boolean {
  return !HARMLESS.has(command) && !DANGEROUS.has(command);
}

export function isHarmless(command: string): boolean {
  return HARMLESS.has(command);
}

/** The first command that only an administrator may approve. */
export function firstPowerful(commands: readonly string[]): string | undefined {
  return commands.find((command) => !HARMLESS.has(command));
}

function isApprovalsCommand(command: string): boolean {
  return command.toLowerCase().startsWith("system.execapprovals");
}

function decideByList(command: string, facts: PlatformFacts, settings: CommandSettings): CommandDecision {
  const { allowCommands = [], denyCommands = [] } = settings;
  if (denyCommands.includes(command)) {
    return {
      kind: "refused",
      reason: "gateway.nodes.denyCommands names it",
      fix: "Take it out of gateway.nodes.denyCommands.",
    };
  }
  const listed: readonly string[] = BY_PLATFORM[platformOf(facts)];
  if (listed.includes(command) || allowCommands.includes(command)) return { kind: "allowed" };
  return {
    kind: "refused",
    reason: DANGEROUS.has(command) ? "it is only allowed by name" : "it is not allowed for this platform",
    fix: `Add "${command}" to gateway.nodes.allowCommands, if you want it.`,
  };
}

function platformOf({ platform, deviceFamily }: PlatformFacts): keyof typeof BY_PLATFORM {
  return knownPlatform(platform) ?? knownPlatform(deviceFamily) ?? "unknown";
}

const STARTS: ReadonlyArray<readonly [RegExp, keyof typeof BY_PLATFORM]> = [
  [/^(ios|iphone|ipad)/, "ios"],
  [/^android/, "android"],
  [/^(mac|darwin)/, "macos"],
  [/^win/, "windows"],
  [/^linux/, "linux"],
];

function knownPlatform(text: string | undefined): keyof typeof BY_PLATFORM | undefined {
  const word = text?.trim().toLowerCase() ?? "";
  return STARTS.find(([start]) => start.test(word))?.[1];
}
