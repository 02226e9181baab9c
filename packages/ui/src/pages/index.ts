// The table of pages. A page is one folder and one line here; it is loaded when somebody goes there.
import type { IconName } from "../parts/icon.ts";
import type { Section } from "../words/index.ts";

export interface PageSpec {
  readonly id: string;
  readonly icon: IconName;
  /** Under which heading of the sidebar it stands. */
  readonly group: "talk" | "watch" | "shape" | "keep";
  /** A page whose method this gateway does not have is not there. */
  readonly needs: string;
  readonly words: readonly Section[];
  /** Defines the element `chela-<id>-page`. */
  load(): Promise<unknown>;
}

export const PAGES: readonly PageSpec[] = [
  {
    id: "chat",
    icon: "chat",
    group: "talk",
    needs: "chat.watch",
    words: ["chat", "composer", "conversation", "subagents"],
    load: () => import("./chat/page.ts"),
  },
  {
    id: "overview",
    icon: "overview",
    group: "watch",
    needs: "health",
    words: ["overview", "cron"],
    load: () => import("./overview/page.ts"),
  },
  {
    id: "channels",
    icon: "channels",
    group: "shape",
    needs: "channels.status",
    words: ["channels"],
    load: () => import("./channels/page.ts"),
  },
  {
    id: "sessions",
    icon: "sessions",
    group: "watch",
    needs: "sessions.list",
    words: ["sessions", "composer", "conversation"],
    load: () => import("./sessions/page.ts"),
  },
  {
    id: "agents",
    icon: "agents",
    group: "shape",
    needs: "agents.list",
    words: ["agents", "composer"],
    load: () => import("./agents/page.ts"),
  },
  {
    id: "memory",
    icon: "memory",
    group: "shape",
    needs: "memory.search",
    words: ["memory"],
    load: () => import("./memory/page.ts"),
  },
  {
    id: "automation",
    icon: "automation",
    group: "shape",
    needs: "hooks.list",
    words: ["automation"],
    load: () => import("./automation/page.ts"),
  },
  {
    id: "cron",
    icon: "cron",
    group: "shape",
    needs: "cron.list",
    words: ["cron", "composer"],
    load: () => import("./cron/page.ts"),
  },
  {
    id: "usage",
    icon: "usage",
    group: "watch",
    needs: "usage.cost",
    words: ["usage"],
    load: () => import("./usage/page.ts"),
  },
  {
    id: "explain",
    icon: "explain",
    group: "watch",
    needs: "runs.explain",
    words: ["explain"],
    load: () => import("./explain/page.ts"),
  },
  {
    id: "config",
    icon: "config",
    group: "keep",
    needs: "config.get",
    words: ["config"],
    load: () => import("./config/page.ts"),
  },
  {
    id: "approvals",
    icon: "approvals",
    group: "keep",
    needs: "exec.approval.list",
    words: ["approvals", "approval"],
    load: () => import("./approvals/page.ts"),
  },
  {
    id: "security",
    icon: "security",
    group: "keep",
    needs: "security.audit",
    words: ["security"],
    load: () => import("./security/page.ts"),
  },
  {
    id: "audit",
    icon: "audit",
    group: "keep",
    needs: "audit.list",
    words: ["audit"],
    load: () => import("./audit/page.ts"),
  },
  {
    id: "credentials",
    icon: "key",
    group: "keep",
    needs: "credentials.list",
    words: ["credentials"],
    load: () => import("./credentials/page.ts"),
  },
  {
    id: "people",
    icon: "people",
    group: "keep",
    needs: "people.list",
    words: ["people"],
    load: () => import("./people/page.ts"),
  },
  {
    id: "devices",
    icon: "devices",
    group: "keep",
    needs: "device.pair.list",
    words: ["devices"],
    load: () => import("./devices/page.ts"),
  },
  {
    id: "logs",
    icon: "logs",
    group: "keep",
    needs: "logs.follow",
    words: ["logs"],
    load: () => import("./logs/page.ts"),
  },
  {
    id: "console",
    icon: "console",
    group: "keep",
    needs: "health",
    words: ["console"],
    load: () => import("./console/page.ts"),
  },
];

export const FIRST_PAGE = "chat";
