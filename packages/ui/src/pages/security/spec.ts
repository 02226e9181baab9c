// The page “Security”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Security",
  icon: "security",
  group: "keep",
  order: 30,
  needs: "security.audit",
  load: () => import("./page.ts"),
} satisfies PageSpec;
