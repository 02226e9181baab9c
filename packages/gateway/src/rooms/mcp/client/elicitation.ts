// What a server asks a person for: the fields of its form, what stands in them beforehand, and whether an answer fits.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";
import type { RpcParams } from "../wire/messages.ts";

const Titled = () => z.looseObject({ const: z.string(), title: z.string().optional() });
const Field = once(() =>
  z.looseObject({
    type: z.enum(["string", "number", "integer", "boolean", "array"]),
    title: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    enum: z.array(z.string()).optional(),
    oneOf: z.array(Titled()).optional(),
    items: z.looseObject({ enum: z.array(z.string()).optional(), anyOf: z.array(Titled()).optional() }).optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    format: z.string().optional(),
  }),
);
export type Field = Parsed<typeof Field>;

const Form = once(() =>
  z.looseObject({
    message: z.string(),
    requestedSchema: z.looseObject({
      properties: z.record(z.string(), Field()),
      required: z.array(z.string()).optional(),
    }),
  }),
);
const Visit = once(() => z.looseObject({ mode: z.literal("url"), message: z.string(), url: z.string() }));

export type Elicitation =
  | {
      readonly kind: "form";
      readonly message: string;
      readonly fields: Readonly<Record<string, Field>>;
      readonly required: ReadonlySet<string>;
    }
  /** An address to open: what is typed there never passes through here. */
  | { readonly kind: "visit"; readonly message: string; readonly url: string };

/** Undefined for what nobody could be asked. */
export function readElicitation(params: RpcParams): Elicitation | undefined {
  const visit = Visit().safeParse(params).data;
  if (visit) return { kind: "visit", message: visit.message, url: visit.url };
  const form = Form().safeParse(params).data;
  if (!form) return undefined;
  const { properties, required = [] } = form.requestedSchema;
  return { kind: "form", message: form.message, fields: properties, required: new Set(required) };
}

export type Answered =
  | { readonly kind: "fits"; readonly content: Readonly<Record<string, unknown>> }
  /** Says for the person what is missing or wrong. */
  | { readonly kind: "wrong"; readonly why: string };

type Form = Extract<Elicitation, { kind: "form" }>;

/** What was answered, with what stands in the form beforehand for the rest. */
export function fillForm({ fields, required }: Form, given: Readonly<Record<string, unknown>>): Answered {
  const content: Record<string, unknown> = {};
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    return { kind: "wrong", why: `there is no field "${unknown}"; there are ${Object.keys(fields).join(", ")}` };
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? readAs(field, given[name]) : field.default;
    if (value === undefined) {
      if (required.has(name)) return { kind: "wrong", why: `"${name}" has to be answered` };
      continue;
    }
    const why = complaintAbout(field, value);
    if (why !== undefined) return { kind: "wrong", why: `"${name}" ${why}` };
    content[name] = value;
  }
  return { kind: "fits", content };
}

/** Chats know only texts. */
function readAs({ type }: Field, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (type === "boolean") return { true: true, yes: true, false: false, no: false }[value.toLowerCase()] ?? value;
  if (type === "number" || type === "integer") return value.trim() === "" ? value : Number(value);
  return type === "array" ? value.split(",").map((part) => part.trim()) : value;
}

export function choicesOf({ enum: names, oneOf, items }: Field): readonly string[] | undefined {
  const titled = oneOf ?? items?.anyOf;
  return names ?? items?.enum ?? titled?.map((one) => one.const);
}

function complaintAbout(field: Field, value: unknown): string | undefined {
  const choices = choicesOf(field);
  const isOne = (one: unknown) => choices === undefined || choices.includes(String(one));
  const outside = (size: number, least = -Infinity, most = Infinity) => size < least || size > most;
  const oneOf = `must be one of ${choices?.join(", ")}`;
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be yes or no";
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
      if (field.type === "integer" && !Number.isInteger(value)) return "must be a whole number";
      return outside(value, field.minimum, field.maximum) ? "is outside of what is allowed" : undefined;
    case "array":
      if (!Array.isArray(value)) return "must be a list";
      if (!value.every(isOne)) return oneOf;
      return outside(value.length, field.minItems, field.maxItems) ? "has too few or too many entries" : undefined;
    case "string":
      if (typeof value !== "string") return "must be a text";
      if (!isOne(value)) return oneOf;
      return outside([...value].length, field.minLength, field.maxLength) ? "is too short or too long" : undefined;
  }
}
