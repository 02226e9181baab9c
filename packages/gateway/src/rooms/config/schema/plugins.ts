// `plugins`: which plugins of others may run, where they lie, and what each of them is told.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, choice, item, key, mapOf, positive, section, secretMap, text, texts } from "@chela/sdk/config";

const anything = once(() => z.record(z.string(), z.unknown()).optional());
const timeouts = once(() => z.record(z.string(), z.int().positive().max(600_000)).optional());
const hashes = once(() => z.record(z.string(), z.string()).optional());

const entry = () => ({
  enabled: key(bool(), "Whether it runs. Absent: as it is with plugins of its origin."),
  config: key(anything(), "Its own settings, as its manifest describes them."),
  env: key(secretMap(), "Variables of its environment."),
  hooks: block(() => ({
    allowPromptInjection: key(bool(), "Whether its hooks may add to what a model is told first.", { preset: true }),
    allowConversationAccess: key(
      bool(),
      "Switched off, its hooks neither hear nor change what is said, whatever was approved.",
      { preset: true },
    ),
    timeoutMs: key(positive(), "How long one of its hooks may take, instead of the hook's own time."),
    timeouts: key(timeouts(), "The same for single hooks, by their names."),
  })),
});

export const pluginsSection = section("Code of others that extends the gateway.", { reload: "live" }, () =>
  block(() => ({
    enabled: key(bool(), "Whether plugins run at all.", { preset: true }),
    allow: key(texts(), "The only plugins that may run; all of them when the list is empty."),
    deny: key(texts(), "Plugins that never run, whatever else is said."),
    load: block(() => ({
      paths: key(texts(), "Files and folders with plugins, besides those of the state directory and of workspaces."),
    })),
    slots: block(() => ({
      memory: key(text(), "The plugin that is the memory; none for nobody."),
      contextEngine: key(text(), "The plugin that decides what of a conversation a model sees."),
    })),
    walls: key(
      choice("auto", "node"),
      "What plugins are kept in: bubblewrap where it works, or Node's permissions alone.",
      { preset: "auto" },
    ),
    heapMb: key(positive(), "How large the heap of a plugin's process may grow.", { preset: 256 }),
    trusted: key(
      hashes(),
      "Plugins that run in the gateway's own process, without walls: by id, with the hash of their files.",
    ),
    entries: mapOf(item(entry)),
    installs: mapOf(
      item(() => ({
        source: key(choice("npm", "archive", "path", "clawhub", "marketplace", "git"), "Where it came from."),
        spec: key(text(), "What was asked for."),
        sourcePath: key(text(), "The path it came from."),
        installPath: key(text(), "Where it lies."),
        version: key(text(), "Its version."),
        resolvedName: key(text(), "The name that was found."),
        resolvedVersion: key(text(), "The version that was found."),
        resolvedSpec: key(text(), "The name and version that were found."),
        integrity: key(text(), "The hash its registry told."),
        shasum: key(text(), "The older hash its registry told."),
        resolvedAt: key(text(), "When it was found."),
        installedAt: key(text(), "When it was installed."),
        clawhubUrl: key(text(), "The address of the registry."),
        clawhubPackage: key(text(), "Its name there."),
        clawhubFamily: key(choice("code-plugin", "bundle-plugin"), "Its kind there."),
        clawhubChannel: key(choice("official", "community", "private"), "Who answers for it there."),
        marketplaceName: key(text(), "The marketplace it came from."),
        marketplaceSource: key(text(), "Where that marketplace is."),
        marketplacePlugin: key(text(), "Its name there."),
      })),
    ),
  })),
);
