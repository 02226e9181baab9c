// A sentence per key about memory, for all agents and for one.

const NOTES: Readonly<Record<string, string>> = {
  enabled: "Whether the agent can search its notes.",
  sources: "What is searched: notes (memory), and what was said word by word (sessions).",
  extraPaths: "Further files and folders of notes, read and never written.",
  "experimental.sessionMemory": "The older way to add sessions to the sources.",
  provider:
    "Who turns texts into vectors: a model on this machine (local), or a service. Nothing leaves this machine unless you name a service.",
  "remote.baseUrl": "Address of the service; with provider openai any that speaks its language.",
  "remote.apiKey": "Key for the service; otherwise that of the model provider with the same name.",
  "remote.headers": "Further headers for the service.",
  fallback:
    "Who takes over while the service fails: the model on this machine (local), or nobody (none). Where another service is named, it is local, too.",
  model: "Model of the service.",
  "local.modelPath": "A GGUF file of yours, run by node-llama-cpp if that is installed.",
  "store.driver": "How the index is kept; there is one way.",
  "store.path":
    "Where the index lies; {agentId} stands for the agent. memory/<agentId>.sqlite in the state directory unless told.",
  "store.vector.enabled": "Whether vectors are used at all; without them notes are found by their words.",
  "chunking.tokens": "How long a piece of a note is that is found as one.",
  "chunking.overlap": "How much of a piece is repeated in the next one.",
  "sync.onSearch": "Whether a search first looks for notes that changed.",
  "sync.watch": "Whether folders of notes are watched.",
  "sync.watchDebounceMs": "How long after the last change notes are read again.",
  "query.maxResults": "How many results a search gives.",
  "query.minScore":
    "Results below this are left out; age, and another language than the question's, change the order only.",
  "query.hybrid.enabled": "Whether words and vectors are both used.",
  "query.hybrid.vectorWeight": "How much meaning counts.",
  "query.hybrid.textWeight": "How much words count.",
  "query.hybrid.candidateMultiplier": "How many times the wished results are looked at before they are ranked.",
  "query.hybrid.mmr.enabled": "Whether results that say the same make room for others.",
  "query.hybrid.mmr.lambda": "How much the match counts against being different.",
  "query.hybrid.temporalDecay.enabled": "Whether older notes count less.",
  "query.hybrid.temporalDecay.halfLifeDays": "After how many days a note counts half.",
  "cache.enabled": "Whether vectors of texts that left the index are kept for a while.",
  "cache.maxEntries": "How many of them.",
};

export const MEMORY_NOTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["agents.defaults", "agents.list[]"].flatMap((place) =>
      Object.entries(NOTES).map(([key, note]) => [`${place}.memorySearch.${key}`, note]),
    ),
  ),
  "memory.citations": "Whether results name where they are from: in direct chats (auto), always (on), or never (off).",
  "memory.learning.enabled": "Whether agents learn facts from conversations, by rules and without a model.",
  "memory.learning.model":
    "A model, as provider/model, that also reads the owner's conversations for facts once they are over; nobody does unless you name one.",
  "memory.learning.maxTokensPerDay": "How many tokens it may take each day, for each agent.",
  "memory.learning.inPrompt":
    "Whether what the owner said about themselves stands in the prompts of their conversations.",
};
