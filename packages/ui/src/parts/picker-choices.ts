// Choices of a picker, and which of them fit what was typed.

export interface PickerChoice {
  /** "" is the choice of nothing in particular. */
  readonly id: string;
  readonly label: string;
  /** One line that explains it. */
  readonly hint?: string;
  /** Choices of one group stand side by side. */
  readonly group?: string;
  readonly isDisabled?: boolean;
}

/** Those in which every typed word occurs, in the given order. */
export function matching(choices: readonly PickerChoice[], search: string): readonly PickerChoice[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return choices;
  return choices.filter(({ id, label, group = "" }) => {
    const all = `${label} ${id} ${group}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
