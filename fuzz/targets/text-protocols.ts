// Lines of IRC and headers of mails: what comes as text from servers that pass on what strangers wrote.
import { createServerFacts } from "../../packages/channels/src/irc/server/server-facts.ts";
import { parseLine } from "../../packages/channels/src/irc/server/line.ts";
import { parseEvent } from "../../packages/channels/src/irc/receive/parse.ts";
import { readEnvelope } from "../../packages/channels/src/email/read/envelope.ts";
import { parseHeaders } from "../../packages/channels/src/email/read/headers.ts";
import { promise, type Target } from "../target.ts";

const ircLines: Target = {
  name: "irc-lines",
  promises: "Every line is read or passed over; an event has the ids of a sender and a chat.",
  kind: "text",
  seeds: () => [
    "@account=ada;msgid=1;time=2026-01-01T00:00:00.000Z :ada!u@h PRIVMSG #garden :chela: hello",
    ":server 005 chela CHANTYPES=#& CASEMAPPING=rfc1459 PREFIX=(ov)@+ STATUSMSG=@+ :are supported",
    ":ada!u@h PRIVMSG chela :\u0001ACTION waves\u0001",
    "@+draft/reply=1;+draft/react=x :ada!u@h TAGMSG #garden",
    ":ada NICK :eva",
    "PING :x",
  ],
  words: [
    ..."@ : ; = \\s \\: PRIVMSG NOTICE JOIN PART NICK #garden chela ! \u0001 \u0003 \u0002 005 account= time= , * ~".split(
      " ",
    ),
    " ",
  ],
  maxLength: 2000,
  open: () => ({
    run(input) {
      const facts = createServerFacts("chela");
      for (const raw of input.split("\n")) {
        const line = parseLine(raw);
        if (!line) continue;
        const account = line.tags.get("account");
        const context = { facts, knownRooms: ["#garden"], account, isReplayed: false, isOurMessage: () => false };
        const parsed = parseEvent(line, { ...context, now: () => 5, newId: () => "new" });
        if (parsed.kind !== "event") continue;
        const { id, sender, chat, at } = parsed.event;
        promise(
          id !== "" && sender.id !== "" && chat.id !== "" && Number.isFinite(at),
          "an event lacks an id or a time",
        );
      }
    },
  }),
};

const mailHeaders: Target = {
  name: "mail-headers",
  promises:
    "Headers of a mail are read or passed over; nobody is believed to be the owner whose domain did not vouch for it.",
  kind: "bytes",
  seeds: () => [
    "From: Ada <ada@example.org>\r\nTo: bot@example.org\r\nSubject: =?utf-8?B?aGk=?=\r\nMessage-ID: <1@example.org>\r\nAuthentication-Results: mx.google.com; dmarc=pass header.from=example.org\r\nDate: Mon, 1 Jun 2026 12:00:00 +0000\r\n\r\n",
    'From: "ada@example.org" <eve@evil.test>\r\nReferences: <a@b> <c@d>\r\n In-Reply-To: <e@f>\r\nAuto-Submitted: auto-replied\r\n\r\n',
    "From: a@example.org, b@evil.test\r\nFrom: ada@example.org\r\nAuthentication-Results: evil.test; dmarc=pass\r\nList-Id: <x>\r\n\r\n",
  ],
  words: [
    "\r\n",
    "\r\n ",
    "From: ",
    "<",
    ">",
    '"',
    "(",
    ")",
    "@",
    ",",
    ";",
    "=?utf-8?Q?",
    "?=",
    "dmarc=pass",
    "header.from=example.org",
    "Authentication-Results: mx.google.com;",
    "\0",
  ],
  maxLength: 4000,
  open: () => ({
    run(input) {
      const rules = {
        ourAddress: "bot@example.org",
        requireDmarc: true,
        servers: ["mx.google.com"],
        home: "x.example",
      };
      const read = readEnvelope(parseHeaders(Buffer.from(input, "latin1")), rules);
      if (read.kind === "dropped") return promise(read.why !== "", "it was passed over without a reason");
      promise(/^authentication-results\s*:/im.test(input), "a mail was believed that nobody vouched for");
    },
  }),
};

export const textProtocols: readonly Target[] = [ircLines, mailHeaders];
