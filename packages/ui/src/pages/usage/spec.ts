// The page “Usage”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Usage",
  icon: "usage",
  group: "watch",
  order: 30,
  needs: "usage.cost",
  load: () => import("./page.ts"),
} satisfies PageSpec;
