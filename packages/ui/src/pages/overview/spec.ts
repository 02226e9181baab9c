// The page “Overview”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Overview",
  icon: "overview",
  group: "watch",
  order: 10,
  needs: "health",
  words: ["cron"],
  load: () => import("./page.ts"),
} satisfies PageSpec;
