// The conversation as a tree, for commands that name a point of it or go back to one.
import type { SessionEntry } from "@chela/sdk";
import type { ConversationBranch, ConversationMove, ConversationTree } from "../../rooms/commands/room.ts";
import type { Branches, Transcripts, TreeTarget } from "../../rooms/sessions/room.ts";
import { asyncOrRefusal } from "./refusals.ts";

export interface TreeNeeds {
  readonly branches: Branches;
  readonly transcripts: Transcripts;
  /** Names the message: going back is done once for each. */
  readonly by: string;
  readonly at: number;
  requireSession(): Promise<SessionEntry>;
  isBusy(): boolean;
  /** The context is another now than the one whose tokens were counted. */
  moved(): void;
}

export function treeFor(needs: TreeNeeds): ConversationTree {
  const move = async (target: TreeTarget): Promise<ConversationMove> => {
    if (needs.isBusy()) return { kind: "refused", why: "An answer is being written. Send /stop first." };
    const { sessionId } = await needs.requireSession();
    return asyncOrRefusal(async () => {
      const { entryId, preview } = await needs.branches.moveTo(sessionId, target, needs.by);
      needs.transcripts.forget(sessionId);
      needs.moved();
      return { kind: "moved" as const, to: { id: entryId ?? "", at: needs.at, preview } };
    });
  };
  return {
    async checkpoint(name) {
      const { sessionId } = await needs.requireSession();
      const { entryId, label, timestamp } = await needs.branches.checkpoint(sessionId, name);
      return { id: entryId, name: label, at: Date.parse(timestamp), preview: "" };
    },
    rewind: async (to) => move(to.kind === "turns" ? { turns: to.count } : { ref: to.nameOrId }),
    switchTo: async (nameOrId) => move({ ref: nameOrId }),
    branches: async () => listBranches(needs.branches, (await needs.requireSession()).sessionId),
  };
}

async function listBranches(branches: Branches, sessionId: string): Promise<ConversationBranch[]> {
  const tree = await branches.tree(sessionId);
  const tips = tree.branches.map(({ entryId, timestamp, preview, labels, isActive }) => ({
    id: entryId,
    at: Date.parse(timestamp),
    preview,
    isCurrent: isActive,
    ...(labels[0] ? { name: labels[0] } : {}),
  }));
  const known = new Set(tips.map(({ id }) => id));
  const points = tree.checkpoints
    .filter(({ entryId }) => !known.has(entryId))
    .map(({ entryId, label, timestamp }) => ({
      id: entryId,
      name: label,
      at: Date.parse(timestamp),
      preview: "",
      isCurrent: false,
    }));
  return [...tips, ...points].toSorted((a, b) => b.at - a.at);
}
