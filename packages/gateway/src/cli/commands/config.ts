// `chela config …`: changes and checks the configuration file. A running gateway watches it and takes changes up.
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import JSON5 from "json5";
import {
  issueSentence,
  unusedSentence,
  loadConfigReference,
  openStateDirectory,
  parsePath,
  presetAt,
  type ConfigStore,
  type StatePaths,
  type WriteReport,
} from "../../rooms/config/room.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import type { PlacesParts } from "../../house/credentials/secret-places.ts";
import { openConfig } from "../offline/open-config.ts";

function open({ env, state, terminal }: CommandCall): { store: ConfigStore; paths: StatePaths } {
  const { paths, notices } = openStateDirectory(env, state);
  for (const notice of notices) terminal.note(notice);
  return { store: openConfig(paths, env), paths };
}

export async function getChecked(
  { env, terminal, flags }: CommandCall,
  paths: StatePaths,
  path: string,
): Promise<number> {
  const store = openConfig(paths, env);
  const found = store.getPath(path);
  if (found.kind === "absent") throw await absent(store, path);
  const { value } = found;
  if (flags.has("json") || typeof value === "object") terminal.printJson(value);
  else terminal.print(String(value));
  return 0;
}

export async function set(call: CommandCall): Promise<number> {
  const [path = "", text = ""] = call.args;
  const isStrict = call.flags.has("strict-json") || call.flags.has("json");
  const { store, paths } = open(call);
  const report = store.setPath(path, parseValue(text, isStrict));
  tellWritten(call, path, "set", report);
  if (await isPlainSecret(path, { config: store, paths })) {
    call.terminal.note(
      "It is a secret, and stands there in plain text. `chela credential import` moves it to the vault.",
    );
  }
  return 0;
}

async function isPlainSecret(path: string, places: PlacesParts): Promise<boolean> {
  const { placedSecrets } = await import("../../house/credentials/secret-places.ts");
  const typed = parsePath(path).map(String);
  return placedSecrets(places).some(({ configPath, content }) => {
    const keys = configPath === undefined ? [] : parsePath(configPath).map(String);
    return content.kind === "plain" && keys.length > 0 && typed.every((key, index) => keys[index] === key);
  });
}

export async function unset(call: CommandCall): Promise<number> {
  const [path = ""] = call.args;
  const { store } = open(call);
  if (store.getPath(path).kind === "absent" && store.snapshot().valid) throw await absent(store, path);
  tellWritten(call, path, "removed", store.unsetPath(path));
  return 0;
}

function parseValue(text: string, isStrict: boolean): unknown {
  if (isStrict) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw usageFailure(
        `The value is not JSON: ${error instanceof Error ? error.message : String(error)}`,
        `Texts need quotes: '"text"'.`,
      );
    }
  }
  try {
    return JSON5.parse(text);
  } catch {
    return text;
  }
}

function tellWritten({ terminal }: CommandCall, path: string, verb: string, report: WriteReport): void {
  if (report.kind === "unchanged") return terminal.print(`Nothing changed: ${path} has this value already.`);
  terminal.print(
    `${path} is ${verb}. A running gateway ${report.plan.restart ? "starts again with it" : "takes it up"} by itself.`,
  );
  for (const warning of report.warnings) terminal.note(issueSentence(warning));
}

async function absent(store: ConfigStore, path: string): Promise<CommandFailure> {
  const preset = presetAt(parsePath(path));
  if (preset !== undefined)
    return new CommandFailure("other", `${path} is not set. The default is ${JSON.stringify(preset)}.`);
  const { configReferenceRows } = await loadConfigReference();
  const rows = configReferenceRows();
  if (rows.some((row) => row.path === path)) return new CommandFailure("other", `${path} is not set.`);
  const near = nearestWord(path, [...rows.map((row) => row.path), ...Object.keys(store.current())]);
  return new CommandFailure("other", `${path} is not set.`, near ? { fix: `The nearest key is ${near}.` } : {});
}

export async function validate(call: CommandCall): Promise<number> {
  const { terminal, flags } = call;
  const { store, paths } = open(call);
  const check = await checkStart(store, paths);
  if (flags.has("json")) terminal.printJson({ path: paths.configPath, ...check });
  else {
    const { style } = terminal;
    for (const issue of check.issues) terminal.print(`${style.red("wrong")}    ${issueSentence(issue)}`);
    for (const warning of check.warnings) terminal.print(`${style.yellow("warning")}  ${issueSentence(warning)}`);
    const unused = unusedSentence(check.notUsedYet, Infinity);
    if (unused) terminal.print(`${style.dim("unused")}   ${unused}`);
    const state = !store.snapshot().exists
      ? "does not exist; built-in settings are used"
      : check.valid
        ? "is fine"
        : "cannot be used";
    terminal.print(`${paths.configPath} ${state}.`);
  }
  return check.valid ? 0 : 1;
}

/** What the file says, and whether a gateway would start with it. */
async function checkStart(store: ConfigStore, paths: StatePaths): Promise<ReturnType<ConfigStore["check"]>> {
  const check = store.check();
  const { startRefusal } = await import("../../start-refusal.ts");
  const refusal = check.valid ? startRefusal(store, paths) : undefined;
  if (!refusal) return check;
  return {
    ...check,
    valid: false,
    issues: [{ path: "gateway", message: `does not start like this: ${refusal.detail}` }],
  };
}

export async function file({ env, state, terminal }: CommandCall): Promise<number> {
  terminal.print(openStateDirectory(env, state).paths.configPath);
  return 0;
}

export async function schema({ terminal }: CommandCall): Promise<number> {
  const { configJsonSchema } = await loadConfigReference();
  terminal.printJson(configJsonSchema());
  return 0;
}
