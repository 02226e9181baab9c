// Methods that show a conversation as a tree and move along it. Nothing is lost: what is left behind stays a branch.
import { type SessionEntry, canonicalSessionKey } from "@chela/sdk";
import type { TreeTarget } from "../room.ts";
import { type SESSION_TREE_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../../house/house.ts";

type TreeMethods = Pick<Handlers, keyof typeof SESSION_TREE_METHODS>;

export function sessionTreeMethods(
  gateway: Pick<House, "branches" | "keys" | "lanes" | "ledger" | "sessions">,
): TreeMethods {
  const { branches, ledger, sessions, lanes } = gateway;

  const find = async (written: string): Promise<{ key: string; entry: SessionEntry }> => {
    const key = canonicalSessionKey(written, gateway.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    const entry = await ledger.session(key);
    if (!entry) throw invalid(`No session found: ${written}`);
    return { key, entry };
  };

  const move = async (written: string, target: TreeTarget) => {
    const { key } = await find(written);
    // A turn begins inside `alone` too, so none can begin between the look and the move.
    return sessions.alone(key, async () => {
      if (lanes.runIds(key).length > 0) throw invalid("session is busy: stop it first");
      const { entry } = await find(key);
      const moved = await branches.moveTo(entry.sessionId, target);
      // The count is of the branch that was left.
      await ledger.commit([{ kind: "session-put", key, entry: { ...entry, totalTokensFresh: false } }]);
      return { ok: true as const, ...moved };
    });
  };

  return {
    async "sessions.branches"({ key: written }) {
      const { key, entry } = await find(written);
      const tree = await branches.tree(entry.sessionId);
      return {
        key,
        branches: tree.branches.map((branch) => ({ ...branch, labels: [...branch.labels] })),
        checkpoints: [...tree.checkpoints],
      };
    },

    async "sessions.checkpoint"({ key, name }) {
      const { entry } = await find(key);
      const { entryId } = await branches.checkpoint(entry.sessionId, name);
      return { ok: true as const, entryId, name };
    },

    async "sessions.checkpoint.patch"({ key, name, to }) {
      const { entry } = await find(key);
      const { entryId, label } = await branches.renameCheckpoint(entry.sessionId, name, to);
      return { ok: true as const, entryId, name: to === null ? null : label };
    },

    "sessions.rewind"({ key, to, turns, before }) {
      if ((to === undefined) === (turns === undefined)) {
        throw invalid(
          "say where to go back: either `to` (a checkpoint or an entry id) or `turns` (a number of messages)",
        );
      }
      return move(key, turns === undefined ? { ref: to ?? "", ...(before ? { side: "before" } : {}) } : { turns });
    },

    "sessions.switch": ({ key, to, end }) => move(key, { ref: to, ...(end ? { side: "end" } : {}) }),
  };
}
