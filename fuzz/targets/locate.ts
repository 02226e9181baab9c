// Paths as models write them, in a workspace with links that lead out of it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { locate as locatePlace } from "../../packages/gateway/src/rooms/tools/files/locate.ts";
import { findFile } from "../../packages/gateway/src/server/http/static-file.ts";
import { promise, type OpenTarget, type Target } from "../target.ts";

export const locate: Target = {
  name: "locate",
  promises:
    "A path leads to a place inside the workspace, or nowhere; never into a forbidden tree, however it is written. No path of an address leaves the page's folder.",
  kind: "text",
  seeds: () => [
    "notes/today.md",
    "./notes/../notes/new.md",
    "link-in/today.md",
    "link-out/secret.txt",
    "deep/link-up/../secret.txt",
    "../outside/secret.txt",
    "~/x",
    "/workspace/notes/today.md",
    "circle/x",
    "closed/secret.txt",
    "link-closed",
    "/%2e%2e/outside",
    "dangling",
  ],
  words: [
    ..."../ ./ // / .. . ~ link-in link-out link-up link-closed circle notes closed deep outside secret.txt today.md".split(
      " ",
    ),
    ..."%2e%2e %2f %5c \\ \\..\\ : /proc/self/cwd /proc/self/root /dev/fd/0 file:// \0 .git /workspace/ nul".split(" "),
  ],
  maxLength: 600,
  open: openYard,
};

function openYard(): OpenTarget {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "chela-fuzz-")));
  const workspace = join(root, "state", "workspace");
  const closed = join(workspace, "closed");
  for (const path of [
    "outside/secret.txt",
    "state/secret.txt",
    "state/workspace/notes/today.md",
    "state/workspace/closed/secret.txt",
    "state/workspace/deep/a",
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "x");
  }
  const links = {
    "link-in": "notes",
    "link-out": "../../outside",
    "deep/link-up": "../..",
    circle: "circle",
    "link-closed": "closed/secret.txt",
    dangling: "../../not-there",
    absolute: join(root, "outside"),
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workspace, name));
  const forbidden = [join(root, "state"), closed];
  const rules = [
    { workspace, workspaceOnly: true, forbidden },
    { workspace, workspaceOnly: true, forbidden, seenAs: "/workspace" },
    { workspace, workspaceOnly: false, forbidden: [...forbidden, join(root, "outside")] },
  ];
  return {
    run(input) {
      for (const rule of rules) {
        const real = realOf(input, rule);
        if (real === undefined) continue;
        const isInside = isBelow(workspace, real);
        promise(isInside || !rule.workspaceOnly, () => `${real} lies outside`);
        const isClosed = [join(root, "state"), join(root, "outside")].some((tree) => isBelow(tree, real));
        promise(isInside || !isClosed, () => `${real} lies in a closed tree`);
        promise(!isBelow(closed, real), () => `${real} is forbidden`);
        promise(!/^\/(?:proc|sys|dev)\//.test(real), () => `${real} belongs to the kernel`);
      }
      const found = findFile(workspace, input.startsWith("/") ? input : `/${input}`);
      promise(found === undefined || isBelow(workspace, realpathSync(found)), () => `${found} is served`);
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Where the path leads, links resolved as far as there is something; undefined when it is refused. */
function realOf(input: string, rules: Parameters<typeof locatePlace>[1]): string | undefined {
  try {
    using place = locatePlace(input, rules);
    const held = realpathSync(place.folder.real);
    promise(held === place.folder.real, () => `${place.folder.real} is ${held}`);
    return place.real;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("TOOL_")) return undefined;
    throw error;
  }
}

function isBelow(parent: string, path: string): boolean {
  return path === parent || path.startsWith(parent + sep);
}
