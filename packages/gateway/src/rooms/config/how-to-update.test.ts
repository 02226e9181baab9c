// What a person types to have a newer version, for each way they may have installed this one.
import { expect, it } from "vitest";
import type { InstalledAs } from "../../base/installed-as.ts";
import { howToUpdate } from "./gateway-tool.ts";

it.each<[InstalledAs, string]>([
  [{ kind: "clone", root: "/srv/chela" }, "in /srv/chela, npx chela gateway stop, git pull, npm ci and npm start."],
  [{ kind: "global" }, "chela gateway stop, npm install -g chela@latest and chela gateway run."],
  [
    { kind: "local", root: "/srv/bot" },
    "in /srv/bot, npx chela gateway stop, npm install chela@latest and npx chela gateway run.",
  ],
  [{ kind: "unknown" }, "chela gateway stop, put the new version in the place of this one, and chela gateway run."],
])("%j: %s", (installed, says) => {
  expect(howToUpdate(installed)).toBe(says);
});
