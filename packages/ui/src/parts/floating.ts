// Places a popover beside the button that opened it, wholly on the screen.

const EDGE = 8;
const GAP = 6;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface PopoverPosition {
  readonly left: number;
  readonly top: number;
  readonly maxHeight: number;
}

/** Below if it fits or if there is more room than above; from the anchor's left edge if that leaves it on the screen. */
export function placeBeside(anchor: Box, size: Size, screen: Size): PopoverPosition {
  const below = screen.height - anchor.bottom - GAP - EDGE;
  const above = anchor.top - GAP - EDGE;
  const isBelow = size.height <= below || below >= above;
  const maxHeight = Math.max(0, isBelow ? below : above);
  const height = Math.min(size.height, maxHeight);
  const wished = anchor.left + size.width + EDGE <= screen.width ? anchor.left : anchor.right - size.width;
  const left = Math.max(EDGE, Math.min(wished, screen.width - size.width - EDGE));
  return { left, top: isBelow ? anchor.bottom + GAP : anchor.top - GAP - height, maxHeight };
}

/** Keeps a popover beside its anchor from the moment it can be seen, until the returned function is called. */
export function keepBeside(popover: HTMLElement, anchor: HTMLElement): () => void {
  delete popover.dataset["placed"];
  const place = (): void => placePopover(popover, anchor);
  // The keyboard of a phone takes room from this one only.
  const view = window.visualViewport ?? window;
  view.addEventListener("resize", place);
  return () => view.removeEventListener("resize", place);
}

/** A popover is not seen before it has been placed once. */
export function placePopover(popover: HTMLElement, anchor: HTMLElement): void {
  if (!popover.matches(":popover-open")) return;
  popover.style.maxHeight = "";
  const view = window.visualViewport;
  const height = view ? view.offsetTop + view.height : window.innerHeight;
  const screen = { width: document.documentElement.clientWidth, height };
  const size = { width: popover.offsetWidth, height: popover.offsetHeight };
  const { left, top, maxHeight } = placeBeside(anchor.getBoundingClientRect(), size, screen);
  popover.style.left = `${left}px`;
  popover.style.top = `${top}px`;
  popover.style.maxHeight = `${maxHeight}px`;
  popover.dataset["placed"] = "";
}

/** Where a finger is the pointer, a focused field brings a keyboard that covers half of the screen. */
export function isTouched(): boolean {
  return matchMedia("(hover: none) and (pointer: coarse)").matches;
}
