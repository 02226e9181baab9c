// Cache of groups: who is in them is needed for every message to them, so it is asked for once and kept.
import type { GroupMetadata, WASocket } from "baileys";

export class Groups {
  readonly known = new Map<string, GroupMetadata>();

  /** Whatever changes in a group makes what we know of it worthless. */
  follow(socket: WASocket): void {
    socket.ev.on("groups.upsert", (groups) => groups.forEach((group) => this.known.set(group.id, group)));
    socket.ev.on("groups.update", (changes) => changes.forEach(({ id }) => this.known.delete(id ?? "")));
    socket.ev.on("group-participants.update", ({ id }) => this.known.delete(id));
  }

  async find(socket: WASocket, jid: string): Promise<GroupMetadata> {
    const known = this.known.get(jid);
    if (known) return known;
    const found = await socket.groupMetadata(jid);
    this.known.set(jid, found);
    return found;
  }

  async all(socket: WASocket): Promise<GroupMetadata[]> {
    const found = Object.values(await socket.groupFetchAllParticipating());
    for (const group of found) this.known.set(group.id, group);
    return found;
  }
}
