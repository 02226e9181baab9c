import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOMS } from "../../house/contributions.ts";
import { COMMANDS } from "./command-table.ts";

const FOLDER = join(import.meta.dirname, "../../rooms");

describe("the table of commands", () => {
  it.each(ROOMS.flatMap(({ id, cli }) => (cli ? [{ id, cli }] : [])))(
    "has each command that the room $id hands in",
    async ({ cli }) => {
      const commands = await cli();
      expect(commands.length).toBeGreaterThan(0);
      expect(COMMANDS).toEqual(expect.arrayContaining([...commands]));
    },
  );

  it("knows no table that a room has and does not hand in", () => {
    const folders = globSync("*/cli/commands.ts", { cwd: FOLDER }).map((path) => path.split("/")[0]);
    expect(folders.toSorted()).toEqual(ROOMS.flatMap(({ id, cli }) => (cli ? [id] : [])).toSorted());
  });

  it("has each command once", () => {
    const paths = COMMANDS.map(({ path }) => path.join(" "));
    expect(paths).toEqual([...new Set(paths)]);
  });

  it("loads the code of each command", async () => {
    for (const { load } of COMMANDS) if (load) expect(await load()).toBeTypeOf("function");
  }, 60_000);
});
