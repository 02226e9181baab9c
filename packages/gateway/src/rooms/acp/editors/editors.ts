// Editors that are open on conversations: what each lends, and calls to them that wait for an answer.
import type { Clock, Ids } from "@chela/sdk";
import type { Client } from "@chela/sdk/protocol";

export interface EditorOffer {
  readonly folders: readonly string[];
  readonly read: boolean;
  readonly write: boolean;
  readonly terminal: boolean;
}

export type EditorWish =
  | {
      readonly op: "read";
      readonly path: string;
      readonly line?: number | undefined;
      readonly limit?: number | undefined;
    }
  | { readonly op: "write"; readonly path: string; readonly content: string; readonly oldText?: string | undefined }
  | { readonly op: "run"; readonly command: string; readonly cwd?: string | undefined; readonly timeoutMs: number };

export type EditorOutcome =
  | { readonly kind: "done"; readonly text: string }
  /** One or two sentences for the model. */
  | { readonly kind: "failed"; readonly why: string };

export interface Editors {
  /** Whoever opens a session last lends its hands. */
  attach(client: Client, sessionKey: string, offer: EditorOffer): void;
  detach(client: Client, sessionKey: string): void;
  offerOf(sessionKey: string): EditorOffer | undefined;
  /** Changes with every editor that comes or goes. */
  readonly revision: string;
  /** Of one conversation and call; never rejects. */
  call(at: { sessionKey: string; toolCallId: string; signal: AbortSignal }, wish: EditorWish): Promise<EditorOutcome>;
  /** False when nobody waits for this answer from this very connection. */
  answer(client: Client, id: string, outcome: EditorOutcome): boolean;
}

interface OpenCall {
  readonly client: Client;
  settle(outcome: EditorOutcome): void;
}

export interface EditorsHouse {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hub: {
    tell(clients: Iterable<Client>, event: "editor.call" | "editor.cancel", payload: unknown): void;
    onLeave(task: (client: Client) => void): void;
  };
}

/** A person may have to answer a question first. */
const LONGEST_MS = 15 * 60_000;

const GONE: EditorOutcome = {
  kind: "failed",
  why: "The editor is not connected any more. Nobody knows whether it did this.",
};
const NONE: EditorOutcome = { kind: "failed", why: "No editor is open in this conversation." };

export function createEditors({ clock, ids, hub }: EditorsHouse): Editors {
  const attached = new Map<string, { readonly client: Client; readonly offer: EditorOffer }>();
  const open = new Map<string, OpenCall>();
  let changes = 0;

  hub.onLeave((client) => {
    for (const [sessionKey, editor] of attached) {
      if (editor.client === client && attached.delete(sessionKey)) changes += 1;
    }
    for (const call of open.values()) if (call.client === client) call.settle(GONE);
  });

  return {
    attach(client, sessionKey, offer) {
      const old = attached.get(sessionKey);
      attached.set(sessionKey, { client, offer });
      if (!old || JSON.stringify(old.offer) !== JSON.stringify(offer)) changes += 1;
    },
    detach(client, sessionKey) {
      if (attached.get(sessionKey)?.client !== client) return;
      attached.delete(sessionKey);
      changes += 1;
    },
    offerOf: (sessionKey) => attached.get(sessionKey)?.offer,
    get revision() {
      return String(changes);
    },
    async call({ sessionKey, toolCallId, signal }, call) {
      const editor = attached.get(sessionKey);
      if (!editor) return NONE;
      const { client } = editor;
      const id = ids.uuid();
      const { promise, resolve } = Promise.withResolvers<EditorOutcome>();
      const why = "The editor did not answer in time. Nobody knows whether it did this.";
      const cancelWait = clock.after(LONGEST_MS, () => settle({ kind: "failed", why }));
      const settle = (outcome: EditorOutcome): void => {
        if (!open.delete(id)) return;
        cancelWait();
        resolve(outcome);
      };
      const stop = (): void => {
        if (open.has(id)) hub.tell([client], "editor.cancel", { id });
        settle({ kind: "failed", why: "It was stopped." });
      };
      open.set(id, { client, settle });
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      else hub.tell([client], "editor.call", { id, sessionKey, toolCallId, call });
      return promise.finally(() => signal.removeEventListener("abort", stop));
    },
    answer(client, id, outcome) {
      const waiting = open.get(id);
      if (waiting?.client !== client) return false;
      waiting.settle(outcome);
      return true;
    },
  };
}
