// The config section `channels.irc`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { block, bool, idList, key, portNumber, secret, text, texts } from "@chela/sdk/config";
import { accessShape, channelBlock, fullGroups, markdownOrTables, namedShape, passwordFile } from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(350),
  ...accessShape(idList()),
  markdown: markdownOrTables(),
  host: key(text(), "The server; else IRC_HOST."),
  port: key(portNumber(), "Its port; else IRC_PORT, else 6697, or 6667 without TLS."),
  tls: key(bool(), "Whether the connection is encrypted; else IRC_TLS.", { preset: true }),
  tlsCa: key(text(), "File with the certificate of whoever signs the server's. A key of ours, like the three below."),
  tlsFingerprint: key(text(), "SHA-256 of the only certificate that is accepted."),
  tlsCert: key(text(), "File of a client certificate, to log in without a password."),
  tlsKey: key(text(), "File of its key."),
  nick: key(text(), "The nick; else IRC_NICK."),
  username: key(text(), "The user name the server is told; else IRC_USERNAME, else the nick."),
  realname: key(text(), "The real name the server is told; else IRC_REALNAME, else the nick."),
  password: key(secret(), "Password of the server or bouncer; else IRC_PASSWORD."),
  passwordFile: passwordFile(),
  nickserv: block(() => ({
    enabled: key(bool(), "Whether it logs in to the services account."),
    service: key(text(), "Who is told the password when the server has no SASL.", { preset: "NickServ" }),
    account: key(text(), "Name of the services account, if it is not the nick. A key of ours."),
    password: key(secret(), "Password of the services account; else IRC_NICKSERV_PASSWORD."),
    passwordFile: passwordFile(),
    register: key(bool(), "Whether the nick is registered if it is not yet.", { preset: false }),
    registerEmail: key(text(), "The address to register with; else IRC_NICKSERV_REGISTER_EMAIL."),
  })),
  channels: key(texts(), 'Channels to join, as "#name" or "#name key"; else IRC_CHANNELS.'),
  groups: fullGroups(),
});

export const ircSection = once(() => channelBlock(accountShape));
