// Query for the security audit, so that one answer serves all who look at it, and what its findings are about.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { Question } from "./keep.ts";

export type Finding = MethodAnswer<"security.audit">["findings"][number];

/** What makes an audit old, as far as the gateway tells of it: files of others change without a word. */
export const AUDIT_TOPICS = ["security", "config", "credentials", "hooks"] as const;

export const AUDIT: Question<"security.audit"> = { method: "security.audit", params: {}, topics: AUDIT_TOPICS };
