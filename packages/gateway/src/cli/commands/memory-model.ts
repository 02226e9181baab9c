// `chela memory model list|install|remove`: models that are fetched once and run on this machine from then on.
import { GatewayError } from "@chela/sdk";
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { createHttpFetch } from "@chela/sdk/http";
import { installModel, removeModel } from "../../rooms/memory/models/install-model.ts";
import { isInstalled, KNOWN_MODELS, type KnownModel } from "../../rooms/memory/models/known-models.ts";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { confirm } from "../../base/terminal/confirm.ts";
import { formatBytes } from "../../base/terminal/layout.ts";
import { ProgressBar } from "../../base/terminal/progress-bar.ts";

export async function list(call: CommandCall): Promise<number> {
  const stateDir = stateDirOf(call);
  const models = KNOWN_MODELS.map((model) => ({
    id: model.id,
    name: model.name,
    licence: model.licence,
    source: model.source,
    bytes: bytesOf(model),
    installed: isInstalled(stateDir, model),
  }));
  if (call.flags.has("json")) call.terminal.printJson({ models });
  else {
    for (const { id, name, licence, bytes, installed } of models) {
      const state = installed ? "installed" : `not installed, ${formatBytes(bytes)} to fetch`;
      call.terminal.print(`${id}: ${name} (${licence}), ${state}`);
    }
  }
  return 0;
}

export async function install(call: CommandCall): Promise<number> {
  const { flags, terminal, env } = call;
  const model = modelNamed(call);
  const stateDir = stateDirOf(call);
  if (isInstalled(stateDir, model)) {
    terminal.print(`${model.name} is installed.`);
    return 0;
  }
  const mirror = flags.text("from");
  const place = mirror ?? model.source;
  const question = `Fetch ${model.name} (${model.licence}, ${formatBytes(bytesOf(model))}) from ${place}?`;
  if (!flags.has("yes") && !(await confirm(call, question, "Add --yes to fetch it without being asked."))) return 1;
  const bar = new ProgressBar(terminal);
  const fetch = createHttpFetch({ maxResponseBytes: Number.POSITIVE_INFINITY, proxyEnv: env });
  try {
    await installModel(model, {
      fetch,
      stateDir,
      mirror,
      progressed: ({ name, bytes }, done) => bar.show(`Fetching ${name}`, done, bytes),
    });
  } catch (error) {
    bar.clear();
    if (!GatewayError.is(error)) throw error;
    throw new CommandFailure("other", error.detail, {
      fix: "Behind a proxy, set HTTPS_PROXY. --from <address> takes the files from a place of yours.",
    });
  } finally {
    bar.clear();
    fetch.close();
  }
  terminal.print(
    `${model.name} is installed. Notes get new vectors with the next search; the old ones serve until then.`,
  );
  return 0;
}

export async function remove(call: CommandCall): Promise<number> {
  const model = modelNamed(call);
  await removeModel(model, stateDirOf(call));
  call.terminal.print(`${model.name} is removed. The model that comes along makes vectors again.`);
  return 0;
}

function modelNamed({ args }: CommandCall): KnownModel {
  const [id = ""] = args;
  const model = KNOWN_MODELS.find((one) => one.id === id);
  if (model) return model;
  throw usageFailure(`There is no model "${id}". Known: ${KNOWN_MODELS.map((one) => one.id).join(", ")}.`);
}

function stateDirOf({ env, state }: CommandCall): string {
  return openStateDirectory(env, state).paths.stateDir;
}

function bytesOf({ files }: KnownModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
