// The home session as pairs of what was asked and answered, whichever channel each came from.
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { once, type Ledger, type RunRecord } from "@chela/sdk";

const NEWEST_PAIRS = 200;
const CREATED_KEY = "home-session:created-at";

const AskedBody = once(() =>
  z.looseObject({ text: z.string().min(1), client: z.looseObject({ mode: z.string().optional() }).optional() }),
);

export interface HomeMessage {
  readonly id: string;
  readonly user_text: string;
  readonly bot_text: string;
  readonly channel: string;
  readonly sent_at: string;
  readonly replied_at: string;
  /** Why there is no answer, when there is none. */
  readonly error?: string;
}

export interface HomeSession {
  readonly id: "home";
  readonly created_at: string;
  readonly updated_at: string;
  readonly messages: readonly HomeMessage[];
}

export async function readHomeSession(ledger: Ledger, sessionKey: string): Promise<HomeSession | undefined> {
  const pairs = (await ledger.exchanges(sessionKey, NEWEST_PAIRS)).flatMap(toHomePair);
  const first = pairs[0];
  const last = pairs.at(-1);
  if (!first || !last) return undefined;
  return {
    id: "home",
    created_at: (await ledger.value(CREATED_KEY)) ?? first.sent_at,
    updated_at: last.replied_at,
    messages: pairs.map((pair, index) => ({ id: String(index + 1), ...pair })),
  };
}

/** Nothing for a run without text or without an end. */
export function toHomePair(run: RunRecord): Array<Omit<HomeMessage, "id">> {
  const body = AskedBody().safeParse(run.message.body);
  if (!body.success || !run.outcome) return [];
  const { text, client } = body.data;
  return [
    {
      user_text: text,
      bot_text: run.outcome.texts.join("\n\n"),
      channel: client?.mode === "cli" ? "cli" : run.message.channel,
      sent_at: new Date(run.message.admittedAt).toISOString(),
      replied_at: new Date(run.endedAt ?? run.message.admittedAt).toISOString(),
      ...(run.outcome.error === undefined ? {} : { error: run.outcome.error }),
    },
  ];
}

/** Writes `sessions/default.json`; nothing while nothing was said. */
export async function writeHomeSession(ledger: Ledger, stateDir: string, sessionKey: string): Promise<void> {
  const session = await readHomeSession(ledger, sessionKey);
  if (!session) return;
  if ((await ledger.value(CREATED_KEY)) === undefined) {
    await ledger.commit([{ kind: "value-put", key: CREATED_KEY, value: session.created_at }]);
  }
  const directory = join(stateDir, "sessions");
  const path = join(directory, "default.json");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new.tmp`, `${JSON.stringify(session, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new.tmp`, path);
}
