import { backOff, pause, unlessAborted } from "./pause.js";
import { FeedProblem } from "./problem.js";
const TYPES = new Set(["feed_entry", "notification", "resync"]);
const FIRST_BACK_OFF = 1_000;
/**
 * Events as they appear, each once and in the order of the server. The loop reconnects with the id of the last event
 * until it is left, the signal is aborted, or the API refuses the request for good ({@link FeedProblem}).
 */
export class FeedStream {
    /** Resumes this stream elsewhere, after the event that the loop received last. Heartbeats advance it too. */
    lastEventId;
    #open;
    #options;
    constructor(open, options) {
        this.#open = open;
        this.#options = options;
        this.lastEventId = options.lastEventId;
    }
    async *[Symbol.asyncIterator]() {
        const { signal, onConnection, silence = 45_000 } = this.#options;
        let failures = 0;
        let isConnected = false;
        let reconnectTime;
        for (;;) {
            signal?.throwIfAborted();
            const connection = new AbortController();
            const abort = () => connection.abort(signal?.reason);
            signal?.addEventListener("abort", abort, { once: true });
            const goOffline = () => connection.abort(new LostConnection("The browser is offline"));
            globalThis.addEventListener?.("offline", goOffline);
            const heard = (answer) => {
                const silent = new LostConnection(`The stream was silent for ${silence} ms`);
                const timer = setTimeout(() => connection.abort(silent), silence);
                return unlessAborted(answer, connection.signal).finally(() => clearTimeout(timer));
            };
            let error;
            let isPoll = false;
            try {
                const headers = { Accept: "text/event-stream, application/problem+json" };
                if (this.lastEventId !== undefined) {
                    headers["Last-Event-ID"] = this.lastEventId;
                }
                const response = await heard(this.#open(headers, connection.signal));
                if (!isConnected) {
                    isConnected = true;
                    onConnection?.({ connected: true });
                }
                for await (const block of blocks(response, heard)) {
                    failures = 0;
                    isPoll = block.retry !== undefined;
                    reconnectTime = block.retry ?? reconnectTime;
                    this.lastEventId = block.id ?? this.lastEventId;
                    // Later versions of the server may send other types.
                    if (block.data !== "" && TYPES.has(block.type)) {
                        yield { id: this.lastEventId, type: block.type, data: JSON.parse(block.data) };
                    }
                }
            }
            catch (thrown) {
                signal?.throwIfAborted();
                error = connection.signal.aborted ? connection.signal.reason : thrown;
                if (!isTransient(error)) {
                    throw error;
                }
            }
            finally {
                signal?.removeEventListener("abort", abort);
                globalThis.removeEventListener?.("offline", goOffline);
                // Closes the connection where the loop is left.
                connection.abort();
            }
            let reconnectsIn = reconnectTime ?? FIRST_BACK_OFF;
            if (!isPoll) {
                reconnectsIn = backOff(failures, reconnectsIn);
                if (error instanceof FeedProblem && error.retryAfter !== undefined) {
                    reconnectsIn = Math.max(reconnectsIn, error.retryAfter * 1000);
                }
                failures++;
                isConnected = false;
                onConnection?.({ connected: false, error, reconnectsIn });
            }
            await pauseOffline(reconnectsIn, signal);
        }
    }
}
/** The connection is lost although no end was reported: no byte came for too long, or a browser is offline. */
class LostConnection extends Error {
}
/** Waits, in a browser at most until it is online again. */
function pauseOffline(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const goOnline = () => resolve();
        globalThis.addEventListener?.("online", goOnline);
        pause(milliseconds, signal)
            .then(resolve, reject)
            .finally(() => globalThis.removeEventListener?.("online", goOnline));
    });
}
/** A stream outlasts a lost connection, a busy server, and a gateway whose server restarts. */
function isTransient(error) {
    return error instanceof FeedProblem
        ? error.status === 429 || error.status >= 500
        : error instanceof LostConnection || error instanceof TypeError;
}
/** Parses server-sent events. A block that the connection cut off is dropped, and its id with it. */
async function* blocks(response, heard) {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
        const { done, value } = await heard(reader.read());
        if (done) {
            return;
        }
        const parts = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
        rest = parts.pop();
        yield* parts.map(parse);
    }
}
function parse(text) {
    const block = { id: undefined, type: "message", data: "", retry: undefined };
    for (const line of text.split(/\r?\n/)) {
        const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line);
        if (field === "id") {
            block.id = value;
        }
        else if (field === "event") {
            block.type = value;
        }
        else if (field === "data") {
            block.data += (block.data && "\n") + value;
        }
        else if (field === "retry" && /^\d+$/.test(value)) {
            block.retry = Number(value);
        }
    }
    return block;
}
