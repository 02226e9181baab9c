// Words for an agent whose question to a person was withdrawn because its turn ended.

/** A turn that a restart ended goes on later, and the agent may ask once more. */
export function sayStopped({ reason }: AbortSignal): string {
  if (reason === "shutdown")
    return "The gateway was restarted before a person answered. Ask again if it is still wanted.";
  return "The turn was stopped before a person answered.";
}
