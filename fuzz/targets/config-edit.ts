// Changes of single values in the text of a configuration: what was meant changes, and nothing else.
import { removeFromText, setInText } from "../../packages/gateway/src/rooms/config/edit/json5-edit.ts";
import {
  deepEqual,
  dropAt,
  formatPath,
  isObject,
  parsePath,
  putAt,
  valueAt,
  type JsonObject,
  type Path,
} from "../../packages/gateway/src/rooms/config/edit/path.ts";
import { readConfigText } from "../../packages/gateway/src/rooms/config/read/read-text.ts";
import { joinParts, promise, splitParts, type Target } from "../target.ts";
import { parseOr } from "./json-text.ts";

export const configEdit: Target = {
  name: "config-edit",
  promises:
    "After a value was set it is there; after it was removed it is gone; all other values stay as they were, and the text stays readable. A path that was written is read as the same path.",
  kind: "text",
  seeds: () => [
    joinParts("{ a: 1, b: { c: [1, 2, 3] } }\n", "b.c[1]", '"x"'),
    joinParts('{\n  // first\n  a: 1, // one\n  "b": { c: "d", },\n}\n', "b.e.f", '{"g":[1]}'),
    joinParts("{'quoted key': [ {id: 1}, /* two */ {id: 2}, ], }", '["quoted key"][0].id', "null"),
    joinParts("{}", "a.b[0]", "true"),
    joinParts("{\r\n\ta: {\r\n\t\tb: 1\r\n\t}\r\n}", "a", "2"),
    joinParts('{ a: 1, a: 2, "\\u0061": 3 }', "a", "4"),
    joinParts('// only a comment\n{ list: ["a", "b"] // end\n}', "list[2]", '"c"'),
    joinParts("", "a", "1"),
  ],
  words: ["//", "/*", "*/", ",", ":", "[0]", '["', '"]', "\\u0061", "\\\n", "a", "b", "$", "_", "é", "0x1", "+.5"],
  maxLength: 3000,
  open: () => ({
    run(input) {
      const [text, place, written] = splitParts(input, 3);
      const path = parsePath(place);
      promise(deepEqual(parsePath(formatPath(path)), path), () => `${formatPath(path)} is read as another path`);
      // Deeper than a configuration may be.
      if (path.length > DEEPEST) return;
      // As it is written: JSON knows no negative zero.
      const value = parseOr(JSON.stringify(parseOr(written)) ?? "");
      const before = readConfigText(text);
      if (before.kind !== "read") return;
      checkRemoval(text, path, before.value);
      // A null in a patch is no value, and odd keys are refused before a text is changed.
      if (value !== undefined && readConfigText(JSON.stringify({ value })).kind === "read") {
        checkSetting(text, path, value, before.value);
      }
    },
  }),
};

const DEEPEST = 90;

function checkSetting(text: string, path: Path, value: unknown, before: JsonObject): void {
  const wanted = structuredClone(before);
  putAt(wanted, path, value);
  if (!canHold(before, path)) return;
  const after = readOrBreak(setInText(text, path, value), "setting a value");
  promise(deepEqual(valueAt(after, path), value), () => `${formatPath(path)} is not what it was set to`);
  promise(deepEqual(after, wanted), "setting a value changed another one");
}

function checkRemoval(text: string, path: Path, before: JsonObject): void {
  const wanted = structuredClone(before);
  if (!dropAt(wanted, path) || !canHold(before, path)) return;
  const after = readOrBreak(removeFromText(text, path), "removing a value");
  promise(deepEqual(after, wanted), "removing a value changed another one");
}

/** Keys are for objects and numbers for lists; others are told apart before a text is changed. */
function canHold(root: unknown, path: Path): boolean {
  return path.every((key, index) => {
    const holder = valueAt(root, path.slice(0, index));
    if (holder === undefined) return typeof key === "string" || key === 0;
    return Array.isArray(holder) ? typeof key === "number" : isObject(holder) ? typeof key === "string" : false;
  });
}

function readOrBreak(text: string, what: string): JsonObject {
  const read = readConfigText(text);
  promise(read.kind === "read", () => `${what} left a text that cannot be read: ${text}`);
  return read.value;
}
