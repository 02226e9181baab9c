// Security checks about MCP servers: programs outside of a sandbox, and secrets that lie open or travel in the open.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { isSettings, readBlock, readText } from "../../base/settings/read-settings.ts";

const checkServers: SecurityCheck["look"] = ({ config }) =>
  Object.entries(readBlock(config, "mcp.servers")).flatMap(([name, server]): SecurityWeakness[] => {
    if (!isSettings(server)) return [];
    const at = `mcp.servers.${name}`;
    const url = readText(server, "url");
    const found: SecurityWeakness[] = [];
    if (readText(server, "sandbox.mode") === "off" && readText(server, "command") !== undefined)
      found.push({
        id: `mcp-outside:${name}`,
        severity: "warning",
        title: "An MCP server runs outside of a sandbox",
        risk: `Whoever writes or takes over ${name} has what the gateway's user has on this machine.`,
        where: `${at}.sandbox.mode`,
        fix: `chela mcp set ${name} sandbox.mode auto`,
      });
    if (url?.startsWith("http:") && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(url))
      found.push({
        id: `mcp-plaintext:${name}`,
        severity: "warning",
        title: "An MCP server is spoken to in the open",
        risk: `Whoever sits on the way reads and changes what ${name} is asked and answers.`,
        where: `${at}.url`,
        fix: "Use an address that begins with https.",
      });
    return found;
  });

export const checks: readonly SecurityCheck[] = [{ topic: "outside", look: checkServers }];
