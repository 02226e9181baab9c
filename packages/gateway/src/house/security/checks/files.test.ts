// Who can read and replace what lies on the disk. Each weakness once weak and once sound.
import { describe } from "vitest";
import { runCases, type CheckCase } from "../facts.test-support.ts";

const CASES: readonly CheckCase[] = [
  {
    name: "open directories",
    weak: {
      files: [
        { path: "/s", kind: "directory", mode: 0o755, uid: 1000 },
        { path: "/s/credentials", kind: "directory", mode: 0o770, uid: 1000 },
      ],
    },
    sound: { files: [{ path: "/s", kind: "directory", mode: 0o700, uid: 1000 }] },
    says: [
      [
        "critical directory-mode:/s/credentials (fixable)",
        "Other users can put files here",
        "They can replace your configuration and your credentials by their own.",
        "/s/credentials: chmod 700 /s/credentials",
      ],
      [
        "warning directory-mode:/s (fixable)",
        "Other users can look in here",
        "They see which conversations and accounts there are, and can read what is not closed by itself.",
        "/s: chmod 700 /s",
      ],
    ],
  },
  {
    name: "open credentials",
    weak: {
      files: [
        { path: "/my state/.env", kind: "secret", mode: 0o640, uid: 1000 },
        { path: "/s/openclaw.json", kind: "secret", mode: 0o666, uid: 1000 },
      ],
    },
    sound: { files: [{ path: "/s/.env", kind: "secret", mode: 0o400, uid: 1000 }] },
    says: [
      [
        "critical file-mode:/my state/.env (fixable)",
        "Other users can read this file",
        "Other users of this machine can read the credentials or rules in it.",
        "/my state/.env: chmod 600 '/my state/.env'",
      ],
      [
        "critical file-mode:/s/openclaw.json (fixable)",
        "Other users can change this file",
        "They can put their own credentials or rules into it.",
        "/s/openclaw.json: chmod 600 /s/openclaw.json",
      ],
    ],
  },
  {
    name: "open conversations",
    weak: {
      files: [
        { path: "/s/ledger.sqlite", kind: "personal", mode: 0o644, uid: 1000 },
        { path: "/s/logs/a", kind: "personal", mode: 0o644, uid: 1000 },
        { path: "/s/logs/b", kind: "personal", mode: 0o664, uid: 1000 },
      ],
    },
    sound: { files: [{ path: "/s/ledger.sqlite", kind: "personal", mode: 0o600, uid: 1000 }] },
    says: [
      [
        "critical personal-mode:/s/logs (fixable)",
        "Other users can read conversations or logs",
        "What was said to and by your agents is in 2 files here.",
        "/s/logs: chmod -R go= /s/logs",
      ],
      [
        "warning personal-mode:/s (fixable)",
        "Other users can read conversations or logs",
        "What was said to and by your agents is in this file.",
        "/s/ledger.sqlite: chmod 600 /s/ledger.sqlite",
      ],
    ],
  },
  {
    name: "files of others",
    weak: { files: [{ path: "/s/.env", kind: "secret", mode: 0o600, uid: 1001 }] },
    sound: { files: [{ path: "/s/.env", kind: "secret", mode: 0o600, uid: 0 }] },
    says: [
      [
        "warning file-owner:/s/.env",
        "This belongs to another user",
        "User 1001 can read and change it at any time, whatever its mode is.",
        "/s/.env: sudo chown 1000 /s/.env, or run the gateway as that user.",
      ],
    ],
  },
  {
    name: "files of others, looked at by root",
    weak: { uid: 0, files: [{ path: "/s", kind: "directory", mode: 0o700, uid: 1001 }] },
    sound: { uid: 0, files: [{ path: "/s", kind: "directory", mode: 0o700, uid: 0 }] },
    says: [
      [
        "warning file-owner:/s",
        "This belongs to another user",
        "User 1001 can read and change it at any time, whatever its mode is.",
        "/s: sudo chown 0 /s, or run the gateway as that user.",
      ],
    ],
  },
  {
    name: "a place everybody can write to",
    weak: { looseParents: [{ path: "/shared", mode: 0o777 }] },
    sound: { looseParents: [] },
    says: [
      [
        "critical parent-writable:/shared",
        "Every user can replace your state directory",
        "/shared can be written by all, so they can move your files away and put others in their place.",
        "/shared: chmod o-w /shared",
      ],
    ],
  },
  {
    name: "links",
    weak: {
      files: [{ path: "/s/openclaw.json", kind: "secret", mode: 0o600, uid: 1000, leadsTo: "/dotfiles/openclaw.json" }],
    },
    sound: {},
    says: [
      [
        "info file-link:/s/openclaw.json",
        "This is a link",
        "What protects /dotfiles/openclaw.json protects it too, and nothing else does.",
        "/s/openclaw.json: Nothing, if you made the link.",
      ],
    ],
  },
  {
    name: "a synchronised folder",
    weak: { stateDir: "/Users/ann/Dropbox/openclaw" },
    sound: { stateDir: "/Users/ann/.openclaw" },
    says: [
      [
        "warning state-synced",
        "Your credentials and conversations are copied elsewhere",
        "They lie in Dropbox, so whoever gets at that account or another of its devices has them.",
        "/Users/ann/Dropbox/openclaw: Stop the gateway, move the directory, and set OPENCLAW_STATE_DIR to its new place.",
      ],
    ],
  },
  {
    name: "modes on Windows",
    weak: { platform: "linux", files: [{ path: "/s/.env", kind: "secret", mode: 0o666, uid: 1000 }] },
    sound: {
      platform: "win32",
      files: [
        { path: "/s/.env", kind: "secret", mode: 0o666, uid: 1000 },
        { path: "/s", kind: "directory", mode: 0o777, uid: 1000 },
      ],
    },
    says: [
      [
        "critical file-mode:/s/.env (fixable)",
        "Other users can change this file",
        "They can put their own credentials or rules into it.",
        "/s/.env: chmod 600 /s/.env",
      ],
    ],
  },
];

describe("files", () => runCases(CASES));
