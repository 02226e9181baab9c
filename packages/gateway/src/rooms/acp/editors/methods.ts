// Methods with which an editor lends its files and terminal to a conversation, and answers calls to them.
import { canonicalSessionKey } from "@chela/sdk";
import { invalid, type EDITOR_METHODS, type Handlers } from "@chela/sdk/protocol";
import { isAbsolute } from "node:path";
import type { House } from "../../../house/house.ts";

type EditorsHouse = Pick<House, "editors" | "keys">;

export function editorMethods(house: EditorsHouse): Pick<Handlers, keyof typeof EDITOR_METHODS> {
  const keyOf = (written: string): string => {
    const key = canonicalSessionKey(written, house.keys());
    if (!key) throw invalid(`malformed session key "${written}"`);
    return key;
  };
  return {
    async "editor.attach"({ sessionKey, folders, read = false, write = false, terminal = false }, { client }) {
      const odd = folders.find((folder) => !isAbsolute(folder));
      if (odd !== undefined) throw invalid(`"${odd}" is no absolute path`);
      (await house.editors()).attach(client, keyOf(sessionKey), { folders, read, write, terminal });
      return { ok: true as const };
    },
    async "editor.detach"({ sessionKey }, { client }) {
      (await house.editors()).detach(client, keyOf(sessionKey));
      return { ok: true as const };
    },
    async "editor.answer"({ id, ok, text = "", why = "The editor did not do it." }, { client }) {
      const outcome = ok ? ({ kind: "done", text } as const) : ({ kind: "failed", why } as const);
      const isTaken = (await house.editors()).answer(client, id, outcome);
      return isTaken ? { ok: true as const } : { ok: true as const, ignored: true as const };
    },
  };
}
