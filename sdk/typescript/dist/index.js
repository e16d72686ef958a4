export { FeedClient, newIdempotencyKey } from "./client.js";
export { FeedProblem } from "./problem.js";
export { FeedStream } from "./stream.js";
