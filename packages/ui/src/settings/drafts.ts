// Drafts of unsaved changes. They outlive the page, so that looking elsewhere costs nothing.
import type { World } from "../app/world.ts";
import { Live } from "../state/live.ts";
import { isObject, isSame, valueAt, withoutValue, withValue, type JsonObject, type Path } from "./json-place.ts";
import { applyPatch, listChanges, patchBetween, unpatchable, type Change } from "./merge-patch.ts";

interface Version<T> {
  readonly content: T;
  readonly hash: string;
}

/** A version of the gateway's, what became of it here, and a newer one that came meanwhile. */
export class Draft<T> {
  readonly now: Live<T>;
  readonly newer = new Live<Version<T> | undefined>(undefined);
  #base: Version<T>;

  constructor(content: T) {
    this.#base = { content, hash: "" };
    this.now = new Live(content);
  }

  get base(): T {
    return this.#base.content;
  }

  get hash(): string {
    return this.#base.hash;
  }

  get isEdited(): boolean {
    return !isSame(this.#base.content, this.now.value);
  }

  /** The gateway's version as it is known now. Edits are never lost to it. */
  offer(content: T, hash: string): void {
    if (hash === this.#base.hash) return this.newer.set(undefined);
    if (this.isEdited) {
      if (this.newer.value?.hash !== hash) this.newer.set({ content, hash });
      return;
    }
    this.#take({ content, hash }, content);
  }

  /** The newer version becomes the one that is edited; `edited` is what the edits make of it. */
  rebase(edited: T): void {
    const newer = this.newer.value;
    if (newer) this.#take(newer, edited);
  }

  discard(): void {
    const newer = this.newer.value ?? this.#base;
    this.#take(newer, newer.content);
  }

  /** It was written: what the gateway made of it comes with the next version. */
  written(): void {
    this.#take({ content: this.now.value, hash: "" }, this.now.value);
  }

  #take(base: Version<T>, content: T): void {
    this.#base = base;
    this.newer.set(undefined);
    this.now.set(content);
  }
}

export class FormDraft extends Draft<JsonObject> {
  /** What was typed and cannot be right, by the place it stands at. */
  readonly wrong = new Live<ReadonlyMap<string, string>>(new Map());

  constructor() {
    super({});
  }

  override discard(): void {
    super.discard();
    this.wrong.set(new Map());
  }

  /** `why`: undefined when it is right again. */
  mark(name: string, why: string | undefined): void {
    if (this.wrong.value.get(name) === why) return;
    const others = [...this.wrong.value].filter(([other]) => other !== name);
    this.wrong.set(new Map(why === undefined ? others : [...others, [name, why]]));
  }

  valueAt(path: Path): unknown {
    return valueAt(this.now.value, path);
  }

  isChangedAt(path: Path): boolean {
    return !isSame(this.valueAt(path), valueAt(this.base, path));
  }

  set(path: Path, value: unknown): void {
    this.#keep(withValue(this.now.value, path, value));
  }

  unset(path: Path): void {
    this.#keep(withoutValue(this.now.value, path));
  }

  /** As it was before somebody typed. */
  undo(path: Path): void {
    const before = valueAt(this.base, path);
    if (before === undefined) this.unset(path);
    else this.set(path, before);
  }

  changes(): Change[] {
    return listChanges(this.base, this.now.value);
  }

  patch(): unknown {
    return patchBetween(this.base, this.now.value);
  }

  unpatchable(): Path[] {
    return unpatchable(this.base, this.now.value);
  }

  /** Loads the newer version and makes the same changes in it. */
  reapply(): void {
    const newer = this.newer.value;
    const edited = newer && applyPatch(newer.content, this.patch() ?? {});
    if (isObject(edited)) this.rebase(edited);
  }

  #keep(value: unknown): void {
    this.now.set(isObject(value) ? value : {});
  }
}

interface Drafts {
  readonly form: FormDraft;
  readonly raw: Draft<string>;
}

const kept = new WeakMap<World, Drafts>();

export function draftsOf(world: World): Drafts {
  const drafts = kept.get(world) ?? { form: new FormDraft(), raw: new Draft("") };
  kept.set(world, drafts);
  return drafts;
}
