// The bundler is told where names come from, so that a chunk has what it needs of a room and not the room.
import { build } from "esbuild";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { seeThroughRooms } from "./see-through-rooms.ts";

const folder = mkdtempSync(join(tmpdir(), "chela-rooms-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILES = {
  "light.ts": `export type Kind = "light"; export const light = (): string => "light"; export const other = 1;`,
  "heavy.ts": `export function heavy(): string { return "heavy"; }`,
  "more.ts": `export class More { readonly word = "more"; }\nconst inner = "inner";\nexport { inner };`,
  "room.ts": `export { light as bright, type Kind } from "./light.ts";\nexport { heavy } from "./heavy.ts";\nexport * from "./more.ts";`,
  "mixed.ts": `export { light } from "./light.ts";\nexport const own = "own";`,
  "start.ts": `import { bright, type Kind } from "./room.ts";\nimport {\n  inner as mine,\n} from "a-package";\nimport { own } from "./mixed.ts";\nconst kind: Kind = "light";\nexport const words = [bright(), mine, own, kind];\nexport const later = () => import("./later.ts");`,
  "later.ts": `import { heavy, More } from "./room.ts";\nexport const words = [heavy(), new More().word];`,
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);

async function bundle(isSeeing: boolean): Promise<string[]> {
  const room = join(folder, "room.ts");
  const { metafile } = await build({
    entryPoints: [join(folder, "start.ts")],
    outdir: join(folder, "out"),
    bundle: true,
    splitting: true,
    format: "esm",
    metafile: true,
    write: false,
    alias: { "a-package": room },
    plugins: isSeeing ? [seeThroughRooms({ roots: [folder], packages: { "a-package": room } })] : [],
  });
  const outputs = Object.entries(metafile.outputs);
  const reached = new Set(
    outputs.filter(([, { entryPoint }]) => entryPoint?.endsWith("start.ts")).map(([name]) => name),
  );
  for (const name of reached) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === "import-statement") reached.add(path);
  }
  const inputs = [...reached].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}));
  return inputs.map((path) => path.replace(/.*\//, "")).sort();
}

it("without it, whatever the room has is in the start", async () => {
  expect(await bundle(false)).toContain("heavy.ts");
});

it("names are taken from where they are made: renamed, listed, all handed on, of a package, and of the room itself", async () => {
  expect(await bundle(true)).toEqual(["light.ts", "mixed.ts", "more.ts", "start.ts"]);
});
