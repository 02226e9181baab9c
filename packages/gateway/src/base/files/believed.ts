// Remembers, under a key of its own, what stood in files that guard the gateway, so that what others wrote there meanwhile
// is not believed just because it is there.
import { timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { once, type Logger } from "@chela/sdk";
import * as z from "zod";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { hashOf, makeKey, readKey } from "./key-file.ts";

export interface Believed {
  /**
   * Which of the items a file holds may be believed. The first time it is all of them; later those that are known, and
   * those that were put there while no gateway ran. The others are refused until somebody accepts them.
   */
  sift(file: string, items: readonly string[]): ReadonlySet<string>;
  /** What was believed of a file when it was last written or looked at. */
  known(file: string): readonly string[];
  /** We write the file ourselves, or a person accepts it: from now on these are believed. */
  remember(file: string, items: readonly string[]): void;
  /** The gateway has stopped, and nothing of its agents runs any more. */
  close(): void;
}

interface BelievedFolder {
  /** Private to the user the gateway runs as. */
  readonly folder: string;
  /** Whether agents run in this process; a command line only looks. */
  readonly runsAgents: boolean;
  readonly log: Logger;
}

const recordSchema = once(() =>
  z.object({
    version: z.literal(1),
    isOpen: z.boolean(),
    files: z.record(z.string(), z.object({ believed: z.array(z.string()), refused: z.array(z.string()) })),
    mac: z.string(),
  }),
);
interface FileRecord {
  believed: string[];
  refused: string[];
}
interface BelievedFiles {
  isOpen: boolean;
  files: Record<string, FileRecord>;
}

const KEY = "guard.key";
const RECORD = "guarded.json";

export function createBelieved({ folder, runsAgents, log }: BelievedFolder): Believed {
  const [keyPath, recordPath] = [join(folder, KEY), join(folder, RECORD)];
  let stamp = "";
  let opened:
    | { readonly key: Buffer; readonly record: BelievedFiles; readonly isFresh: boolean; readonly mayAdopt: boolean }
    | undefined;
  const looked = new Set<string>();

  const save = (): void => {
    if (!opened) return;
    const { key, record } = opened;
    const body = { version: 1, isOpen: record.isOpen, files: record.files };
    writeFileAtomic(recordPath, `${JSON.stringify({ ...body, mac: hashOf(JSON.stringify(body), key) }, null, 2)}\n`);
    stamp = stampOf(recordPath);
  };
  /** The command line may have written it meanwhile. */
  const readAgain = (): void => {
    if (!opened || stamp === stampOf(recordPath)) return;
    stamp = stampOf(recordPath);
    const read = readRecord(recordPath, opened.key);
    if (read.kind === "record") opened.record.files = read.record.files;
    else
      log.error("What is known of the files that guard the gateway was changed by somebody else; it is written anew", {
        file: recordPath,
      });
  };
  const open = () => {
    readAgain();
    if (opened) return opened;
    stamp = stampOf(recordPath);
    const key = readKey(keyPath);
    const read = readRecord(recordPath, key);
    if (read.kind === "broken")
      log.error(
        "What stood in the files that guard the gateway is not known any more, so nothing new in them is believed until it is accepted",
        {
          file: recordPath,
          why: read.why,
        },
      );
    const record: BelievedFiles = read.kind === "record" ? read.record : { isOpen: false, files: {} };
    opened = {
      key: key ?? makeKey(keyPath),
      record,
      isFresh: read.kind === "none" && key === undefined,
      mayAdopt: read.kind !== "broken" && !record.isOpen,
    };
    if (runsAgents && !record.isOpen) {
      record.isOpen = true;
      save();
    }
    return opened;
  };

  return {
    sift(file, items) {
      const { record, isFresh, mayAdopt } = open();
      const isFirstLook = !looked.has(file);
      looked.add(file);
      const kept = record.files[file];
      if (!kept && (isFresh || mayAdopt)) {
        record.files[file] = { believed: [...items], refused: [] };
        save();
        return new Set(items);
      }
      const known = kept ?? { believed: [], refused: [] };
      const fresh = items.filter((item) => !known.believed.includes(item) && !known.refused.includes(item));
      if (fresh.length > 0) {
        const adopts = mayAdopt && isFirstLook;
        if (adopts)
          log.info("A file that guards the gateway was changed while it did not run; the change is in force", { file });
        else
          log.warn(
            "A file that guards the gateway was changed by somebody else while agents could run commands; what was added is not in force",
            {
              file,
              additions: fresh.length,
            },
          );
        record.files[file] = adopts
          ? { ...known, believed: [...known.believed, ...fresh] }
          : { ...known, refused: [...known.refused, ...fresh] };
        save();
      }
      const believed = new Set(record.files[file]?.believed ?? []);
      return new Set(items.filter((item) => believed.has(item)));
    },
    known: (file) => open().record.files[file]?.believed ?? [],
    remember(file, items) {
      const { record } = open();
      const before = record.files[file];
      const refused = (before?.refused ?? []).filter((item) => !items.includes(item));
      looked.add(file);
      if (before && isSame(before.believed, items) && refused.length === before.refused.length) return;
      record.files[file] = { believed: [...items], refused };
      save();
    },
    close() {
      if (!opened?.record.isOpen || !runsAgents) return;
      opened.record.isOpen = false;
      save();
    },
  };
}

function stampOf(path: string): string {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return facts ? `${facts.ino}:${facts.size}:${facts.mtimeNs}` : "";
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item) => right.includes(item));
}

type ReadRecord =
  | { readonly kind: "record"; readonly record: BelievedFiles }
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly why: string };

function readRecord(path: string, key: Buffer | undefined): ReadRecord {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) !== "ENOENT")
      return { kind: "broken", why: `it cannot be read (${errnoOf(error) ?? "unknown reason"})` };
    return key ? { kind: "broken", why: "it is missing" } : { kind: "none" };
  }
  if (!key) return { kind: "broken", why: "its key is missing" };
  try {
    const { mac, ...body } = recordSchema().parse(JSON.parse(text));
    const [expected, found] = [Buffer.from(hashOf(JSON.stringify(body), key)), Buffer.from(mac)];
    if (expected.length !== found.length || !timingSafeEqual(expected, found))
      return { kind: "broken", why: "it was changed by somebody else" };
    return { kind: "record", record: { isOpen: body.isOpen, files: body.files } };
  } catch {
    return { kind: "broken", why: "it cannot be understood" };
  }
}
