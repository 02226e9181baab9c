// What agents may run, and which files they reach. Each weakness once weak and once sound.
import { describe } from "vitest";
import { runCases, type CheckCase } from "../facts.test-support.ts";

const CASES: readonly CheckCase[] = [
  {
    name: "commands without asking",
    weak: {
      config: { agents: { list: [{ id: "b", tools: { exec: { security: "full" } }, sandbox: { mode: "non-main" } }] } },
    },
    sound: { config: { tools: { exec: { security: "full", ask: "always" } } } },
    says: [
      [
        "warning exec-full:agents.list[0].tools",
        "Commands run without asking anybody",
        'What a web page or a mail talks the agent "b" into runs on this machine at once.',
        "agents.list[0].tools.exec.security: chela config set 'agents.list[0].tools.exec.security' allowlist",
      ],
    ],
  },
  {
    name: "elevated without asking",
    weak: { config: { agents: { defaults: { elevatedDefault: "full", sandbox: { mode: "all" } } } } },
    sound: { config: { agents: { defaults: { elevatedDefault: "ask", sandbox: { mode: "all" } } } } },
    says: [
      [
        "warning elevated-full",
        "Elevated commands run without asking anybody",
        "Whoever may use elevated commands has this machine without anybody being asked.",
        "agents.defaults.elevatedDefault: chela config set agents.defaults.elevatedDefault ask",
      ],
    ],
  },
  {
    name: "programs that are not harmless",
    weak: { config: { tools: { exec: { safeBins: ["jq", "python3", "bash"], safeBinTrustedDirs: ["/tmp/bin"] } } } },
    sound: { config: { tools: { exec: { safeBins: ["jq"], safeBinTrustedDirs: ["/usr/bin", "/tmpfiles"] } } } },
    says: [
      [
        "critical safe-bins-open:tools",
        "Programs are trusted where everybody can put some",
        "Every user of this machine can put a program into /tmp/bin that then runs as you.",
        "tools.exec.safeBinTrustedDirs: Take /tmp/bin out of tools.exec.safeBinTrustedDirs.",
      ],
      [
        "warning safe-bins-risky:tools",
        "A program counts as harmless that is not",
        'python3, bash can read files or run other programs, so "harmless" means everything.',
        "tools.exec.safeBins: Take python3, bash out of tools.exec.safeBins.",
      ],
    ],
  },
  {
    name: "files everywhere",
    weak: { config: { tools: { fs: { workspaceOnly: false }, exec: { applyPatch: { workspaceOnly: false } } } } },
    sound: { config: { tools: { fs: { workspaceOnly: true } } } },
    says: [
      [
        "warning files-everywhere:tools.fs.workspaceOnly",
        "File tools reach outside the workspace",
        "What a message talks every agent into can read and change any file of yours.",
        "tools.fs.workspaceOnly: chela config unset tools.fs.workspaceOnly",
      ],
      [
        "warning files-everywhere:tools.exec.applyPatch.workspaceOnly",
        "File tools reach outside the workspace",
        "What a message talks every agent into can change any file of yours.",
        "tools.exec.applyPatch.workspaceOnly: chela config unset tools.exec.applyPatch.workspaceOnly",
      ],
    ],
  },
  {
    name: "an approvals file that is broken",
    weak: { approvals: { path: "/s/exec-approvals.json", problem: "it is not valid JSON", rules: [], programs: [] } },
    sound: { approvals: { path: "/s/exec-approvals.json", rules: [], programs: [] } },
    says: [
      [
        "warning approvals-broken",
        "The list of allowed programs cannot be read",
        "Nothing in it counts, so every command has to be approved: it is not valid JSON.",
        "/s/exec-approvals.json: Correct /s/exec-approvals.json, or move it away.",
      ],
    ],
  },
  {
    name: "an approvals file that asks nobody",
    weak: {
      approvals: {
        path: "/s/exec-approvals.json",
        rules: [
          { of: "defaults", security: "full", ask: "off" },
          { of: "main", askFallback: "full" },
        ],
        programs: [],
      },
    },
    sound: {
      approvals: {
        path: "/s/exec-approvals.json",
        rules: [{ of: "defaults", security: "allowlist", ask: "on-miss", askFallback: "deny" }],
        programs: [],
      },
    },
    says: [
      [
        "warning approvals-loose:defaults",
        "The approvals file asks for no approval",
        "It only narrows what the configuration allows, but nothing is left of it once that is loosened too.",
        "/s/exec-approvals.json (defaults): chela approvals get shows it; set security to allowlist and ask to on-miss.",
      ],
      [
        "warning approvals-loose:main",
        "The approvals file asks for no approval",
        "It only narrows what the configuration allows, but nothing is left of it once that is loosened too.",
        "/s/exec-approvals.json (main): chela approvals get shows it; set security to allowlist and ask to on-miss.",
      ],
    ],
  },
  {
    name: "programs that are many",
    weak: {
      approvals: {
        path: "/s/exec-approvals.json",
        rules: [],
        programs: [
          { agentId: "*", pattern: "/**", isNarrow: false },
          { agentId: "main", pattern: "/opt/bin/*", isNarrow: false },
          { agentId: "main", pattern: "/usr/bin/python3", isNarrow: false, runsOthers: "runs any code it is given" },
          {
            agentId: "main",
            pattern: "/usr/bin/env",
            argPattern: ".*",
            isNarrow: true,
            runsOthers: "starts the program named in its arguments",
          },
        ],
      },
    },
    sound: {
      approvals: {
        path: "/s/exec-approvals.json",
        rules: [],
        programs: [
          { agentId: "main", pattern: "/usr/bin/ls", isNarrow: false },
          {
            agentId: "main",
            pattern: "/usr/bin/python3",
            argPattern: "^--version$",
            isNarrow: true,
            runsOthers: "runs any code it is given",
          },
        ],
      },
    },
    says: [
      [
        "warning allowlist-wide:*:/**",
        "An allowed program is more than one program",
        '"/**" allows nearly every program without asking.',
        "/s/exec-approvals.json (*): chela approvals allowlist remove '/**', and allow single commands when you are asked.",
      ],
      [
        "warning allowlist-wide:main:/opt/bin/*",
        "An allowed program is more than one program",
        '"/opt/bin/*" also allows programs that are put there later.',
        "/s/exec-approvals.json (main): chela approvals allowlist remove '/opt/bin/*', and allow single commands when you are asked.",
      ],
      [
        "warning allowlist-wide:main:/usr/bin/python3",
        "An allowed program is more than one program",
        "python3 runs any code it is given, so by its path alone it is never run without asking.",
        "/s/exec-approvals.json (main): chela approvals allowlist remove '/usr/bin/python3', and allow single commands when you are asked.",
      ],
      [
        "warning allowlist-wide:main:/usr/bin/env",
        "An allowed program is more than one program",
        "env starts the program named in its arguments, and any arguments are allowed.",
        "/s/exec-approvals.json (main): chela approvals allowlist remove '/usr/bin/env', and allow single commands when you are asked.",
      ],
    ],
  },
];

describe("commands", () => runCases(CASES));
