// Who may speak, give commands and decide. Each weakness once weak and once sound.
import { describe } from "vitest";
import { runCases, type CheckCase } from "../facts.test-support.ts";

const CASES: readonly CheckCase[] = [
  {
    name: "open direct messages",
    weak: {
      config: {
        channels: { telegram: { dmPolicy: "open", allowFrom: ["*"] } },
        session: { dmScope: "per-peer" },
        commands: { ownerAllowFrom: ["telegram:1"] },
      },
    },
    sound: { config: { channels: { telegram: { dmPolicy: "open", allowFrom: ["*"], enabled: false } } } },
    says: [
      [
        "warning dm-open:channels.telegram",
        "Everybody may write to the agent",
        "Any stranger can use it, and spend your money.",
        "channels.telegram.dmPolicy: chela config set channels.telegram.dmPolicy pairing",
      ],
    ],
  },
  {
    name: "open direct messages to an agent that asks nobody",
    weak: {
      config: {
        agents: {},
        tools: { exec: { security: "full" } },
        channels: { slack: { dm: { policy: "open", allowFrom: ["*"] } } },
        session: { dmScope: "per-peer" },
        commands: { ownerAllowFrom: ["slack:U1"] },
      },
    },
    sound: {
      config: {
        channels: { slack: { dm: { policy: "open", enabled: false } } },
        commands: { ownerAllowFrom: ["slack:U1"] },
      },
    },
    says: [
      [
        "critical dm-open:channels.slack",
        "Everybody may write to the agent",
        "Any stranger can use it, and make it run commands on this machine without asking you.",
        "channels.slack.dm.policy: chela config set channels.slack.dm.policy pairing",
      ],
      [
        "critical exec-full:tools",
        "Commands run without asking anybody",
        "People nobody named may speak to an agent, and what they talk it into runs on this machine at once.",
        "tools.exec.security: chela config set tools.exec.security allowlist",
      ],
    ],
  },
  {
    name: "everybody beside people who are named",
    weak: {
      config: {
        channels: { telegram: { accounts: { work: { dmPolicy: "allowlist", allowFrom: [7, "*"] } } } },
        session: { dmScope: "per-peer" },
        commands: { ownerAllowFrom: ["telegram:7"] },
      },
    },
    sound: {
      config: {
        channels: { telegram: { accounts: { work: { dmPolicy: "allowlist", allowFrom: [7] } } } },
        commands: { ownerAllowFrom: ["telegram:7"] },
      },
    },
    says: [
      [
        "warning dm-wildcard:channels.telegram.accounts.work (fixable)",
        "The list of people holds everybody",
        '"*" lets any stranger use the agent, and spend your money.',
        'channels.telegram.accounts.work.allowFrom: Take "*" out of channels.telegram.accounts.work.allowFrom, and name people by id or let them pair.',
      ],
    ],
  },
  {
    name: "everybody alone, while others have to pair",
    weak: {
      config: {
        channels: { telegram: { allowFrom: ["*"] } },
        session: { dmScope: "per-peer" },
        commands: { ownerAllowFrom: ["telegram:7"] },
      },
    },
    sound: {
      config: {
        channels: { telegram: { dmPolicy: "disabled", allowFrom: ["*"] } },
        commands: { ownerAllowFrom: ["telegram:7"] },
      },
    },
    says: [
      [
        "warning dm-wildcard:channels.telegram",
        "The list of people holds everybody",
        '"*" lets any stranger use the agent, and spend your money.',
        'channels.telegram.allowFrom: Take "*" out of channels.telegram.allowFrom, and name people by id or let them pair.',
      ],
    ],
  },
  {
    name: "open groups",
    weak: {
      config: {
        channels: { defaults: { groupPolicy: "open" }, discord: { groupPolicy: "open" } },
        commands: { ownerAllowFrom: ["discord:7"] },
      },
    },
    sound: {
      config: {
        channels: { discord: { groupPolicy: "open", groupAllowFrom: ["7"] } },
        commands: { ownerAllowFrom: ["discord:7"] },
      },
    },
    says: [
      [
        "warning group-open:channels.discord.groupPolicy",
        "Everybody in a group may use the agent",
        "Whoever is in a group with it, or adds it to one, can use it, and spend your money.",
        "channels.discord.groupPolicy: chela config set channels.discord.groupPolicy allowlist, and name the groups or people.",
      ],
      [
        "warning group-open:channels.defaults.groupPolicy",
        "Everybody in a group may use the agent",
        "Whoever is in a group with it, or adds it to one, can use it, and spend your money.",
        "channels.defaults.groupPolicy: chela config set channels.defaults.groupPolicy allowlist, and name the groups or people.",
      ],
    ],
  },
  {
    name: "everybody in one group",
    weak: {
      config: {
        channels: { discord: { guilds: { g1: { users: ["*", "7"] } } } },
        commands: { ownerAllowFrom: ["discord:7"] },
      },
    },
    sound: {
      config: {
        channels: { discord: { guilds: { g1: { users: ["7"] } } } },
        commands: { ownerAllowFrom: ["discord:7"] },
      },
    },
    says: [
      [
        "warning group-wildcard:channels.discord.guilds.g1.users (fixable)",
        "A group's list of people holds everybody",
        "Whoever is in the group can use the agent, and spend your money.",
        'channels.discord.guilds.g1.users: Take "*" out of channels.discord.guilds.g1.users, and name people by id.',
      ],
    ],
  },
  {
    name: "everybody approves",
    weak: {
      config: {
        channels: { discord: { execApprovals: { approvers: ["*"] } } },
        commands: { ownerAllowFrom: ["discord:7"] },
      },
    },
    sound: {
      config: {
        channels: { discord: { execApprovals: { approvers: ["7"] } } },
        commands: { ownerAllowFrom: ["discord:7"] },
      },
    },
    says: [
      [
        "critical approvers-wildcard:channels.discord",
        "Everybody is named as somebody who approves commands",
        "A stranger who asks for a command could be taken for somebody who may allow it.",
        "channels.discord.execApprovals.approvers: Name the people who may approve, by id.",
      ],
    ],
  },
  {
    name: "people who share a conversation",
    weak: {
      config: {
        session: { dmScope: "main" },
        channels: { telegram: { allowFrom: [1, 2] } },
        commands: { ownerAllowFrom: ["telegram:1"] },
      },
    },
    sound: { config: { channels: { telegram: { allowFrom: [1, 2] } }, commands: { ownerAllowFrom: ["telegram:1"] } } },
    says: [
      [
        "warning dm-shared-conversation",
        "People who write directly share the owner's conversation",
        "Whoever is named, approved or a member reads what the others said there (2 people are named, more can be approved).",
        "session.dmScope: chela config set session.dmScope per-channel-peer",
      ],
    ],
  },
  {
    name: "one global conversation",
    weak: {
      config: {
        session: { scope: "global" },
        channels: { telegram: { allowFrom: [1] } },
        commands: { ownerAllowFrom: ["telegram:1"] },
      },
    },
    sound: {
      config: {
        session: { scope: "global", dmScope: "per-peer" },
        channels: { telegram: { allowFrom: [1] } },
        commands: { ownerAllowFrom: ["telegram:1"] },
      },
    },
    says: [
      [
        "warning dm-shared-conversation",
        "People who write directly share the owner's conversation",
        "Whoever is named, approved or a member reads what the others said there (more can be approved).",
        "session.scope: chela config set session.dmScope per-channel-peer",
      ],
    ],
  },
  {
    name: "several owners",
    weak: {
      config: { channels: { telegram: {} }, commands: { ownerAllowFrom: ["telegram:1", "telegram:2", "irc:ann"] } },
    },
    sound: { config: { channels: { telegram: {} }, commands: { ownerAllowFrom: ["telegram:1", "irc:ann"] } } },
    says: [
      [
        "info owners-share:commands.ownerAllowFrom",
        "Several ids are owners, and share one conversation",
        "telegram:1, telegram:2 have the owner's conversation, notes, tools and commands on this machine. Right for one person with several ids.",
        "commands.ownerAllowFrom: Name the owner alone: chela config set commands.ownerAllowFrom '[\"<channel>:<your id>\"]'",
      ],
    ],
  },
  {
    name: "the same id on two channels",
    weak: {
      config: {
        session: { dmScope: "per-peer", identityLinks: { ann: ["irc:ann", "xmpp:a@b.c"] } },
        channels: { irc: {}, xmpp: {} },
        commands: { ownerAllowFrom: ["irc:ann"] },
      },
    },
    sound: {
      config: {
        session: { dmScope: "per-channel-peer", identityLinks: { ann: ["irc:ann"] } },
        channels: { irc: {}, xmpp: {} },
        commands: { ownerAllowFrom: ["irc:ann"] },
      },
    },
    says: [
      [
        "info dm-same-ids",
        "People with the same id on two channels share a conversation",
        "With per-peer an id stands for a person whatever the channel is: a name on IRC may be somebody else's on XMPP.",
        "session.dmScope: chela config set session.dmScope per-channel-peer",
      ],
      [
        "info linked-ids:ann",
        "Several ids are written as one person",
        'Whoever has one of irc:ann, xmpp:a@b.c has the conversation of "ann".',
        "session.identityLinks.ann: Look whether all of them are that person's; take out what is not.",
      ],
    ],
  },
  {
    name: "everybody as owner",
    weak: { config: { commands: { ownerAllowFrom: ["*"] } } },
    sound: { config: { commands: { ownerAllowFrom: ["telegram:1"] } } },
    says: [
      [
        "warning owner-wildcard",
        "Everybody is named as owner",
        '"*" makes nobody an owner here, but other programs that read this file may think it does.',
        'commands.ownerAllowFrom: Take "*" out, and name the owners by id.',
      ],
    ],
  },
  {
    name: "no owner",
    weak: { config: { channels: { telegram: {} } } },
    sound: { config: { channels: { telegram: { enabled: false } } } },
    says: [
      [
        "info owner-nobody",
        "No owner is named",
        "Commands for owners can only be given by people who were made owner when they paired.",
        "commands.ownerAllowFrom: chela config set commands.ownerAllowFrom '[\"<channel>:<your id>\"]'",
      ],
    ],
  },
  {
    name: "commands for everybody",
    weak: { config: { commands: { allowFrom: { telegram: ["*", 7] }, useAccessGroups: false } } },
    sound: { config: { commands: { allowFrom: { telegram: [7] }, useAccessGroups: true } } },
    says: [
      [
        "warning commands-wildcard:telegram (fixable)",
        "Everybody may give commands",
        "Whoever may speak can change models, stop turns and start conversations anew.",
        'commands.allowFrom.telegram: Take "*" out of commands.allowFrom.telegram, and name people by id.',
      ],
      [
        "warning commands-unguarded (fixable)",
        "Whoever may speak may give commands",
        "Somebody in a group can change models, stop turns and start conversations anew.",
        "commands.useAccessGroups: chela config unset commands.useAccessGroups",
      ],
    ],
  },
  {
    name: "commands that reach far",
    weak: { config: { commands: { bash: true, config: true, debug: true } } },
    sound: { config: { commands: { bash: false, config: false, debug: false } } },
    says: [
      [
        "warning commands-bash",
        "A chat message can run commands on this machine",
        "Whoever takes over an owner's account on a channel can run commands on this machine.",
        "commands.bash: chela config unset commands.bash",
      ],
      [
        "info commands-config",
        "A chat message can change the configuration",
        "Whoever takes over an owner's account on a channel can change the configuration.",
        "commands.config: chela config unset commands.config",
      ],
      [
        "info commands-debug",
        "A chat message can change settings of the running gateway",
        "Whoever takes over an owner's account on a channel can change settings of the running gateway.",
        "commands.debug: chela config unset commands.debug",
      ],
    ],
  },
  {
    name: "elevated commands for everybody",
    weak: {
      config: {
        tools: { elevated: { allowFrom: { discord: ["*"] } } },
        agents: {
          list: [
            {
              id: "b",
              sandbox: { mode: "all" },
              tools: { elevated: { allowFrom: { sms: Array.from({ length: 26 }, (_, index) => index) } } },
            },
          ],
        },
      },
    },
    sound: { config: { tools: { elevated: { allowFrom: { discord: ["7"] } } } } },
    says: [
      [
        "critical elevated-wide:tools.elevated.allowFrom.discord",
        "Everybody may use elevated commands",
        "Elevated commands leave the sandbox, so each of these people has this machine.",
        "tools.elevated.allowFrom.discord: Name the few people who need it, by id.",
      ],
      [
        "warning elevated-wide:agents.list[0].tools.elevated.allowFrom.sms",
        "Very many people may use elevated commands",
        "Elevated commands leave the sandbox, so each of these people has this machine.",
        "agents.list[0].tools.elevated.allowFrom.sms: Name the few people who need it, by id.",
      ],
    ],
  },
];

describe("people", () => runCases(CASES));
