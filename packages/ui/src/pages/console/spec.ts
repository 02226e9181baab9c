// The page “Console”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Console",
  icon: "console",
  group: "keep",
  order: 90,
  needs: "health",
  load: () => import("./page.ts"),
} satisfies PageSpec;
