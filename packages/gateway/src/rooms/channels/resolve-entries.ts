// Says what entries of an allow-list mean: ids as they are, names as the platform knows them now.
import type { Channel, ChannelConnection, DirectoryEntry } from "@chela/sdk";

export interface ResolvedEntry {
  readonly input: string;
  readonly resolved: boolean;
  readonly id?: string;
  readonly kind?: DirectoryEntry["kind"];
  readonly note?: string;
}

export interface EntryParts {
  readonly code: Pick<Channel, "readId" | "readTarget">;
  readonly connection: ChannelConnection | undefined;
  readonly kinds: ReadonlyArray<DirectoryEntry["kind"]>;
}

export async function resolveEntry(input: string, parts: EntryParts): Promise<ResolvedEntry> {
  const read = readEntry(input, parts);
  switch (read.kind) {
    case "id":
      return { input, resolved: true, id: read.id };
    case "name":
      return lookUp(input, read.name, parts);
    case "unusable":
      return { input, resolved: false, note: read.why };
  }
}

/** Groups may be written as addresses, which are no ids of people. */
function readEntry(input: string, { code, kinds }: EntryParts): ReturnType<Channel["readId"]> {
  const read = code.readId(input);
  if (read.kind !== "unusable" || !kinds.includes("group")) return read;
  const target = code.readTarget(input);
  return target.kind === "target" ? { kind: "id", id: target.chat.id } : target;
}

async function lookUp(input: string, name: string, { connection, kinds }: EntryParts): Promise<ResolvedEntry> {
  if (!connection)
    return { input, resolved: false, note: "The account is not connected, so names cannot be looked up." };
  if (!connection.resolveName) return { input, resolved: false, note: "This channel knows no names. Write the id." };
  for (const kind of kinds) {
    const id = await connection.resolveName(name, kind);
    if (id !== undefined) return { input, resolved: true, id, kind };
  }
  return { input, resolved: false, note: "Nobody has this name, or several have it. Write the id." };
}
