// Security checks about what lies on the disk: who can read it, who could replace it, and where it is copied to.
import { dirname } from "node:path";
import type { FileFact, SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { quoteWord } from "../../../base/settings/change-settings.ts";

const PRIVATE_FILE = 0o600;

const PRIVATE_DIRECTORY = 0o700;

export function isOpenToOthers({ mode }: Pick<FileFact, "mode">): boolean {
  return (mode & 0o077) !== 0;
}

const isWritable = ({ mode }: Pick<FileFact, "mode">): boolean => (mode & 0o022) !== 0;

const checkDirectories: SecurityCheck["look"] = ({ files, platform }) =>
  platform === "win32"
    ? []
    : files
        .filter((fact) => fact.kind === "directory" && isOpenToOthers(fact))
        .map((fact) => ({
          id: `directory-mode:${fact.path}`,
          severity: isWritable(fact) ? "critical" : "warning",
          title: isWritable(fact) ? "Other users can put files here" : "Other users can look in here",
          risk: isWritable(fact)
            ? "They can replace your configuration and your credentials by their own."
            : "They see which conversations and accounts there are, and can read what is not closed by itself.",
          where: fact.path,
          fix: `chmod 700 ${quoteWord(fact.path)}`,
          repair: { kind: "modes", files: [{ path: fact.path, mode: PRIVATE_DIRECTORY }] },
        }));

const checkSecretFiles: SecurityCheck["look"] = ({ files, platform }) =>
  platform === "win32"
    ? []
    : files
        .filter((fact) => fact.kind === "secret" && isOpenToOthers(fact))
        .map((fact) => ({
          id: `file-mode:${fact.path}`,
          severity: "critical",
          title: isWritable(fact) ? "Other users can change this file" : "Other users can read this file",
          risk: isWritable(fact)
            ? "They can put their own credentials or rules into it."
            : "Other users of this machine can read the credentials or rules in it.",
          where: fact.path,
          fix: `chmod 600 ${quoteWord(fact.path)}`,
          repair: { kind: "modes", files: [{ path: fact.path, mode: PRIVATE_FILE }] },
        }));

/** One line for a directory: there can be thousands of transcripts. */
const checkPersonalFiles: SecurityCheck["look"] = ({ files, platform }) => {
  if (platform === "win32") return [];
  const open = Map.groupBy(
    files.filter((fact) => fact.kind === "personal" && isOpenToOthers(fact)),
    ({ path }) => dirname(path),
  );
  return [...open].map(([directory, facts]): SecurityWeakness => {
    const [first] = facts;
    const isOne = facts.length === 1 && first !== undefined;
    return {
      id: `personal-mode:${directory}`,
      severity: facts.some(isWritable) ? "critical" : "warning",
      title: "Other users can read conversations or logs",
      risk: isOne
        ? "What was said to and by your agents is in this file."
        : `What was said to and by your agents is in ${facts.length} files here.`,
      where: isOne ? first.path : directory,
      fix: isOne ? `chmod 600 ${quoteWord(first.path)}` : `chmod -R go= ${quoteWord(directory)}`,
      repair: { kind: "modes", files: facts.map(({ path }) => ({ path, mode: PRIVATE_FILE })) },
    };
  });
};

const checkOwners: SecurityCheck["look"] = ({ files, uid }) =>
  uid === undefined
    ? []
    : files
        .filter((fact) => fact.uid !== uid && fact.uid !== 0)
        .map(({ path, uid: owner }) => ({
          id: `file-owner:${path}`,
          severity: "warning",
          title: "This belongs to another user",
          risk: `User ${owner} can read and change it at any time, whatever its mode is.`,
          where: path,
          fix: `sudo chown ${uid} ${quoteWord(path)}, or run the gateway as that user.`,
        }));

const checkParents: SecurityCheck["look"] = ({ looseParents, platform }) =>
  platform === "win32"
    ? []
    : looseParents.map(({ path }) => ({
        id: `parent-writable:${path}`,
        severity: "critical",
        title: "Every user can replace your state directory",
        risk: `${path} can be written by all, so they can move your files away and put others in their place.`,
        where: path,
        fix: `chmod o-w ${quoteWord(path)}`,
      }));

const checkLinks: SecurityCheck["look"] = ({ files }) =>
  files.flatMap(({ path, leadsTo }): SecurityWeakness[] =>
    leadsTo === undefined
      ? []
      : [
          {
            id: `file-link:${path}`,
            severity: "info",
            title: "This is a link",
            risk: `What protects ${leadsTo} protects it too, and nothing else does.`,
            where: path,
            fix: "Nothing, if you made the link.",
          },
        ],
  );

const SYNCED: ReadonlyArray<readonly [RegExp, string]> = [
  [/\/Dropbox(?: \([^/]*\))?(?:\/|$)/i, "Dropbox"],
  [/\/Library\/Mobile Documents\/|\/iCloud(?: ?Drive)?(?:\/|$)/i, "iCloud"],
  [/\/OneDrive(?: - [^/]*)?(?:\/|$)/i, "OneDrive"],
  [/\/(?:Google ?Drive|GoogleDrive-[^/]*|My Drive)(?:\/|$)/i, "Google Drive"],
  [
    /\/(?:Nextcloud|ownCloud|pCloud(?: ?Drive)?|MEGA(?:sync)?|Syncthing|Sync|Seafile)(?:\/|$)/i,
    "a synchronised folder",
  ],
];

const checkSynced: SecurityCheck["look"] = ({ stateDir, configPath }) => {
  const place = [stateDir, configPath].find((path) => SYNCED.some(([pattern]) => pattern.test(path)));
  const service = SYNCED.find(([pattern]) => place !== undefined && pattern.test(place))?.[1];
  if (place === undefined || service === undefined) return [];
  return [
    {
      id: "state-synced",
      severity: "warning",
      title: "Your credentials and conversations are copied elsewhere",
      risk: `They lie in ${service}, so whoever gets at that account or another of its devices has them.`,
      where: place,
      fix: "Stop the gateway, move the directory, and set OPENCLAW_STATE_DIR to its new place.",
    },
  ];
};

const LOOKS = [
  checkDirectories,
  checkSecretFiles,
  checkPersonalFiles,
  checkOwners,
  checkParents,
  checkLinks,
  checkSynced,
];

export const fileChecks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "files", look }));
