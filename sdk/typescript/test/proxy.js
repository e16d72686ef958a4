import { once } from "node:events";
import http from "node:http";

/**
 * Starts a proxy that disturbs the event streams that pass through it. Its fields may be changed at any time.
 *
 * - `cutAfter`: cuts each stream after so many bytes, also within an event
 * - `isDown`: cuts each connection
 * - `isStuck`: passes nothing of a stream on, and keeps it open
 * - `dropsIds`: removes `Last-Event-ID`
 */
export async function startProxy(target) {
  const proxy = { cutAfter: Infinity, isDown: false, isStuck: false, dropsIds: false, cuts: [], open: new Set() };
  const server = http.createServer((request, response) => {
    if (proxy.isDown) {
      request.socket.destroy();
      return;
    }
    const headers = { ...request.headers };
    // Cuts are counted in the bytes of events.
    delete headers["accept-encoding"];
    if (proxy.dropsIds) {
      delete headers["last-event-id"];
    }
    const isStream = request.url === "/v1/stream";
    const forward = http.request(target() + request.url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      if (!isStream) {
        answer.pipe(response);
        return;
      }
      response.flushHeaders();
      let sent = "";
      answer.setEncoding("latin1");
      answer.on("data", (chunk) => {
        if (proxy.isStuck) {
          return;
        }
        const part = chunk.slice(0, proxy.cutAfter - sent.length);
        sent += part;
        response.write(part, "latin1", () => {
          if (sent.length === proxy.cutAfter && proxy.open.delete(response)) {
            proxy.cuts.push({ isWithinEvent: !sent.endsWith("\n\n") });
            response.destroy();
          }
        });
      });
      answer.on("end", () => response.end());
      answer.on("error", () => response.destroy());
    });
    if (isStream) {
      proxy.open.add(response);
    }
    response.on("close", () => {
      proxy.open.delete(response);
      forward.destroy();
    });
    forward.on("error", () => response.destroy());
    request.pipe(forward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  /** Cuts all streams and refuses new connections. */
  proxy.goDown = () => {
    proxy.isDown = true;
    server.closeAllConnections();
  };
  proxy.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return proxy;
}
