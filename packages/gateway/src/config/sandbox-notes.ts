// A sentence per key about sandboxes, for all agents and for one.

const NOTES: Readonly<Record<string, string>> = {
  mode: "Which conversations run their commands only in a sandbox: none (off), all but the main ones (non-main), or all. Where nothing is said: non-main, on machines that can keep a sandbox.",
  backend: "What keeps sandboxes: the first that is usable (auto), one by its name, or nothing (host).",
  scope:
    "Who shares a sandbox: one conversation (session), those of one agent, or all (shared). Where nothing is said: each chat has its own, and one is for what the agent does by itself and for its owner.",
  perSession: "The older way to say scope: session.",
  workspaceAccess:
    "How a sandbox sees the agent's workspace: not at all (none), read-only at /agent (ro), or as its own (rw). Where nothing is said: rw for your own conversations, jobs and sub-agents, none for everybody else. Guests, strangers, nodes and webhooks never write to it.",
  workspaceRoot: "Where sandboxes have their own folders; sandboxes/ in the state directory unless told.",
  allowHosts:
    "Hosts that can be reached from a sandbox, through a proxy of ours: example.org, *.example.org, example.org:8443. None unless told.",
  "limits.memoryMb": "Memory of a whole sandbox.",
  "limits.processes": "How many processes run in a sandbox at once.",
  "limits.cpuSeconds": "Processor time of one process in a sandbox.",
  "limits.fileMb": "How large a file can grow in a sandbox.",
  "limits.openFiles": "How many files a process in a sandbox holds open.",
  "limits.diskMb": "How much the folder of a sandbox may hold. Whoever takes more is ended, and may then only delete.",
  "limits.files": "How many files and folders the folder of a sandbox may hold.",
  "limits.keepFreeMb":
    "Free space on the disk below which nothing runs in a sandbox, and what runs is ended; 0 does not look.",
  "prune.idleHours": "A sandbox nobody used for so long is taken down; 0 keeps it.",
  "prune.maxAgeDays": "A sandbox this old is taken down; 0 keeps it.",
  "docker.image": "The image of a container. It is never pulled by itself.",
  "docker.containerPrefix": "What the names of containers begin with.",
  "docker.workdir": "Where commands begin inside, with every backend.",
  "docker.readOnlyRoot": "Nothing of the image can be changed inside. The security audit names it when it is off.",
  "docker.tmpfs": "Folders of a container that live in memory.",
  "docker.network":
    "The network of a container: none, one by its name, or host, the machine's own, which the security audit calls critical.",
  "docker.user":
    "Whom commands in a container run as; unless told the gateway's own user with Docker, else the image's.",
  "docker.capDrop": "Capabilities a container does without; all of them unless told.",
  "docker.env": "Environment variables inside, with every backend.",
  "docker.setupCommand": "Runs once in a new container; if it fails, there is no container.",
  "docker.pidsLimit": "The older way to say limits.processes.",
  "docker.memory": "Memory of a sandbox, as 512m or 2g, with every backend.",
  "docker.memorySwap": "Memory and swap of a container together.",
  "docker.cpus": "How many processors a sandbox may keep busy.",
  "docker.ulimits": "Further limits of a container, by their names.",
  "docker.ulimits.<key>.soft": "The limit that holds; a program may raise it up to the hard one.",
  "docker.ulimits.<key>.hard": "The limit nobody inside can raise.",
  "docker.seccompProfile": "A filter for system calls in place of the engine's own.",
  "docker.apparmorProfile": "An AppArmor profile of the machine.",
  "docker.dns": "Name servers of a container.",
  "docker.extraHosts": "Further names a container knows.",
  "docker.binds": "Further folders for a sandbox, as /source:/target:ro, with every backend.",
  "docker.dangerouslyAllowReservedContainerTargets": "Binds may cover what belongs to the sandbox itself.",
  "docker.dangerouslyAllowExternalBindSources": "Binds may come from outside of the workspace.",
};

export const SANDBOX_NOTES: Readonly<Record<string, string>> = Object.fromEntries(
  ["agents.defaults", "agents.list[]"].flatMap((place) =>
    Object.entries(NOTES).map(([key, note]) => [`${place}.sandbox.${key}`, note]),
  ),
);
