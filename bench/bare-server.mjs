// The least a gateway could be: accepts a WebSocket and answers its first frame. Plain JavaScript, so that its start
// holds no type stripping. Usage: node bare-server.mjs PORT
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const server = createServer((_request, response) => response.end("ok"));
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => socket.once("message", () => socket.send('{"ok":true}')));
server.listen(Number(process.argv[2]), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
