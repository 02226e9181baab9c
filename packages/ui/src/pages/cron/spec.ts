// The page “Jobs”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Jobs",
  icon: "cron",
  group: "shape",
  order: 50,
  needs: "cron.list",
  words: ["composer"],
  load: () => import("./page.ts"),
} satisfies PageSpec;
