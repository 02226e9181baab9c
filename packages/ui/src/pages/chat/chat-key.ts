// Chooses the conversation: the one in the address, a new one, or the main one.

/** A key for a conversation that does not exist yet. */
export function freshKey(agentId: string): string {
  const letters = crypto.randomUUID().slice(0, 8);
  return `agent:${agentId}:chat-${letters}`;
}
