// Looks people up: which services account a nick is logged in to, and which address it has.
import type { Clock, DirectoryEntry } from "@chela/sdk";
import type { LineListeners } from "./server/line-listeners.ts";
import { waitFor } from "./server/line-listeners.ts";
import type { ServerFacts } from "./server/server-facts.ts";
import { accountId, hostId } from "./identity.ts";
import { writeLine, type Line, type Source } from "./server/line.ts";
import { lowerAscii } from "./server/names.ts";

interface Person {
  readonly nick: string;
  user?: string;
  host?: string;
  account?: string;
}

export interface People {
  /** The account of whoever wrote a line. Waits for an answer only where the server does not say it with each line. */
  accountOf(line: Line): Promise<string | undefined>;
  /** The immutable id behind a nick; undefined when it cannot be told safely. */
  resolve(nick: string): Promise<string | undefined>;
  members(room: string, limit: number): Promise<DirectoryEntry[]>;
}

export interface PeopleNeeds {
  readonly listeners: LineListeners;
  readonly facts: ServerFacts;
  readonly clock: Clock;
  /** Writes when the pace allows; false when the connection is over. */
  write(line: string): Promise<boolean>;
}

const ANSWER_MS = 15_000;
/** Short: between two looks somebody else may have taken the nick. */
const KEEP_MS = 60_000;
const MOST_KEPT = 500;
/** In a busy channel answers must not wait for questions about everybody who speaks there. */
const MOST_AT_ONCE = 5;

export function createPeople({ listeners, facts, clock, write }: PeopleNeeds): People {
  const kept = new Map<string, { readonly at: number; readonly person: Promise<Person | undefined> }>();

  let asking = 0;

  const lookUp = async (nick: string): Promise<Person | undefined> => {
    const person: Person = { nick };
    const wanted = facts.fold(nick);
    const ended = waitFor({ listeners, clock }, ANSWER_MS, ({ command, params }) => {
      if (facts.fold(params[1] ?? "") !== wanted) return undefined;
      if (command === "311") Object.assign(person, { user: params[2], host: params[3] });
      if (command === "330") person.account = params[2] ?? "";
      return command === "318" || command === "401" ? true : undefined;
    });
    if (!(await write(writeLine("WHOIS", [nick])))) return undefined;
    return (await ended) && person.user ? person : undefined;
  };
  const lookUpOnce = async (source: Source, canWait: boolean): Promise<Person | undefined> => {
    const key = `${facts.fold(source.nick)}!${source.user}@${source.host}`;
    const now = clock.steady();
    const known = kept.get(key);
    if (known && now - known.at < KEEP_MS) return known.person;
    if (!canWait && asking >= MOST_AT_ONCE) return undefined;
    if (kept.size >= MOST_KEPT) kept.clear();
    asking += 1;
    const person = lookUp(source.nick).finally(() => (asking -= 1));
    kept.set(key, { at: now, person });
    return person;
  };
  const hasServices = (): boolean =>
    ["account-tag", "account-notify", "sasl", "extended-join"].some((capability) => facts.has(capability));

  return {
    async accountOf(line) {
      if (facts.has("account-tag")) return line.tags.get("account") || undefined;
      if (!line.source) return undefined;
      const person = await lookUpOnce(line.source, facts.roomOf(line.params[0] ?? "") === undefined);
      // Somebody else may have the nick by now.
      const isSame = person?.user === line.source.user && person?.host === line.source.host;
      return isSame ? person?.account || undefined : undefined;
    },
    async resolve(nick) {
      const person = await lookUp(nick);
      if (!person?.user || !person.host) return undefined;
      // Anybody may sit on a nick while its owner is away: only the account of the same name proves who it is.
      if (person.account) return lowerAscii(person.account) === lowerAscii(nick) ? accountId(nick) : undefined;
      return hasServices() ? undefined : hostId(person.user, person.host);
    },
    members: (room, limit) => listMembers({ listeners, facts, clock, write }, room, limit),
  };
}

async function listMembers(needs: PeopleNeeds, room: string, limit: number): Promise<DirectoryEntry[]> {
  const { listeners, facts, clock, write } = needs;
  const members: DirectoryEntry[] = [];
  const wanted = facts.fold(room);
  const ended = waitFor({ listeners, clock }, ANSWER_MS, ({ command, params }) => {
    const [, about = ""] = params;
    if (command === "354" && about === WHO_TOKEN) {
      const [, , user = "", host = "", nick = "", account = "0"] = params;
      members.push({ kind: "user", id: account === "0" ? hostId(user, host) : accountId(account), name: nick });
    }
    if (command === "352" && facts.fold(about) === wanted) {
      const [, , user = "", host = "", , nick = ""] = params;
      members.push({ kind: "user", id: hostId(user, host), name: nick });
    }
    return (command === "315" || command === "403") && facts.fold(about) === wanted ? true : undefined;
  });
  const hasAccounts = facts.supports("WHOX") !== undefined;
  await write(hasAccounts ? writeLine("WHO", [room, `%tuhna,${WHO_TOKEN}`]) : writeLine("WHO", [room]));
  await ended;
  return members.filter(({ name }) => !facts.isMe(name ?? "")).slice(0, limit);
}

const WHO_TOKEN = "152";
