// The page “Credentials”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Credentials",
  icon: "key",
  group: "keep",
  order: 50,
  needs: "credentials.list",
  load: () => import("./page.ts"),
} satisfies PageSpec;
