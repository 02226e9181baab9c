// Buttons below a message: Discord keeps 100 characters for each, longer data stay here.
import { createHash } from "node:crypto";
import type { Button, ChannelHost } from "@chela/sdk";

const ID_LIMIT = 100;
const LABEL_LIMIT = 80;
const PER_ROW = 5;
const MOST_ROWS = 5;
const IN_FULL = "d:";
const BY_NAME = "r:";

const ACTION_ROW = 1;
const BUTTON = 2;
const SECONDARY = 2;

type Memory = Pick<ChannelHost, "remember" | "recall">;

/** Rows that are too long go on in the next one; Discord shows 25 buttons at most. */
export async function writeButtons(rows: ReadonlyArray<readonly Button[]>, memory: Memory): Promise<unknown[]> {
  const cut = rows.flatMap((row) => chunk(row, PER_ROW)).slice(0, MOST_ROWS);
  return Promise.all(
    cut.map(async (row) => ({
      type: ACTION_ROW,
      components: await Promise.all(
        row.map(async ({ text, data }) => ({
          type: BUTTON,
          style: SECONDARY,
          label: [...text].slice(0, LABEL_LIMIT).join("").trim() || "·",
          custom_id: await writeId(data, memory),
        })),
      ),
    })),
  );
}

/** What a button stands for; undefined when it was forgotten. */
export async function readButton(customId: string, memory: Memory): Promise<string | undefined> {
  if (customId.startsWith(IN_FULL)) return customId.slice(IN_FULL.length);
  if (customId.startsWith(BY_NAME)) return memory.recall(`button:${customId.slice(BY_NAME.length)}`);
  return customId;
}

async function writeId(data: string, memory: Memory): Promise<string> {
  if (IN_FULL.length + data.length <= ID_LIMIT) return IN_FULL + data;
  const name = createHash("sha256").update(data).digest("base64url").slice(0, 32);
  await memory.remember(`button:${name}`, data);
  return BY_NAME + name;
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < list.length; start += size) chunks.push(list.slice(start, start + size));
  return chunks;
}
