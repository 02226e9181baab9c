// A sentence per key about messages on their way in and out: which agent, which conversation, when, and how they look.

const SPEECH = {
  maxChars: "How much of what was said is kept, in characters.",
  maxBytes: "Largest recording that is sent.",
  prompt: "What the model is told, such as names that occur.",
  timeoutSeconds: "How long it may take.",
  language: "The language that is spoken.",
  baseUrl: "Address of the API, such as that of a server of your own.",
  headers: "Further HTTP headers.",
};

const SPEECH_MODEL = {
  ...SPEECH,
  provider: "Who is asked: openai, groq, mistral, or another one that speaks OpenAI's way, with its baseUrl.",
  model: "The model that listens.",
  profile: "The credential it is asked with.",
  preferredProfile: "The same, when profile is not written.",
  type: "Whether a provider is asked, or a program of this machine (cli).",
  command: "The program.",
  args: "Its arguments; {{MediaPath}} stands for the file.",
};

const RESET = {
  mode: "Whether conversations start anew each day or after a pause.",
  atHour: "Hour of the daily new start, in local time.",
  idleMinutes: "Pause after which a conversation starts anew.",
};

const RESET_OLDER = Object.fromEntries(
  Object.keys(RESET).map((key) => [key, `The older way to write session.resetByType.direct.${key}.`]),
);

const HUMAN_DELAY = {
  mode: "Whether there is a pause between the parts of an answer: none, about as a person would make, or as set here.",
  minMs: "Shortest pause, when the mode is custom.",
  maxMs: "Longest pause.",
};

function below(place: string, notes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(notes).map(([key, text]) => [`${place}.${key}`, text]));
}

export const MESSAGE_NOTES: Readonly<Record<string, string>> = {
  "agents.defaults.verboseDefault": "How much of its tools an agent shows unless /verbose says otherwise.",
  "agents.defaults.blockStreamingDefault":
    "Whether finished paragraphs are sent before the whole answer is there, on channels that do not say.",
  "agents.defaults.blockStreamingBreak":
    "When such a part may go: as soon as there is enough text, or when the model has finished a message.",
  "agents.defaults.blockStreamingChunk.minChars": "How much text makes a part.",
  "agents.defaults.blockStreamingChunk.maxChars": "How much it is at most.",
  "agents.defaults.blockStreamingChunk.breakPreference": "Where it is cut, if possible.",
  "agents.defaults.blockStreamingCoalesce.minChars":
    "Shorter parts wait for more up to this length; unless it is written, as long as a part.",
  "agents.defaults.blockStreamingCoalesce.maxChars": "How long they become at most.",
  "agents.defaults.blockStreamingCoalesce.idleMs": "How long they wait; 5 seconds at most.",
  ...below("agents.defaults.humanDelay", HUMAN_DELAY),
  "agents.defaults.mediaMaxMb": "Largest file an agent may send, and a chat window may bring, in megabytes.",
  "agents.defaults.imageMaxDimensionPx": "Pictures are made smaller to this width and height before a model sees them.",
  "agents.defaults.typingMode":
    'When "is typing" begins: never, as soon as a message is taken, when the model thinks, or with its first words. Unless it is written, at once where the agent was spoken to, otherwise with the first words.',
  "agents.defaults.typingIntervalSeconds":
    "How often it is renewed; oftener where the platform would take it away before.",
  "agents.defaults.subagents.maxConcurrent": "How many sub-agents may run at once.",
  ...below("agents.list[].humanDelay", HUMAN_DELAY),
  "agents.list[].groupChat.historyLimit":
    "How much of what was said in a group this agent is told; instead of messages.groupChat, unless its channel says otherwise.",
  "agents.list[].groupChat.mentionPatterns":
    "Regular expressions for words that mean this agent in groups. Unless they are written here or for all, its name and emoji.",
  "bindings[].agentId": "The agent that answers what matches.",
  "bindings[].comment": "A note for yourself.",
  "bindings[].match.channel": "The channel; needed.",
  "bindings[].match.accountId": "The account; without it the default one, * for all.",
  "bindings[].match.peer.kind": "Whether id names a person (direct) or a group; group and channel mean the same here.",
  "bindings[].match.peer.id": "The chat. A topic is written CHAT:topic:TOPIC, a thread CHAT:thread:THREAD.",
  "bindings[].match.guildId": "The guild, on Discord.",
  "bindings[].match.teamId": "The team or workspace, on Slack.",
  "bindings[].match.roles": "The sender has one of these roles.",
  "channels.defaults.groupPolicy": "The policy for groups of channels that have none of their own.",
  "messages.responsePrefix":
    'What stands before answers; {model}, {provider}, {identity.name} and {thinkingLevel} are filled in, and "auto" is the agent\'s name in brackets.',
  "messages.groupChat.mentionPatterns": "Regular expressions for words that mean the agent in groups.",
  "messages.groupChat.historyLimit": "How much of what was said in a group, but not to the agent, it is told.",
  "messages.queue.mode":
    "What becomes of a message that comes while the agent is busy: answered with others (collect), one by one (followup), told to the running turn (steer, queue), both (steer-backlog), or it takes the turn's place (interrupt). Our own clients have followup unless told.",
  "messages.queue.byChannel": "The same for single channels; webchat are our own clients.",
  "messages.queue.debounceMs": "How long it must be quiet before what was collected is answered.",
  "messages.queue.debounceMsByChannel": "The same for single channels.",
  "messages.queue.cap": "How many messages may wait in a conversation.",
  "messages.queue.drop":
    "What goes when there are more: the oldest, the newest, or the oldest with a line about it in the next turn (summarize).",
  "messages.inbound.debounceMs": "How long the first message waits for more, also when the agent is free.",
  "messages.inbound.byChannel": "The same for single channels.",
  "messages.ackReaction":
    'The reaction a message gets as soon as it is taken; "" for none. Unless it is written, the agent\'s emoji, else 👀.',
  "messages.ackReactionScope":
    "Which messages get it: in groups those that mention the agent, all in groups, direct ones, or all.",
  "messages.removeAckAfterReply": "Whether it is taken away when the answer is there.",
  "messages.statusReactions.enabled": "Whether the reaction changes with what the agent is doing.",
  "messages.statusReactions.emojis.thinking": "While it thinks.",
  "messages.statusReactions.emojis.tool": "While it uses a tool.",
  "messages.statusReactions.emojis.coding": "While it works on files or runs commands.",
  "messages.statusReactions.emojis.web": "While it is on the web.",
  "messages.statusReactions.emojis.done": "When it has answered.",
  "messages.statusReactions.emojis.error": "When something went wrong.",
  "messages.statusReactions.emojis.stallSoft": "When nothing has happened for a while.",
  "messages.statusReactions.emojis.stallHard": "When nothing has happened for long.",
  "messages.statusReactions.timing.debounceMs": "How long something must last to be shown.",
  "messages.statusReactions.timing.stallSoftMs": "What a while is.",
  "messages.statusReactions.timing.stallHardMs": "What long is.",
  "messages.statusReactions.timing.doneHoldMs": "How long the reaction of an answer stays.",
  "messages.statusReactions.timing.errorHoldMs": "How long that of a failure stays.",
  "media.ttlHours":
    "How many hours files of messages are kept after somebody last used them. Unless it is written, those that came a week, those that were sent two days.",
  "media.preserveFilenames": "Whether files that come in keep their names beside their ids.",
  "audio.transcription.command": "A program that writes down voice notes: it and its arguments; the older way.",
  "audio.transcription.timeoutSeconds": "How long it may take.",
  "tools.media.audio.enabled":
    "Whether voice notes are written down for models. Unless a way is set, with a key for OpenAI, Groq or Mistral.",
  ...below("tools.media.audio", SPEECH),
  ...below("tools.media.audio.models[]", SPEECH_MODEL),
  ...below("tools.media.models[]", SPEECH_MODEL),
  "tools.media.models[].capabilities": "What it can take; those that can take audio write down voice notes.",
  "tools.message.allowCrossContextSend": "The older way to allow messages to all other chats.",
  "tools.message.crossContext.allowWithinProvider":
    "Whether an agent may write from one chat to another of the same channel.",
  "tools.message.crossContext.allowAcrossProviders":
    "Whether it may write to chats of other channels. Only an owner can ask for that; in OpenClaw everybody.",
  "tools.message.crossContext.marker.enabled": "Whether such a message says where it comes from.",
  "tools.message.crossContext.marker.prefix": "What stands before it; {channel} is filled in.",
  "tools.message.crossContext.marker.suffix": "What stands behind it.",
  "tools.message.broadcast.enabled": "Whether an agent may send one message to several chats.",
  "commands.native":
    "Whether the gateway's commands are offered in the menus of platforms that have one; false for not. Seen at the next connection.",
  "approvals.exec.enabled":
    "Whether questions about commands are also asked in chats, as set here. Unless it is written, only in the chat of an owner whose message is being answered; false for never.",
  "approvals.exec.mode": "Where they are asked: in the conversation's own chat, in those under targets, or in both.",
  "approvals.exec.agentFilter": "Only for agents whose id contains one of these.",
  "approvals.exec.sessionFilter": "Only for conversations whose key contains one of these.",
  "approvals.exec.targets[].channel": "The channel of a chat to ask in.",
  "approvals.exec.targets[].to": "The chat.",
  "approvals.exec.targets[].accountId": "The account; the default one unless told.",
  "approvals.exec.targets[].threadId": "The thread.",
  "hooks.internal.handlers[].event":
    "The event that an older handler, which is one module and no folder, is called on.",
  "hooks.internal.handlers[].module": "The module of that handler.",
  "hooks.internal.handlers[].export": "What of the module is called; its default export unless told.",
  "hooks.internal.enabled": "Whether hooks run at all: handlers on events. `chela hooks enable` sets it.",
  "hooks.internal.entries.<key>.enabled":
    "Whether this hook runs. One that lies in a workspace runs only after `chela hooks enable`.",
  "hooks.internal.entries.<key>.env": "Environment variables for this hook, besides those of the gateway.",
  "hooks.internal.entries.<key>.*": "Whatever else the hook wants to be told; its HOOK.md says what.",
  "hooks.internal.load.extraDirs": "Directories with more hooks of yours. A relative one is seen from this file.",
  "commands.useAccessGroups": "Whether only people who are known may give commands; if not, whoever may speak.",
  "session.dmScope":
    "Which direct messages are one conversation: all of an agent's (main), by person, by channel and person, or by account as well. Where nothing is said: owners share the main one, everybody else has one of their own. Guests and strangers share with nobody, whatever is said.",
  "session.identityLinks": "One person's ids on several channels (channel:id), under one name of your choice.",
  ...below("session.resetByType.direct", RESET),
  ...below("session.resetByType.dm", RESET_OLDER),
  ...below("session.resetByType.group", RESET),
  ...below("session.resetByType.thread", RESET),
  ...below("session.resetByChannel.<key>", RESET),
  "session.typingMode": "The same as agents.defaults.typingMode, and comes before it.",
  "session.typingIntervalSeconds": "The same as agents.defaults.typingIntervalSeconds, and comes before it.",
  "session.sendPolicy.default": "Whether conversations that no rule is about may be written to and answered.",
  "session.sendPolicy.rules[].action":
    "What holds for those that match. A rule that denies comes before one that allows.",
  "session.sendPolicy.rules[].match.channel": "Conversations of this channel.",
  "session.sendPolicy.rules[].match.chatType": "Conversations of this kind.",
  "session.sendPolicy.rules[].match.keyPrefix": "Conversations whose key, without agent:ID:, begins like this.",
  "session.sendPolicy.rules[].match.rawKeyPrefix": "Conversations whose whole key begins like this.",
  "cron.enabled": "Whether jobs run by themselves at their time. By hand they can be run either way.",
  "cron.store":
    "Where the jobs are mirrored as OpenClaw keeps them; the logs of their runs lie beside it. The ledger is what counts.",
  "cron.maxConcurrentRuns":
    "How many turns of jobs may run at once. When it is set, it holds for commands of jobs, too; else four of those may.",
  "cron.webhook": "Where jobs of older stores that say notify post their results.",
  "cron.webhookToken":
    "Goes with every result that is posted, as a bearer token, and signs it (X-Chela-Signature). The receiver checks either.",
  "cron.sessionRetention":
    "How long the conversation of a run can be looked into before it is archived: 24h, 7d; false for ever.",
  "cron.runLog.maxBytes": "How large the log of one job's runs may grow before older lines are dropped.",
  "cron.runLog.keepLines": "How many lines it has at most. So many runs of each job are remembered, too.",
};
