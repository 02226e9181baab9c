// One sentence or two per key about webhooks, for the reference, editors and the control page.

const MAPPING: Readonly<Record<string, string>> = {
  id: "Names the mapping in lists, logs and runs; made from its path when absent.",
  preset: "What a well-known sender needs: its path, texts and way to sign. Ours; OpenClaw has presets only by name.",
  "match.path": "What stands behind hooks.path in the address; any when absent.",
  "match.source": "What `source` in the payload must be.",
  action: "agent: an agent is asked in a conversation of its own. wake: the agent is told in its main conversation.",
  wakeMode: "Whether an agent hears of it now or with its next heartbeat.",
  name: "What it is called in notes; may hold {{…}}.",
  agentId: "Which agent; the default one when absent. A blank or unknown one is an error.",
  sessionKey:
    "The conversation; one of its own for each request when absent. With {{…}} it must begin with hook: or one of hooks.allowedSessionKeyPrefixes.",
  messageTemplate: "What an agent is asked, with {{payload.a.b[0]}}, {{headers.x}}, {{query.x}}, {{path}} and {{now}}.",
  textTemplate: "The same for the action wake.",
  instructions: "Your own words to the agent, before the text, which is marked as a stranger's. Ours.",
  deliver: "Whether the answer is sent on.",
  allowUnsafeExternalContent: "Does not mark the text as a stranger's. Only for senders you trust like yourself.",
  channel: "Where the answer goes: a channel, or last for where the agent was spoken to last.",
  to: "To whom; may hold {{…}}.",
  model: "The model; may hold {{…}}.",
  thinking: "How much the model thinks: off, minimal, low, medium, high or xhigh.",
  timeoutSeconds: "How long the agent may take.",
  "tools.allow": "Only these tools, of those the agent has. Ours.",
  "tools.deny": "Never these tools. Ours.",
  dedupe:
    "How a request that comes again is known: auto (what the sender's scheme has), body, none, or a field such as payload.id. Ours.",
  "signature.type": "How requests are signed: github, stripe, slack, sentry, standard, chela or generic. Ours.",
  "signature.secret": "The secret shared with the sender. Without it the mapping is not there. Ours.",
  "signature.header": "The header of a generic signature; x-signature when absent. Ours.",
  "signature.toleranceSeconds": "How old a signed time may be. Ours.",
  "transform.module": "A module in hooks/transforms that looks at a request first, and may change or drop it.",
  "transform.export": "Its function; default or transform when absent.",
};

export const WEBHOOK_NOTES: Readonly<Record<string, string>> = {
  "hooks.enabled": "Whether other programs may tell agents something over HTTP.",
  "hooks.path": "The path they use.",
  "hooks.token":
    "The token they send in a header. It must not be the gateway's own; without it only signed mappings are there.",
  "hooks.defaultSessionKey": "The conversation of requests that name none; one of its own for each when absent.",
  "hooks.allowRequestSessionKey": "Whether a request may choose its conversation.",
  "hooks.allowedSessionKeyPrefixes": "What such a choice must begin with.",
  "hooks.allowedAgentIds": "Agents that may be named; * for all. Absent means all, an empty list none.",
  "hooks.maxBodyBytes": "The largest body that is taken.",
  "hooks.presets": "Mappings for well-known senders by name. Those that sign need a mapping with a secret instead.",
  "hooks.transformsDir": "Where transforms lie, inside the folder hooks beside this file.",
  "hooks.gmail.allowUnsafeExternalContent": "The same as in a mapping, for the preset gmail.",
  "hooks.gmail.model": "The model for the preset gmail.",
  "hooks.gmail.thinking": "How much the model thinks, for the preset gmail.",
  ...Object.fromEntries(Object.entries(MAPPING).map(([key, text]) => [`hooks.mappings[].${key}`, text])),
};
