// Jobs that somebody is typing and has not saved. They outlive the page, so that looking elsewhere costs nothing.
import type { World } from "../../../app/world.ts";
import { Draft } from "../../../settings/drafts.ts";
import type { JobDraft } from "./job-draft.ts";

class JobDrafts {
  readonly #all = new Map<string, Draft<JobDraft>>();

  constructor() {
    window.addEventListener("beforeunload", (event) => {
      if ([...this.#all.values()].some(({ isEdited }) => isEdited)) event.preventDefault();
    });
  }

  get(name: string): Draft<JobDraft> | undefined {
    return this.#all.get(name);
  }

  begin(name: string, content: JobDraft): Draft<JobDraft> {
    const draft = new Draft(content);
    this.#all.set(name, draft);
    return draft;
  }

  forget(name: string): void {
    this.#all.delete(name);
  }
}

const kept = new WeakMap<World, JobDrafts>();

export function jobDrafts(world: World): JobDrafts {
  const drafts = kept.get(world) ?? new JobDrafts();
  kept.set(world, drafts);
  return drafts;
}
