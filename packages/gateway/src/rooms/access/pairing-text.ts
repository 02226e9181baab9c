// Text for somebody unknown who writes to us directly.

export function pairingText(code: string, senderId: string, channel: string): string {
  return [
    "Hello! I do not know you yet, so I cannot answer you.",
    "",
    `Your id: \`${plain(senderId)}\``,
    `Pairing code: ${code}`,
    "",
    "Whoever runs this bot can let you in, within an hour, with:",
    `\`chela pairing approve ${plain(channel)} ${code}\``,
  ].join("\n");
}

/** It is shown as code: nothing in it may end that. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}`]/gu, "").slice(0, 200);
}
