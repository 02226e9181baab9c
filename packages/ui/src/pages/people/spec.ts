// The page “People”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "People",
  icon: "people",
  group: "keep",
  order: 60,
  needs: "people.list",
  load: () => import("./page.ts"),
} satisfies PageSpec;
