// Helpers that inputs of all kinds share.
import type { FormContext } from "./form-context.ts";
import { formatPath } from "../../settings/json-place.ts";
import type { Shape, Spot } from "./schema.ts";
import { showValue } from "./show-value.ts";

export type ShapeOf<K extends Shape["kind"]> = Extract<Shape, { kind: K }>;
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface InputPlace {
  readonly spot: Spot;
  readonly form: FormContext;
  readonly label: string;
}

export const textOf = (event: Event): string => (event.target as Field).value;

export function inputId({ path }: Spot): string {
  return `config-${formatPath(path)}`;
}

/** What holds while nothing is typed. */
export function defaultText({ node }: Spot): string {
  return node.default === undefined ? "" : showValue(node.default);
}
