// The page “Configuration”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Configuration",
  icon: "config",
  group: "keep",
  order: 10,
  needs: "config.get",
  load: () => import("./page.ts"),
} satisfies PageSpec;
