// Texts of files that somebody changed and has not saved. They outlive the page, so that looking elsewhere costs nothing.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { World } from "../../app/world.ts";
import { Draft } from "../../settings/drafts.ts";

type File = MethodAnswer<"agents.files.get">["file"];

class FileDrafts {
  readonly #all = new Map<string, Draft<string>>();

  constructor() {
    window.addEventListener("beforeunload", (event) => {
      if ([...this.#all.values()].some(({ isEdited }) => isEdited)) event.preventDefault();
    });
  }

  of(agentId: string, name: string): Draft<string> {
    const key = `${agentId}/${name}`;
    const draft = this.#all.get(key) ?? new Draft("");
    this.#all.set(key, draft);
    return draft;
  }
}

const kept = new WeakMap<World, FileDrafts>();

export function fileDrafts(world: World): FileDrafts {
  const drafts = kept.get(world) ?? new FileDrafts();
  kept.set(world, drafts);
  return drafts;
}

/** Names a version of a file: its text does it best, and a file that is not there differs from an empty one. */
export function versionOf({ missing, content = "" }: File): string {
  return missing ? "missing" : `text ${content}`;
}
