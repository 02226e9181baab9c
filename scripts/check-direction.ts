// Checks who imports whom: rooms do not know each other; the hallway, the doors and the composition root join them.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const GATEWAY = "packages/gateway/src/";
const IN_ROOMS = `${GATEWAY}rooms/`;
/** The list of rooms, in order. Each folder of rooms stands there: none is outside of the check. */
const ROOMS = roomsInOrder();
const HOUSE = `${GATEWAY}house/house.ts`;

interface Rule {
  readonly says: string;
  /** Whether this import breaks the rule; paths are relative to the repository, packages by their name. */
  breaks(from: string, to: string, isOnlyTypes: boolean): boolean;
}

/** A file of one of the channels that come along; its group is the channel. */
const CHANNEL = /^packages\/channels\/src\/([^/]+)\//;
/** A file of one page of the control page. */
const PAGE = /^packages\/ui\/src\/pages\/([^/]+)\//;
/** What runs in the memory keeper, a process of its own. */
const KEEPER = "packages/memory/src/";
const CHANNEL_TABLE = `${IN_ROOMS}channels/index.ts`;
/** The one file of the config room that looks at others: it puts together what may be written below `channels`. */
const CHANNEL_SECTIONS = `${IN_ROOMS}config/schema/channels.ts`;

/** A room by its name, or the folder beside the rooms. */
function folderOf(path: string): string {
  if (!path.startsWith(GATEWAY)) return "";
  const [first = "", second = ""] = path.slice(GATEWAY.length).split("/");
  return first === "rooms" ? second : first;
}

const RULES: readonly Rule[] = [
  {
    says: "a room imports base, the sdk and itself, and types alone of the house and of the room.ts of rooms before it",
    breaks(from, to, isOnlyTypes) {
      const room = folderOf(from);
      if (from === CHANNEL_SECTIONS && to === CHANNEL_TABLE) return false;
      if (!ROOMS.includes(room) || !to.startsWith(GATEWAY) || [room, "base"].includes(folderOf(to))) return false;
      const isBefore = ROOMS.indexOf(folderOf(to)) >= 0 && ROOMS.indexOf(folderOf(to)) < ROOMS.indexOf(room);
      const isDoorOfRoom = to === `${IN_ROOMS}${folderOf(to)}/room.ts`;
      return !isOnlyTypes || !(to === HOUSE || (isBefore && isDoorOfRoom));
    },
  },
  {
    says: "base knows nobody",
    breaks: (from, to) => folderOf(from) === "base" && to.startsWith(GATEWAY) && folderOf(to) !== "base",
  },
  {
    says: "flow does not know the doors",
    breaks: (from, to) => folderOf(from) === "flow" && ["server", "cli"].includes(folderOf(to)),
  },
  {
    says: "the sdk stands alone",
    breaks: (from, to) => from.startsWith("packages/sdk/") && to.startsWith("packages/gateway/"),
  },
  {
    says: "SQLite stays in the ledger, in the indexes that are made from it and from notes, and behind the kernel's locks",
    breaks: (from, to) =>
      to === "node:sqlite" &&
      from.startsWith(GATEWAY) &&
      from !== `${GATEWAY}base/locks/kernel-lock.ts` &&
      !["ledger", "search"].includes(folderOf(from)) &&
      !isTest(from),
  },
  {
    says: "the memory keeper is a process of its own: it knows the sdk and nothing else of ours",
    breaks: (from, to) => from.startsWith(KEEPER) && to.startsWith("packages/") && !sharesPackage(from, to),
  },
  {
    says: "the gateway knows of the memory keeper what both say to each other, by the name of its package",
    breaks: (from, to) => from.startsWith(GATEWAY) && to.startsWith("packages/memory/"),
  },
  {
    says: "model packages are imported by their provider file only, which is loaded on first use",
    breaks: (from, to) =>
      to.startsWith("@ai-sdk/") && !from.startsWith(`${IN_ROOMS}models/providers/`) && !isTest(from),
  },
  {
    says: "a channel is an island: it imports the sdk, its libraries and its own folder",
    breaks: (from, to) => {
      const island = CHANNEL.exec(from)?.[1];
      const isOfOurs = to.startsWith("packages/") || (to.startsWith("@chela/") && !to.startsWith("@chela/sdk"));
      return island !== undefined && isOfOurs && CHANNEL.exec(to)?.[1] !== island;
    },
  },
  {
    says: "a config section knows the sdk and nothing else of ours: it is read before anything works",
    breaks: (from, to) => from.endsWith("/section.ts") && to !== "zod" && !to.startsWith("@chela/sdk"),
  },
  {
    says: "only the gateway's table of channels names a channel, by its package, and loads it on first use",
    breaks: (from, to) =>
      !isTest(from) &&
      ((to.startsWith("@chela/channels") && from !== CHANNEL_TABLE) || (CHANNEL.test(to) && !CHANNEL.test(from))),
  },
  {
    says: "a channel in a package of its own knows the sdk and nothing else of ours",
    breaks: (from, to) =>
      from.startsWith("packages/channel-") && to.startsWith("packages/") && !sharesPackage(from, to),
  },
  {
    says: "a page does not know another page; what both need lies beside them",
    breaks: (from, to) => {
      const page = PAGE.exec(from)?.[1];
      return page !== undefined && PAGE.test(to) && PAGE.exec(to)?.[1] !== page;
    },
  },
  {
    says: "the page knows the sdk and nothing else of ours",
    breaks: (from, to) => from.startsWith("packages/ui/src/") && to.startsWith("packages/") && !sharesPackage(from, to),
  },
  { says: "tests are not part of the product", breaks: (from, to) => !isTest(from) && isTest(to) },
];

function sharesPackage(from: string, to: string): boolean {
  const packageOf = (path: string): string => path.split("/").slice(0, 2).join("/");
  return packageOf(from) === packageOf(to);
}

function isTest(path: string): boolean {
  return /\.test(-support)?\.ts$|\/testing\/|\/test\//.test(path);
}

interface Import {
  readonly to: string;
  readonly isOnlyTypes: boolean;
}

/** Every module a file names in an import, an export or a dynamic import; types count. */
function importsOf(path: string): Import[] {
  const text = readFileSync(join(root, path), "utf8");
  const named = text.matchAll(
    /(?:^|\n)\s*((?:import|export)\b[^;'"`]*?)\bfrom\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)\s*import\s+"([^"]+)"/g,
  );
  return [...named].map((match) => {
    const written = match[2] ?? match[3] ?? match[4] ?? "";
    const to = written.startsWith(".") ? relative(root, resolve(root, dirname(path), written)) : written;
    return { to, isOnlyTypes: /^(import|export) type\b/.test(match[1] ?? "") };
  });
}

function roomsInOrder(): string[] {
  const list = readFileSync(join(root, GATEWAY, "house/contributions.ts"), "utf8");
  const folders = new Map(
    [...list.matchAll(/contribution as (\w+) \} from "\.\.\/rooms\/([^/]+)\/contribution\.ts"/g)].map(
      ([, name, folder]) => [name, folder],
    ),
  );
  const listed = /ROOMS[^=]*= \[([^\]]*)\]/.exec(list)?.[1] ?? "";
  const rooms = listed.split(",").flatMap((name) => folders.get(name.trim()) ?? []);
  const missing = globSync(`${IN_ROOMS}*/`, { cwd: root })
    .map((path) => basename(path))
    .filter((room) => !rooms.includes(room));
  if (missing.length > 0) throw new Error(`not in house/contributions.ts: ${missing.join(", ")}`);
  return rooms;
}

const files = globSync("packages/*/src/**/*.ts", { cwd: root });
const broken = files.flatMap((from) =>
  importsOf(from).flatMap(({ to, isOnlyTypes }) =>
    RULES.filter((rule) => rule.breaks(from, to, isOnlyTypes)).map((rule) => `${from} imports ${to}: ${rule.says}`),
  ),
);
/** Its services are made when they are asked for, and a copy asks for none: whoever spreads a house has nothing. */
const SPREAD = /\.\.\.house\s*[,}]/;
for (const path of files) {
  if (path.startsWith(GATEWAY) && SPREAD.test(readFileSync(join(root, path), "utf8")) && !isTest(path))
    broken.push(`${path} spreads a house: name what is needed of it`);
}
if (files.length === 0) broken.push("no source files were found");
for (const line of broken) console.error(line);
process.exit(broken.length > 0 ? 1 : 0);
