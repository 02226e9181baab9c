// Short names for commands that go on in the background, easy to say and to copy.
import type { Ids } from "@chela/sdk";

const ADJECTIVES = (
  "amber brisk calm clear cosy crisp deep eager fair fleet fresh gentle grand keen kind lucid " +
  "mellow mild neat nimble noble plain quick quiet rapid sharp sunny swift tidal tidy warm young"
).split(" ");
const NOUNS = (
  "bay beach bloom breeze brook cloud coast coral cove creek crest delta dune fjord forest glade " +
  "grove harbor kelp lagoon lake meadow mist ocean reef ridge river shell shore slope summit tide"
).split(" ");

export function chooseName(ids: Ids, isTaken: (name: string) => boolean): string {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const name = `${pick(ADJECTIVES, ids)}-${pick(NOUNS, ids)}`;
    if (!isTaken(name)) return name;
  }
  return `${pick(ADJECTIVES, ids)}-${pick(NOUNS, ids)}-${ids.secretHex(4)}`;
}

function pick(words: readonly string[], ids: Ids): string {
  return words[Number.parseInt(ids.secretHex(1), 16) % words.length] ?? "";
}
