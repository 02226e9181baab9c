// The larger parts that the defaults and a single agent have in common.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  key,
  keyed,
  listOf,
  mapOf,
  numberAbove0,
  positive,
  secret,
  secretMap,
  share,
  text,
  texts,
} from "@chela/sdk/config";

export const humanDelay = once(() =>
  block(() => ({
    mode: key(
      choice("off", "natural", "custom"),
      "Whether there is a pause between the parts of an answer: none, about as a person would make, or as set here.",
      { preset: "off" },
    ),
    minMs: key(count(), "Shortest pause, when the mode is custom.", { preset: 800 }),
    maxMs: key(count(), "Longest pause.", { preset: 2500 }),
  })),
);

export const heartbeat = once(() =>
  block(() => ({
    every: key(
      text(),
      "How often an agent looks after things by itself: 30m, 1h; 0m for never. It still hears of events then.",
      { preset: "30m" },
    ),
    activeHours: block(() => ({
      start: key(text(), "No heartbeat before this time of day, HH:MM. Reminders and wakes come at their own time.", {
        preset: "00:00",
      }),
      end: key(text(), "None from this time on; 24:00 is the end of the day. Earlier than the start: over midnight.", {
        preset: "24:00",
      }),
      timezone: key(text(), "Whose clock counts: user (agents.defaults.userTimezone), local, or the name of a zone.", {
        preset: "user",
      }),
    })),
    model: key(text(), "The model that is asked, instead of the agent's."),
    session: key(text(), "The conversation it is for: main, or a session key.", { preset: "main" }),
    includeReasoning: key(bool(), "Whether what the model thought is sent before what it says.", { preset: false }),
    target: key(
      text(),
      "Who hears what it says: nobody (none), the chat the person wrote in last (last), or a channel. Unless it is written, events are told to the last chat.",
      { preset: "none" },
    ),
    directPolicy: key(
      choice("allow", "block"),
      "Whether it may write to a chat with a single person (allow), or not (block).",
      { preset: "allow" },
    ),
    to: key(text(), "Whom on the channel."),
    accountId: key(text(), "From which account of the channel."),
    prompt: key(text(), "What the model is asked. HEARTBEAT.md and the time are put behind it."),
    ackMaxChars: key(
      count(),
      "An answer with HEARTBEAT_OK and no more than this many characters besides is not sent.",
      { preset: 300 },
    ),

    lightContext: key(
      bool(),
      "Whether the model gets only who it is, the tasks and the end of the conversation, instead of all files of the workspace. On by default.",
      { preset: true },
    ),
    always: key(
      bool(),
      "Whether a model is asked at every heartbeat, also when nothing changed since the last one. Off by default; in OpenClaw it always is.",
      { preset: false },
    ),
  })),
);

export const memorySearch = once(() =>
  block(() => ({
    enabled: key(bool(), "Whether the agent can search its notes.", { preset: true }),
    sources: key(
      listOf(z.enum(["memory", "sessions"])),
      "What is searched: notes (memory), and what was said word by word (sessions).",
      { preset: ["memory"] },
    ),
    extraPaths: key(texts(), "Further files and folders of notes, read and never written."),
    experimental: block(() => ({ sessionMemory: key(bool(), "The older way to add sessions to the sources.") })),
    provider: key(
      choice("openai", "local", "gemini", "voyage", "mistral", "ollama"),
      "Who turns texts into vectors: a model on this machine (local), or a service. Nothing leaves this machine unless you name a service.",
      { preset: "local" },
    ),
    remote: block(() => ({
      baseUrl: key(text(), "Address of the service; with provider openai any that speaks its language."),
      apiKey: key(secret(), "Key for the service; otherwise that of the model provider with the same name."),
      headers: key(secretMap(), "Further headers for the service."),
    })),
    fallback: key(
      choice("openai", "gemini", "local", "voyage", "mistral", "ollama", "none"),
      "Who takes over while the service fails: the model on this machine (local), or nobody (none). Where another service is named, it is local, too.",
      { preset: "local" },
    ),
    model: key(text(), "Model of the service."),
    local: block(() => ({
      modelPath: key(text(), "A GGUF file of yours, run by node-llama-cpp if that is installed."),
    })),
    store: block(() => ({
      driver: key(choice("sqlite"), "How the index is kept; there is one way."),
      path: key(
        text(),
        "Where the index lies; {agentId} stands for the agent. memory/<agentId>.sqlite in the state directory unless told.",
      ),
      vector: block(() => ({
        enabled: key(bool(), "Whether vectors are used at all; without them notes are found by their words.", {
          preset: true,
        }),
      })),
    })),
    chunking: block(() => ({
      tokens: key(positive(), "How long a piece of a note is that is found as one.", { preset: 512 }),
      overlap: key(count(), "How much of a piece is repeated in the next one.", { preset: 64 }),
    })),
    sync: block(() => ({
      onSearch: key(bool(), "Whether a search first looks for notes that changed.", { preset: true }),
      watch: key(bool(), "Whether folders of notes are watched.", { preset: true }),
      watchDebounceMs: key(count(), "How long after the last change notes are read again.", { preset: 1500 }),
    })),
    query: block(() => ({
      maxResults: key(positive(), "How many results a search gives.", { preset: 6 }),
      minScore: key(
        share(),
        "Results below this are left out; age, and another language than the question's, change the order only.",
        { preset: 0.35 },
      ),
      hybrid: block(() => ({
        enabled: key(bool(), "Whether words and vectors are both used.", { preset: true }),
        vectorWeight: key(share(), "How much meaning counts.", { preset: 0.7 }),
        textWeight: key(share(), "How much words count.", { preset: 0.3 }),
        candidateMultiplier: key(
          positive(),
          "How many times the wished results are looked at before they are ranked.",
          { preset: 4 },
        ),
        mmr: block(() => ({
          enabled: key(bool(), "Whether results that say the same make room for others.", { preset: false }),
          lambda: key(share(), "How much the match counts against being different.", { preset: 0.7 }),
        })),
        temporalDecay: block(() => ({
          enabled: key(bool(), "Whether older notes count less.", { preset: false }),
          halfLifeDays: key(positive(), "After how many days a note counts half.", { preset: 30 }),
        })),
      })),
    })),
    cache: block(() => ({
      enabled: key(bool(), "Whether vectors of texts that left the index are kept for a while.", { preset: true }),
      maxEntries: key(positive(), "How many of them.", { preset: 50_000 }),
    })),
  })),
);

const ulimit = () =>
  z.union([
    z.string(),
    z.number(),
    keyed({
      soft: key(count(), "The limit that holds; a program may raise it up to the hard one."),
      hard: key(count(), "The limit nobody inside can raise."),
    }),
  ]);

export const sandbox = once(() =>
  block(() => ({
    mode: key(
      choice("off", "non-main", "all"),
      "Which conversations run their commands only in a sandbox: none (off), all but the main ones (non-main), or all. Where nothing is said: non-main, on machines that can keep a sandbox.",
    ),
    backend: key(
      choice("auto", "bubblewrap", "docker", "podman", "host"),
      "What keeps sandboxes: the first that is usable (auto), one by its name, or nothing (host).",
      { preset: "auto" },
    ),
    allowHosts: key(
      texts(),
      "Hosts that can be reached from a sandbox, through a proxy of ours: example.org, *.example.org, example.org:8443. None unless told.",
    ),
    limits: block(() => ({
      memoryMb: key(positive(), "Memory of a whole sandbox.", { preset: 1024 }),
      processes: key(positive(), "How many processes run in a sandbox at once.", { preset: 256 }),
      cpuSeconds: key(positive(), "Processor time of one process in a sandbox.", { preset: 3600 }),
      fileMb: key(positive(), "How large a file can grow in a sandbox.", { preset: 1024 }),
      openFiles: key(positive(), "How many files a process in a sandbox holds open.", { preset: 1024 }),
      diskMb: key(
        positive(),
        "How much the folder of a sandbox may hold. Whoever takes more is ended, and may then only delete.",
        { preset: 2048 },
      ),
      files: key(positive(), "How many files and folders the folder of a sandbox may hold.", { preset: 100_000 }),
      keepFreeMb: key(
        count(),
        "Free space on the disk below which nothing runs in a sandbox, and what runs is ended; 0 does not look.",
        { preset: 512 },
      ),
    })),
    workspaceAccess: key(
      choice("none", "ro", "rw"),
      "How a sandbox sees the agent's workspace: not at all (none), read-only at /agent (ro), or as its own (rw). Where nothing is said: rw for your own conversations, jobs and sub-agents, none for everybody else. Guests, strangers, nodes and webhooks never write to it.",
    ),

    scope: key(
      choice("session", "agent", "shared"),
      "Who shares a sandbox: one conversation (session), those of one agent, or all (shared). Where nothing is said: each chat has its own, and one is for what the agent does by itself and for its owner.",
    ),
    perSession: key(bool(), "The older way to say scope: session."),
    workspaceRoot: key(
      text(),
      "Where sandboxes have their own folders; sandboxes/ in the state directory unless told.",
    ),
    docker: block(() => ({
      image: key(text(), "The image of a container. It is never pulled by itself.", {
        preset: "openclaw-sandbox:bookworm-slim",
      }),
      containerPrefix: key(text(), "What the names of containers begin with.", { preset: "openclaw-sbx-" }),
      workdir: key(text(), "Where commands begin inside, with every backend.", { preset: "/workspace" }),
      readOnlyRoot: key(
        bool(),
        "Nothing of the image can be changed inside. The security audit names it when it is off.",
        { preset: true },
      ),
      tmpfs: key(texts(), "Folders of a container that live in memory."),
      network: key(
        text(),
        "The network of a container: none, one by its name, or host, the machine's own, which the security audit calls critical.",
        { preset: "none" },
      ),
      user: key(
        text(),
        "Whom commands in a container run as; unless told the gateway's own user with Docker, else the image's.",
      ),
      capDrop: key(texts(), "Capabilities a container does without; all of them unless told."),
      env: key(secretMap(), "Environment variables inside, with every backend."),
      setupCommand: key(text(), "Runs once in a new container; if it fails, there is no container."),
      pidsLimit: key(positive(), "The older way to say limits.processes."),
      memory: key(
        z.union([z.string(), z.number()]).optional(),
        "Memory of a sandbox, as 512m or 2g, with every backend.",
      ),
      memorySwap: key(z.union([z.string(), z.number()]).optional(), "Memory and swap of a container together."),
      cpus: key(numberAbove0(), "How many processors a sandbox may keep busy."),
      ulimits: key(mapOf(ulimit()), "Further limits of a container, by their names."),
      seccompProfile: key(text(), "A filter for system calls in place of the engine's own."),
      apparmorProfile: key(text(), "An AppArmor profile of the machine."),
      dns: key(texts(), "Name servers of a container."),
      extraHosts: key(texts(), "Further names a container knows."),
      binds: key(texts(), "Further folders for a sandbox, as /source:/target:ro, with every backend."),
      dangerouslyAllowReservedContainerTargets: key(bool(), "Binds may cover what belongs to the sandbox itself."),
      dangerouslyAllowExternalBindSources: key(bool(), "Binds may come from outside of the workspace."),
    })),

    prune: block(() => ({
      idleHours: key(count(), "A sandbox nobody used for so long is taken down; 0 keeps it.", { preset: 24 }),
      maxAgeDays: key(count(), "A sandbox this old is taken down; 0 keeps it.", { preset: 7 }),
    })),
  })),
);
