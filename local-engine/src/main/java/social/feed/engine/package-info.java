/**
 * DynamoDB Local and an SQS-compatible queue, served on loopback from this JVM. Data are in memory,
 * or in a folder that survives the process.
 */
@NullMarked
package social.feed.engine;

import org.jspecify.annotations.NullMarked;
