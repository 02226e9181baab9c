// The page “Automation”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Automation",
  icon: "automation",
  group: "shape",
  order: 40,
  needs: "hooks.list",
  load: () => import("./page.ts"),
} satisfies PageSpec;
