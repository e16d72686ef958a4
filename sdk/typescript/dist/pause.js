/** Waits; rejects with the reason of the signal when it is aborted. */
export function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
        }, milliseconds);
        signal?.addEventListener("abort", onAbort, { once: true });
    });
}
/**
 * Settles as an answer does, or rejects with the reason of the signal when it is aborted first. A read from the body of an
 * aborted `fetch` does not always end by itself: in Node 20 it may wait forever.
 */
export function unlessAborted(answer, signal) {
    return new Promise((resolve, reject) => {
        const onAbort = () => reject(signal?.reason);
        answer.then(resolve, reject).finally(() => signal?.removeEventListener("abort", onAbort));
        signal?.throwIfAborted();
        signal?.addEventListener("abort", onAbort, { once: true });
    });
}
/** A random time up to `first` milliseconds doubled with each failure, at least half of it, at most 30 s. */
export function backOff(failures, first) {
    const longest = Math.max(first, Math.min(30_000, first * 2 ** failures));
    return longest * (0.5 + Math.random() / 2);
}
