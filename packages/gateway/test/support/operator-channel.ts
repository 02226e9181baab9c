// A fake channel with everything operators can ask of one: a login, a logout, a probe and a directory.
import type { Channel, ChannelConnection, LinkStep } from "@chela/sdk";
import { createFakeChannel, type FakeChannel } from "@chela/sdk/testing";

export interface OperatorChannel {
  readonly fake: FakeChannel;
  readonly channel: Channel;
  /** What happens during a login: the steps, and how it ends. */
  readonly logins: Login[];
  readonly loggedOut: string[];
}

interface Login {
  readonly account: string;
  readonly signal: AbortSignal;
  show(step: LinkStep): void;
  succeed(): void;
  fail(error: Error): void;
}

export function createOperatorChannel(more: Partial<ChannelConnection> = {}): OperatorChannel {
  const fake = createFakeChannel();
  const logins: Login[] = [];
  const loggedOut: string[] = [];
  const channel: Channel = {
    ...fake.channel,
    async start(account, host) {
      const connection = await fake.channel.start(account, host);
      return {
        ...connection,
        probe: async () => ({ bot: "fake" }),
        logout: async () => {
          loggedOut.push(host.account);
          fake.cut({ why: "logged out", isFinal: true }, host.account);
        },
        directory: {
          self: async () => ({ kind: "user", id: `bot-${host.account}`, name: "Bot" }),
          users: async (query, limit) =>
            [
              { kind: "user" as const, id: "1", name: "Alice" },
              { kind: "user" as const, id: "2", name: "Bob" },
            ]
              .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
              .slice(0, limit),
          groups: async () => [{ kind: "group", id: "g1", name: "Garden" }],
          members: async (groupId) => [{ kind: "user", id: `member-of-${groupId}` }],
        },
        ...more,
      };
    },
    login(_account, host, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => reject(new Error("called off")));
      logins.push({
        account: host.account,
        signal,
        show: (step) => host.link(step),
        succeed: () => (host.link({ kind: "linked" }), resolve()),
        fail: reject,
      });
      host.link({ kind: "qr", text: `qr-${logins.length}` });
      return promise;
    },
  };
  return { fake, channel, logins, loggedOut };
}
