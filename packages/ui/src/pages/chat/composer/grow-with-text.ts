// A text field as high as its text, between the limits of its style.

const GROWS_BY_ITSELF = CSS.supports("field-sizing", "content");

export function growWithText(box: HTMLTextAreaElement): void {
  if (GROWS_BY_ITSELF) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}
