// Scroll position of the list: kept while rows come and go above, and found again after a visit elsewhere.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { rememberedTop, rememberTop } from "./scroll-memory.ts";
import { movedBy, type SeenRow } from "./stay-in-place.ts";

interface ScrolledList {
  scroller(): HTMLElement | null;
  readonly rowPixels: number;
  /** How long the list is. */
  isKnown(): boolean;
  /** Rows that are rendered now. */
  shown(): ReadonlyArray<{ readonly index: number; readonly key: string | undefined }>;
  keyAt(index: number): string | undefined;
  indexOf(key: string): number | undefined;
}

const SETTLED_MS = 200;

export class ListScroll implements ReactiveController {
  readonly #list: ScrolledList;
  #seen: readonly SeenRow[] = [];
  #restored: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, list: ScrolledList) {
    this.#list = list;
    host.addController(this);
  }

  hostConnected(): void {
    this.#restored = rememberedTop();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  hostUpdated(): void {
    const scroller = this.#list.scroller();
    if (!scroller || !this.#list.isKnown()) return;
    if (this.#restored !== undefined) scroller.scrollTop = this.#restored;
    // At the top, what is new is to be seen.
    else if (scroller.scrollTop > 0) this.#stay(scroller);
    this.#restored = undefined;
    const first = this.firstInSight();
    this.#seen = this.#list
      .shown()
      .flatMap(({ index, key }) => (key === undefined || index < first ? [] : [{ index, key }]));
  }

  firstInSight(): number {
    return Math.ceil((this.#list.scroller()?.scrollTop ?? 0) / this.#list.rowPixels);
  }

  toTop(): void {
    this.#seen = [];
    const scroller = this.#list.scroller();
    if (scroller) scroller.scrollTop = 0;
  }

  scrolled(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.remember(), SETTLED_MS);
  }

  remember(): void {
    clearTimeout(this.#timer);
    rememberTop(this.#list.scroller()?.scrollTop ?? 0);
  }

  #stay(scroller: HTMLElement): void {
    const rows = movedBy(this.#seen, ({ key, index }) =>
      this.#list.keyAt(index) === key ? index : this.#list.indexOf(key),
    );
    if (rows !== 0) scroller.scrollTop += rows * this.#list.rowPixels;
  }
}
