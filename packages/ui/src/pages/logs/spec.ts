// The page “Logs”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Logs",
  icon: "logs",
  group: "keep",
  order: 80,
  needs: "logs.follow",
  load: () => import("./page.ts"),
} satisfies PageSpec;
