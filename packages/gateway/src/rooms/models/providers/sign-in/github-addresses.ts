// Addresses of GitHub: the public one, or the one of an enterprise.

export interface GithubAddresses {
  /** Where people log in. */
  readonly site: string;
  readonly api: string;
}

/** `enterpriseUrl` may be a bare name ("acme.ghe.com") or an address. */
export function githubAddresses(enterpriseUrl?: string): GithubAddresses {
  const name = enterpriseUrl
    ?.trim()
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "");
  if (!name || name === "github.com") return { site: "https://github.com", api: "https://api.github.com" };
  return { site: `https://${name}`, api: `https://api.${name}` };
}
