// Scroll position of a list, kept with the step of the browser's history: going back leads to the same place.

export function rememberTop(top: number): void {
  if (top !== (rememberedTop() ?? 0)) history.replaceState({ listTop: top }, "");
}

export function rememberedTop(): number | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("listTop" in state)) return undefined;
  return typeof state.listTop === "number" ? state.listTop : undefined;
}
