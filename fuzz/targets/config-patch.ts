// Partial configurations laid over others.
import { mergeDeep } from "../../packages/gateway/src/rooms/config/read/include.ts";
import { applyMergePatch } from "../../packages/gateway/src/rooms/config/edit/merge-patch.ts";
import { deepEqual, diffPaths } from "../../packages/gateway/src/rooms/config/edit/path.ts";
import { readConfigText } from "../../packages/gateway/src/rooms/config/read/read-text.ts";
import { promise, type Target } from "../target.ts";
import { parseOr } from "./json-text.ts";

export const configPatch: Target = {
  name: "config-patch",
  promises:
    "A patch changes its target alone, the same patch twice changes nothing more, and an empty one nothing at all.",
  kind: "json",
  seeds: () => [
    '{"target":{"a":{"b":1,"c":[1,2]},"d":null},"patch":{"a":{"b":null,"e":{"f":1}}}}',
    '{"target":{"agents":{"list":[{"id":"a","x":1},{"id":"b"}]}},"patch":{"agents":{"list":[{"id":"b","y":2},{"id":"c"}]}}}',
    '{"target":{"list":[{"id":"a"},{"id":"a"}]},"patch":{"list":[{"id":"a","x":null},{"id":"a","z":3}]}}',
    '{"target":[],"patch":{"toString":{"a":1}}}',
  ],
  words: ["id", "list", "a", "b", "target", "patch"],
  open: () => ({
    run(input) {
      const read = parseOr(input) as { target?: unknown; patch?: unknown } | undefined | null;
      const target = checked(read?.target);
      const patch = checked(read?.patch);
      if (!target || !patch) return;
      const untouched = structuredClone(target);
      const once = applyMergePatch(target, patch);
      promise(deepEqual(target, untouched), "the target itself was changed");
      promise(deepEqual(applyMergePatch(once, patch), once), "the same patch again changed something");
      promise(deepEqual(applyMergePatch(target, {}), target), "an empty patch changed something");
      promise(deepEqual(diffPaths(once, once), []), "a configuration differs from itself");
      promise(deepEqual(mergeDeep(target, {}), target), "nothing included changed something");
    },
  }),
};

/** As whoever applies a patch has read it before. */
function checked(value: unknown): object | undefined {
  const read = readConfigText(JSON.stringify(value) ?? "");
  return read.kind === "read" ? read.value : undefined;
}
