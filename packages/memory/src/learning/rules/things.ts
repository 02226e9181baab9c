// Finds what looks the same in every language: e-mail addresses, telephone numbers, pages, versions, companies.
import type { DrawnFact } from "./drawn-fact.ts";
import { findAll } from "./pattern.ts";

const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.[A-Za-z]{2,12}(?![\w-])/g;
const PAGE = /\bhttps?:\/\/[^\s<>()"'\uFFFC]{4,200}/g;
const PHONE = /(?<![\w./-])(?:\+|00)?\d[\d ()/-]{6,18}\d(?![\w/-]|\.\d)/g;
const SAYS_PHONE =
  /(?<!\p{L})(?:phone|call|tel|telephone|number|mobile|cell|whatsapp|telefon|telefonnummer|nummer|handy|handynummer|anrufen|teléfono|móvil|número)(?!\p{L})/iu;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}$|^\d{1,2}\/\d{1,2}\/\d{2,4}$/;
const VERSION =
  /(?<![\p{L}\p{N}.])(?<subject>\p{L}[\p{L}\p{N}.+#-]{1,30})(?: (?:version|versión) v?| v(?=\d)| (?=\d+\.\d+\.\d))(?<value>\d{1,4}(?:\.\d{1,4}){0,3}(?:-[a-z]+[.\d]*)?)(?![\p{L}\p{N}/])/giu;
const NO_PRODUCT =
  /^(?:at|on|in|to|the|is|um|am|bis|ab|von|der|die|das|a|el|la|de|ip|address|adresse|section|chapter|new|this|our|my|latest)$/iu;
const COMPANY =
  /(?<![\p{L}\p{N}])(?<subject>(?:\p{Lu}[\p{L}\p{N}&-]{1,30} ){1,3}(?:Inc|GmbH|AG|Ltd|LLC|Corp|KG|PLC|UG|S\.A|S\.L))(?![\p{L}\p{N}])/gu;
const WHOSE =
  /(?:(?<mine>(?:my|meine?|mi))|(?<name>\p{Lu}[\p{L}\p{M}-]+)(?:'s|s)) (?:\p{L}+ )?(?:e-?mail|mail|correo|phone|mobile|cell|number|telefon(?:nummer)?|handynummer|nummer|teléfono|número|móvil|website|web|homepage|blog)(?:[ -]?(?:address|adresse|number|electrónico))?(?: is| ist| es| lautet|:|) ?$/iu;
const WHOSE_AFTER = /(?:correo|teléfono|número|móvil|web) de (?<name>\p{Lu}[\p{L}\p{M}-]+) es ?$/u;

export function findThings(plain: string): DrawnFact[] {
  const facts: DrawnFact[] = [];
  if (plain.includes("@")) {
    for (const { 0: value, index } of findAll(plain, EMAIL)) facts.push(contact("email", value, plain.slice(0, index)));
  }
  if (plain.includes("://")) {
    for (const { 0: found, index } of findAll(plain, PAGE)) {
      const page = contact("page", found.replace(/[.,;:!?]+$/, ""), plain.slice(0, index));
      // An address of which nobody said whose it is is found where it was said.
      if (!isOfNobody(page)) facts.push(page);
    }
  }
  if (/\d/.test(plain)) facts.push(...phones(plain), ...versions(plain));
  for (const { groups } of findAll(plain, COMPANY)) facts.push(company(groups?.["subject"] ?? ""));
  return facts;
}

/** Of the speaker, of somebody named before it, or of nobody known. */
function contact(slot: string, value: string, before: string): DrawnFact {
  const groups = (WHOSE.exec(before) ?? WHOSE_AFTER.exec(before))?.groups;
  const common = { kind: "entity", slot, value } as const;
  if (groups?.["mine"] !== undefined) return { ...common, about: { kind: "speaker" }, confidence: 0.95 };
  const subject = groups?.["name"];
  if (subject !== undefined) return { ...common, about: { kind: "thing", subject }, confidence: 0.9 };
  return { ...common, about: { kind: "thing", subject: value }, confidence: 0.7 };
}

function isOfNobody({ about, value }: DrawnFact): boolean {
  return about.kind === "thing" && about.subject === value;
}

function phones(plain: string): DrawnFact[] {
  return findAll(plain, PHONE).flatMap(({ 0: value, index }) => {
    const digits = value.replace(/\D/g, "").length;
    const isNumber = digits >= 7 && digits <= 15 && !DATE_LIKE.test(value);
    const isPhone = isNumber && (/^(?:\+|00)/.test(value) || SAYS_PHONE.test(plain.slice(0, index)));
    return isPhone ? [contact("phone", value, plain.slice(0, index))] : [];
  });
}

function versions(plain: string): DrawnFact[] {
  return findAll(plain, VERSION).flatMap(({ groups }): DrawnFact[] => {
    const subject = groups?.["subject"] ?? "";
    if (NO_PRODUCT.test(subject)) return [];
    return [
      {
        kind: "entity",
        slot: "version",
        value: groups?.["value"] ?? "",
        about: { kind: "thing", subject },
        confidence: 0.75,
      },
    ];
  });
}

function company(subject: string): DrawnFact {
  return {
    kind: "entity",
    slot: "organisation",
    value: "organisation",
    about: { kind: "thing", subject },
    confidence: 0.75,
  };
}
