// Decides by the operator's rules whether a conversation may be written to and answered.

type Policy = "allow" | "deny";
type ChatType = "direct" | "group" | "channel";

export interface SendPolicyView {
  readonly default?: Policy | undefined;
  readonly rules?: readonly SendRule[] | undefined;
}

interface SendRule {
  readonly action?: Policy | undefined;
  readonly match?:
    | {
        readonly channel?: string | undefined;
        readonly chatType?: ChatType | "dm" | undefined;
        /** Of the key without `agent:<id>:`. */
        readonly keyPrefix?: string | undefined;
        /** Of the whole key. */
        readonly rawKeyPrefix?: string | undefined;
      }
    | undefined;
}

export interface PolicedSession {
  readonly key: string;
  readonly channel?: string | undefined;
  readonly chatType?: ChatType | undefined;
  /** What was said about this one session, with /send or sessions.patch. */
  readonly entryPolicy?: Policy | undefined;
}

/** The session's own policy wins; then a rule that denies; then one that allows; then the default. */
export function sendPolicyFor(policy: SendPolicyView | undefined, session: PolicedSession): Policy {
  const actions = new Set((policy?.rules ?? []).filter((one) => matches(one, session)).map(({ action }) => action));
  const ruled = actions.has("deny") ? "deny" : actions.has("allow") ? "allow" : undefined;
  return session.entryPolicy ?? ruled ?? policy?.default ?? "allow";
}

/** All that a rule names must hold; a rule that names nothing holds for all. */
function matches({ match = {} }: SendRule, session: PolicedSession): boolean {
  const key = session.key.toLowerCase();
  const chatType = match.chatType === "dm" ? "direct" : match.chatType;
  const [channel, keyPrefix, rawKeyPrefix] = [match.channel, match.keyPrefix, match.rawKeyPrefix].map(normalize);
  return (
    (!channel || channel === normalize(session.channel)) &&
    (chatType === undefined || chatType === session.chatType) &&
    (!keyPrefix || key.replace(/^agent:[^:]+:/, "").startsWith(keyPrefix)) &&
    (!rawKeyPrefix || key.startsWith(rawKeyPrefix))
  );
}

function normalize(written: string | undefined): string | undefined {
  return written?.trim().toLowerCase();
}
