// The log for clients: its newest lines, and those to come.
import { statSync } from "node:fs";
import { LogFollowers } from "../logs/log-followers.ts";
import { readLog } from "../logs/read-log.ts";
import type { LOG_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

const USUAL_LINES = 500;
const USUAL_BYTES = 250_000;
const MOST_BYTES = 1_000_000;

export function logMethods(gateway: House): Pick<Handlers, keyof typeof LOG_METHODS> {
  const { log } = gateway;
  const followers = new LogFollowers(gateway);
  return {
    async "logs.tail"({ cursor, limit = USUAL_LINES, maxBytes = USUAL_BYTES }) {
      log.flush();
      const file = log.currentFile() ?? "";
      return { file, ...(await readLog(file, { cursor, limit, maxBytes })) };
    },

    async "logs.follow"({ limit = USUAL_LINES }, { client }) {
      // What is written by now is read from the file, what comes later is told: no line twice, and none lost.
      log.flush();
      const file = log.currentFile() ?? "";
      const end = file ? (statSync(file, { throwIfNoEntry: false })?.size ?? 0) : 0;
      const follower = followers.add(client);
      try {
        const { cursor, lines } = await readLog(file, { end, limit, maxBytes: MOST_BYTES });
        return { file, cursor, lines };
      } finally {
        follower.ready();
      }
    },

    "logs.unfollow"(_params, { client }) {
      followers.remove(client);
      return { ok: true as const };
    },
  };
}
