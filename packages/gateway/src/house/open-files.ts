// OpenClaw's files of conversations: taken over at a start, and kept current from then on.
import { indexStore } from "../rooms/config/room.ts";
import { createImporter, createMirror, IMPORT_AT_START_BYTES } from "../rooms/ledger/room.ts";
import { mainSessionKey } from "@chela/sdk";
import type { House } from "./house.ts";

export interface SessionFiles {
  /** Before anybody can send messages: what other programs, or a life before the ledger, left in files. */
  takeUp(): Promise<void>;
  /** What files say of a session is read before a turn of it: those of a first start, and what another program wrote since. */
  complete(sessionKey: string): Promise<void>;
  /** Begins to follow the ledger. */
  start(): void;
  /** Resolves when the files are what the ledger is. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

type FilesHouse = Pick<
  House,
  "ledger" | "clock" | "ids" | "log" | "config" | "paths" | "stateDir" | "keys" | "sessions" | "transcripts" | "lanes"
>;

export function openFiles(house: FilesHouse): SessionFiles {
  const { ledger, clock, ids, log, stateDir, sessions, transcripts, lanes } = house;
  const written = indexStore(house.config.current(), house.paths);
  const store = written ? { store: written } : {};
  const merged = async (what: string): Promise<void> =>
    (await import("./start/takeover-text.ts")).noteMerge(ledger, { at: clock.now(), what });
  const importer = createImporter({ ledger, stateDir, log, clock, ids, ...store, merged });
  const mirror = createMirror({
    ledger,
    stateDir,
    clock,
    ids,
    log,
    homeSessionKey: () => mainSessionKey(house.keys().defaultAgentId, house.keys()),
    ...store,
    strangers: importer,
    merged,
    guards: {
      session: (key, work) => sessions.alone(key, work),
      transcript: (sessionId, work) => transcripts.alone(sessionId, work),
      isBusy: (key) => lanes.runIds(key).length > 0,
    },
  });
  /** Large directories are read while the gateway already answers. */
  let isReading = false;

  async function takeOver(): Promise<void> {
    if (!(await importer.isNeeded())) return mirror.takeOver();
    const { bytes } = await importer.survey();
    if (bytes < IMPORT_AT_START_BYTES) return void (await importer.importAll());
    await importer.importIndexes();
    isReading = true;
    void importer.importAll().then(
      () => (isReading = false),
      (error: unknown) => log.error("the import of older transcripts stopped", { error: String(error) }),
    );
  }

  return {
    async takeUp() {
      await takeOver();
      await mirror.takeOverHome();
    },
    async complete(sessionKey) {
      const entry = isReading ? await ledger.session(sessionKey) : undefined;
      if (entry) await importer.importTranscript(entry.sessionId);
      await mirror.heed(sessionKey);
    },
    start: () => mirror.start(),
    flush: () => mirror.flush(),
    stop: () => mirror.stop(),
  };
}
