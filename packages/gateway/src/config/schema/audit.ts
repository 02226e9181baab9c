// `audit`: how long the audit trail is kept. A section of ours; other programs do not know it.
import { once } from "@chela/sdk";
import { block, wholeNumber } from "./leaf.ts";

export const auditSection = once(() => block(() => ({ retentionDays: wholeNumber(1, 36_500) })));
