// Looks through the texts and programs of a skill for what malicious skills do. It shows lines and decides nothing. Pure.
import type { TreeFile } from "../reading/read-tree.ts";

export type Severity = "critical" | "warning" | "info";

export interface ScanFinding {
  /** As registries call it. */
  readonly rule: string;
  readonly severity: Severity;
  /** In half a sentence. */
  readonly says: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Rule extends Pick<ScanFinding, "rule" | "severity" | "says"> {
  readonly pattern: RegExp;
  /** Of programs only, or of texts only; of both unless told. */
  readonly in?: "programs" | "texts";
}

const FETCH = String.raw`(?:curl|wget|iwr|invoke-webrequest|irm|fetch)\b[^\n|;]{0,300}`;
const SHELL = String.raw`(?:sudo\s+)?(?:ba|z|da|k|fi)?sh\b|(?:sudo\s+)?(?:python[0-9.]*|node|perl|ruby|iex|invoke-expression|osascript)\b`;

const RULES: readonly Rule[] = [
  {
    rule: "malicious.install_terminal_payload",
    severity: "critical",
    says: "what is fetched from the network is run at once",
    pattern: new RegExp(
      `${FETCH}\\|\\s*(?:${SHELL})|(?:${SHELL})\\s+(?:-c\\s+)?["']?(?:\\$\\(|<\\(|\`)\\s*${FETCH}`,
      "i",
    ),
  },
  {
    rule: "malicious.install_terminal_payload",
    severity: "critical",
    says: "something unreadable is decoded and run",
    pattern: new RegExp(
      `base64\\s+(?:-d|-D|--decode)[^\\n]{0,200}\\|\\s*(?:${SHELL})|(?:eval|exec)\\s*\\(?\\s*(?:atob|Buffer\\.from|base64\\.b64decode)`,
      "i",
    ),
  },
  {
    rule: "suspicious.install_untrusted_source",
    severity: "critical",
    says: "an archive with a password is to be unpacked, which no scanner can look into",
    pattern:
      /(?:password|passwort|passcode|pass)\s*(?:is|:|=|for the (?:zip|archive))\s*\S+.{0,80}(?:zip|archive|extract|unpack)|(?:zip|archive|extract|unpack).{0,80}(?:password|passcode)\s*(?:is|:|=)\s*\S+|unzip\s+-P/i,
  },
  {
    rule: "malicious.crypto_mining",
    severity: "critical",
    says: "it has to do with mining coins",
    pattern: /\b(?:xmrig|stratum\+tcp|minerd|cpuminer|coinhive|cryptonight|nicehash)\b/i,
  },
  {
    rule: "suspicious.prompt_injection_instructions",
    severity: "critical",
    says: "it tells the agent to put other instructions aside, or to hide something",
    pattern:
      /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|system|safety|other)\b.{0,30}\b(?:instructions?|rules?|prompts?|guidelines?)|\b(?:do not|don't|never)\s+(?:tell|inform|mention|show|reveal)\b.{0,40}\b(?:user|owner|human|person)\b/i,
    in: "texts",
  },
  {
    rule: "suspicious.confirmation_bypass",
    severity: "warning",
    says: "it goes around a question to the person",
    pattern:
      /\bwithout\s+(?:asking|confirmation|approval|permission)\b|--dangerously-[a-z-]+|--yolo\b|security\s*[:=]\s*["']?full/i,
  },
  {
    rule: "suspicious.credential_exposure_instructions",
    severity: "warning",
    says: "it reads keys or passwords of this machine",
    pattern:
      /(?:~|\$HOME|\/home\/\w+|\/root)?\/?\.(?:ssh\/(?:id_|authorized)|aws\/credentials|gnupg|netrc|kube\/config|docker\/config\.json|openclaw\/(?:credentials|openclaw\.json)|chela)|\/etc\/shadow|login\.keychain|security\s+find-(?:generic|internet)-password/i,
  },
  {
    rule: "suspicious.env_credential_access",
    severity: "warning",
    says: "it gathers the whole environment",
    pattern:
      /JSON\.stringify\(\s*process\.env\s*\)|Object\.(?:entries|keys|values)\(\s*process\.env|dict\(\s*os\.environ|\b(?:printenv|env)\s*(?:\||>)/,
  },
  {
    rule: "suspicious.potential_exfiltration",
    severity: "warning",
    says: "it sends a file or a variable somewhere",
    pattern:
      /curl\b[^\n]{0,200}(?:-d\s*@|--data(?:-binary|-raw)?[ =]@|-F\s+\S+=@|-T\s)|\b(?:nc|ncat)\s+(?:-\S+\s+)*[\w.-]+\s+\d{2,5}\s*</i,
  },
  {
    rule: "suspicious.webhook",
    severity: "warning",
    says: "it names an address that takes whatever is sent there",
    pattern:
      /discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com\/services|webhook\.site|requestbin|pipedream\.net|api\.telegram\.org\/bot|ngrok(?:-free)?\.(?:io|app)|pastebin\.com\/raw|transfer\.sh/i,
  },
  {
    rule: "suspicious.url_shortener",
    severity: "warning",
    says: "a shortened address does not say where it leads",
    pattern: /https?:\/\/(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|cutt\.ly|rb\.gy|shorturl\.at|glot\.io)\//i,
  },
  {
    rule: "suspicious.nonstandard_network",
    severity: "warning",
    says: "it reaches a bare number instead of a name, or opens a socket by hand",
    pattern: /https?:\/\/(?!127\.|0\.0\.0\.0|10\.|192\.168\.)\d{1,3}(?:\.\d{1,3}){3}|\/dev\/tcp\/|\bnc\s+-[a-z]*e/i,
  },
  {
    rule: "suspicious.dynamic_code_execution",
    severity: "warning",
    says: "it runs code that it makes itself",
    pattern:
      /\beval\s*\(|\bnew Function\s*\(|\bexec\s*\(\s*(?:compile|base64|codecs|requests)|__import__\s*\(|vm\.runIn\w+Context/,
    in: "programs",
  },
  {
    rule: "suspicious.dangerous_exec",
    severity: "info",
    says: "it starts other programs",
    pattern: /child_process|execSync\s*\(|subprocess\.(?:run|Popen|call|check_output)|os\.system\s*\(/,
    in: "programs",
  },
  {
    rule: "suspicious.destructive_delete_command",
    severity: "warning",
    says: "it deletes without looking",
    pattern:
      /\brm\s+-(?:[a-z]*r[a-z]*f|[a-z]*f[a-z]*r)[a-z]*\s+(?:--\s+)?(?:\/(?!tmp\/)|~|\$HOME|\*|\$\{?\w+\}?\/?\s*$)|shutil\.rmtree\(\s*["'](?:\/|~)|mkfs\.|dd\s+[^\n]*of=\/dev\//i,
  },
  {
    rule: "suspicious.insecure_tls_verification",
    severity: "warning",
    says: "it does not look whom it talks to",
    pattern:
      /curl\b[^\n]{0,120}\s(?:-k|--insecure)\b|NODE_TLS_REJECT_UNAUTHORIZED|verify\s*=\s*False|--no-check-certificate|rejectUnauthorized\s*:\s*false/,
  },
  {
    rule: "suspicious.exposed_secret_literal",
    severity: "warning",
    says: "a key stands in it",
    pattern:
      /\b(?:sk-[A-Za-z0-9_-]{20,}|ghp_[A-Za-z0-9]{30,}|xox[abp]-[A-Za-z0-9-]{20,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,})|-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  },
  {
    rule: "suspicious.host_platform_source_patch",
    severity: "warning",
    says: "it changes how the machine or the gateway starts",
    pattern:
      /\b(?:crontab\s+-|launchctl\s+(?:load|bootstrap)|systemctl\s+enable)|>>?\s*~?\/?(?:\S*\/)?\.(?:bashrc|zshrc|profile|bash_profile)\b|(?:SOUL|AGENTS|MEMORY)\.md.{0,40}(?:append|overwrite|replace)/i,
  },
  {
    rule: "suspicious.privileged_always",
    severity: "warning",
    says: "it wants the rights of the administrator",
    pattern:
      /\bsudo\s+(?!-n\s+true)\S|\bchmod\s+(?:-R\s+)?[0-7]*777\b|\bxattr\s+-[a-z]*[cd][a-z]*\b.*quarantine|spctl\s+--master-disable/i,
  },
];

const PROGRAMS = /\.(?:sh|bash|zsh|fish|py|rb|pl|js|mjs|cjs|ts|mts|php|lua|ps1|bat|cmd|go|rs|applescript)$/i;
const TEXTS = /\.(?:md|markdown|txt|rst|html?|json|ya?ml|toml)$/i;
const MOST_FINDINGS = 200;
const MOST_LINE = 5000;

export function scanFiles(files: ReadonlyMap<string, Pick<TreeFile, "bytes" | "isExecutable">>): ScanFinding[] {
  const found: ScanFinding[] = [];
  for (const [file, { bytes, isExecutable }] of files) {
    const head = Buffer.from(bytes.subarray(0, 8192));
    if (head.includes(0)) {
      const says = "it is no text: nobody can read what it does";
      found.push({
        rule: "suspicious.obfuscated_code",
        severity: isExecutable ? "warning" : "info",
        says,
        file,
        line: 0,
        text: "",
      });
      continue;
    }
    const kind =
      PROGRAMS.test(file) || isExecutable || head.toString().startsWith("#!")
        ? "programs"
        : TEXTS.test(file)
          ? "texts"
          : "both";
    found.push(...scanText(Buffer.from(bytes).toString("utf8"), file, kind));
  }
  const order: readonly Severity[] = ["critical", "warning", "info"];
  return found.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity)).slice(0, MOST_FINDINGS);
}

function scanText(text: string, file: string, kind: "programs" | "texts" | "both"): ScanFinding[] {
  // A command over several lines is one.
  const lines = text.split(/\r?\n/);
  return lines.flatMap((written, index): ScanFinding[] => {
    const next = /\\\s*$/.test(written) ? (lines[index + 1] ?? "") : "";
    const line = `${written.replace(/\\\s*$/, " ")}${next}`.slice(0, MOST_LINE);
    const shown = visible(written.trim()).slice(0, 200);
    const hits = RULES.filter(
      (rule) => (rule.in === undefined || kind === "both" || rule.in === kind) && rule.pattern.test(line),
    );
    const named = hits.map(({ rule, severity, says }) => ({
      rule,
      severity,
      says,
      file,
      line: index + 1,
      text: shown,
    }));
    return hides(line) ? [...named, { ...HIDDEN, file, line: index + 1, text: shown }] : named;
  });
}

const HIDDEN = {
  rule: "suspicious.obfuscated_code",
  severity: "critical",
  says: "letters that cannot be seen, or a very long unreadable text, hide something",
} as const;

function hides(line: string): boolean {
  const bare = line.replace(/^\uFEFF/, "").replaceAll(/(?<=\p{Emoji})(?:\u200d|\ufe0f)+/gu, "");
  return (
    /[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.test(bare) ||
    /[A-Za-z0-9+/]{400,}={0,2}/.test(line)
  );
}

function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu,
    (sign) => `<U+${sign.codePointAt(0)?.toString(16).toUpperCase()}>`,
  );
}
