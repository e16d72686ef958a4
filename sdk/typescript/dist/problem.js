/** The API refused a request. `code` is stable and listed in the platform's documentation of errors. */
export class FeedProblem extends Error {
    name = "FeedProblem";
    status;
    /** `unknown` where the body is no problem document, for example from a proxy. */
    code;
    type;
    title;
    detail;
    instance;
    /** The wrong fields and variables of the request; empty for other problems. */
    errors;
    /** The seconds after which the same request may succeed. */
    retryAfter;
    /** The id of the request in the server's log. */
    requestId;
    constructor(problem, headers) {
        super(`${problem.status} ${problem.code}: ${problem.detail}`);
        this.status = problem.status;
        this.code = problem.code;
        this.type = problem.type;
        this.title = problem.title;
        this.detail = problem.detail;
        this.instance = problem.instance;
        this.errors = problem.errors ?? [];
        this.retryAfter = secondsUntil(headers.get("Retry-After"));
        this.requestId = headers.get("X-Request-Id") ?? undefined;
    }
    /** Reads the body of a response that is not successful. */
    static async of(response) {
        const body = await response.text();
        const isProblem = response.headers.get("Content-Type")?.startsWith("application/problem+json");
        const problem = isProblem
            ? JSON.parse(body)
            : {
                status: response.status,
                code: "unknown",
                type: "about:blank",
                title: response.statusText,
                detail: body.slice(0, 200) || "The response has no body",
                instance: "",
            };
        return new FeedProblem(problem, response.headers);
    }
}
/** `Retry-After` is a number of seconds or a date. */
function secondsUntil(header) {
    if (header === null) {
        return undefined;
    }
    const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
    return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
