// Recognises network addresses that belong to Slack: files are fetched from and put to these only.

export function isSlackAddress(written: string, apiRoot: string): boolean {
  const url = URL.parse(written);
  if (!url) return false;
  if (url.origin === new URL(apiRoot).origin) return true;
  return url.protocol === "https:" && /(^|\.)(slack\.com|slack-gov\.com)$/.test(url.hostname);
}
