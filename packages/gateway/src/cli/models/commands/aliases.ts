// `chela models aliases …`: short names for models.
import { type CommandCall, CommandFailure, usageFailure } from "@chela/sdk/command-line";
import { nearestWord } from "../../../base/text/nearest.ts";
import { formatTable } from "../../../base/terminal/layout.ts";
import { listAliases } from "../models-alias-list.ts";
import { changeDefaults, openModelDefaults, requireModel } from "../models-defaults.ts";

export async function list(call: CommandCall): Promise<number> {
  const { terminal, flags } = call;
  const aliases = listAliases(openModelDefaults(call).config);
  if (flags.has("json"))
    terminal.printJson({ aliases: Object.fromEntries(aliases.map((one) => [one.alias, one.ref])) });
  else if (flags.has("plain")) for (const { alias, ref } of aliases) terminal.print(`${alias} ${ref}`);
  else if (aliases.length === 0) terminal.print("No aliases. `chela models aliases add <alias> <model>` makes one.");
  else for (const line of formatTable(aliases.map(({ alias, ref }) => [alias, ref]))) terminal.print(line);
  return 0;
}

export async function add(call: CommandCall): Promise<number> {
  const [alias = "", typed = ""] = call.args;
  if (!/^[A-Za-z0-9][\w.:+-]*$/.test(alias)) {
    throw usageFailure(`"${alias}" cannot be an alias.`, "Aliases are letters, digits and . _ : + - without spaces.");
  }
  const opened = openModelDefaults(call);
  const taken = findOwn(opened.config, alias);
  const ref = requireModel(opened, typed, call);
  if (taken && taken.ref !== ref) {
    throw new CommandFailure("other", `The alias ${alias} stands for ${taken.ref} already.`, {
      fix: `\`chela models aliases remove ${alias}\` frees it.`,
    });
  }
  changeDefaults(opened, { models: { [ref]: { alias } } }, `${alias} stands for ${ref} now.`, call);
  return 0;
}

export async function remove(call: CommandCall): Promise<number> {
  const [alias = ""] = call.args;
  const opened = openModelDefaults(call);
  const found = findOwn(opened.config, alias);
  if (!found) throw unknownAlias(opened.config, alias);
  // The model stays listed: whoever lists models says by that which ones may be used.
  const patch = { models: { [found.ref]: { alias: null } } };
  changeDefaults(opened, patch, `The alias ${found.alias} is removed.`, call);
  return 0;
}

type Config = Parameters<typeof listAliases>[0];

function findOwn(config: Config, alias: string) {
  const lower = alias.toLowerCase();
  return listAliases(config).find((one) => !one.isBuiltIn && one.alias.toLowerCase() === lower);
}

function unknownAlias(config: Config, alias: string): CommandFailure {
  const known = listAliases(config);
  if (known.some((one) => one.alias === alias)) {
    return new CommandFailure("other", `${alias} is built in and cannot be removed.`, {
      fix: `\`chela models aliases add ${alias} <model>\` gives it another meaning.`,
    });
  }
  const names = known.map((one) => one.alias);
  const near = nearestWord(alias, names);
  const fix = near ? `Did you mean ${near}?` : names.length > 0 ? `There are: ${names.join(", ")}.` : undefined;
  return new CommandFailure("other", `There is no alias ${alias}.`, { fix });
}
