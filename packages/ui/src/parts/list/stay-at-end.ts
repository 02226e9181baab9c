// Keeps the end of something that grows in view, until somebody scrolls away from it; near the end it is kept again.

/** Near enough to the end to be taken for looking at it. */
export const NEAR_PX = 80;

export class StayAtEnd {
  #element: HTMLElement | undefined;
  #isWanted = true;
  /** Where it was scrolled to when last heard of: another place means that somebody scrolled, and the event is to come. */
  #seenTop = 0;
  readonly #listen = (): void => this.#scrolled();

  take(): void {
    this.#isWanted = true;
  }

  leave(): void {
    this.#isWanted = false;
  }

  /** It was scrolled by the page itself, which says nothing about what a person wants. */
  noteWrite(): void {
    if (this.#element) this.#seenTop = this.#element.scrollTop;
  }

  /** Goes to the end if that is wanted. To be called whenever something may have grown. */
  keep(element: HTMLElement): void {
    if (element !== this.#element) this.#watch(element);
    const isMoved = element.scrollTop < this.#seenTop - 1;
    if (!this.#isWanted || isMoved || distanceOf(element) <= 1) return;
    element.scrollTop = element.scrollHeight;
    this.noteWrite();
  }

  release(): void {
    this.#element?.removeEventListener("scroll", this.#listen);
    this.#element = undefined;
  }

  #watch(element: HTMLElement): void {
    this.release();
    this.#element = element;
    element.addEventListener("scroll", this.#listen, { passive: true });
    this.noteWrite();
  }

  #scrolled(): void {
    const element = this.#element;
    if (!element) return;
    const isOurs = Math.abs(element.scrollTop - this.#seenTop) <= 1;
    this.noteWrite();
    if (distanceOf(element) < NEAR_PX) this.#isWanted = true;
    else if (!isOurs) this.#isWanted = false;
  }
}

function distanceOf({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}
