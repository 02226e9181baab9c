// How modules of plugins are read: types gone, names only types used dropped, what scripts have given to modules.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blank } from "./blank.ts";
import { dropTypeImports } from "./drop-type-imports.ts";
import { readModule } from "./read-module.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chela-loader-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(name: string, text: string, type?: "module" | "commonjs") {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readModule(path, type);
}

describe("blanking", () => {
  it.each([
    ["a // b\nc", "a     \nc"],
    ["a /* b */ c", "a         c"],
    [`x = "a'b" + 'c"d'`, "x =       +      "],
    ["x = `a${b + `c${d}`}e`", "x =   ${b +   ${d} }  "],
    ["x = /[/'\"]+/g; y", "x =        g; y"],
    ["a / b / c", "a / b / c"],
  ])("%s", (text, wanted) => {
    const blanked = blank(text);
    expect(blanked.length).toBe(text.length);
    expect(blanked.replaceAll(/[`$]/g, " ").split(/\s+/)).toEqual(wanted.replaceAll(/[`$]/g, " ").split(/\s+/));
  });
});

describe("imports of types", () => {
  it.each([
    ['import { A, b } from "./x";\nb();', 'import { b } from "./x";\nb();'],
    ['import { A as B } from "./x";', 'import {} from "./x";'],
    ['import { A } from "./x"; // A is used\n', 'import {} from "./x"; // A is used\n'],
    ['import d, { A, b } from "./x"; d(b);', 'import d, { b } from "./x"; d(b);'],
    ['import { a } from "./x"; export { a };', 'import { a } from "./x"; export { a };'],
  ])("%s", (text, wanted) => {
    expect(dropTypeImports(text).replaceAll(/\s+/g, " ")).toBe(wanted.replaceAll(/\s+/g, " "));
  });
});

describe("the kind of a module", () => {
  it.each<[string, string, string, "module" | "commonjs" | undefined, string]>([
    ["types with imports", "a.ts", 'import x from "x"; const y: number = x;', undefined, "module"],
    ["a script in a package of modules", "b.js", "module.exports = 1;", "module", "commonjs"],
    ["a module in a package of scripts", "c.js", "export const a = 1;", "commonjs", "module"],
    [
      "a script that asks where it lies like a module",
      "d.cjs",
      "module.exports = import.meta.url;",
      undefined,
      "module",
    ],
    ["module.exports in types", "e.ts", "const a: number = 1; module.exports = { a };", undefined, "commonjs"],
    ["an import for its effect", "f.js", 'import "./x.js";', undefined, "module"],
    ["words in a text", "g.js", 'module.exports = "export default 1";', undefined, "commonjs"],
    ["what cannot only be stripped", "h.ts", "export enum A { B = 1 }", undefined, "module"],
  ])("%s", (_, name, text, type, format) => {
    expect(read(name, text, type).format).toBe(format);
  });

  it("is given what scripts have, where it uses that", () => {
    const { source } = read("m.js", "import a from 'a'; require('b'); module.exports = __dirname;");
    expect(source).toMatch(/createRequire.*const require = .*import\.meta\.dirname.*const module = /);
    expect(source).toMatch(/export default module\.exports;$/);
  });
});
