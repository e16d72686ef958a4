package social.feed.table.kernel.declaration;

import java.time.Duration;
import java.util.List;
import social.feed.table.kernel.time.Timestamps;

/**
 * How long the platform keeps what it needs for late and repeated deliveries.
 *
 * <p>A change can take effect late in two ways: its record waits in the stream ({@link #STREAM}),
 * or it waits as a dead letter ({@link #DEAD_LETTERS}). Rows that detect a repeated or late change
 * must outlive both. {@link #RELATIONS} lists these rules; they are checked when the class loads.
 */
public final class Retention {
  /** How long a DynamoDB stream keeps a record (developer guide, "DynamoDB Streams"). */
  public static final Duration STREAM = Duration.ofHours(24);

  /** How long the queue keeps a dead letter: the maximum of SQS. */
  public static final Duration DEAD_LETTERS = Duration.ofDays(14);

  /**
   * After how many days the bucket lets go of a discarded batch. S3 counts to the end of the last
   * day, so a batch is gone when dead letters of its time are gone too.
   */
  public static final Duration DISCARDED_BATCHES = DEAD_LETTERS.minusDays(1);

  /** How long after a write its effects can still be applied, redriven dead letters included. */
  public static final Duration LATEST_EFFECT = STREAM.plus(DEAD_LETTERS);

  /** How long Lambda retries a batch of the effects lane before it gives the batch up. */
  public static final Duration EFFECTS_RECORD_AGE = STREAM.dividedBy(4);

  /** How long a shard accepts records before the stream closes it and opens a child. */
  private static final Duration SHARD_OPEN = Duration.ofHours(4);

  /** How much later than {@link #STREAM} a record can take effect: trimming and calls take time. */
  private static final Duration LATE_DELIVERY = Duration.ofHours(2);

  /** How long after a write the stream can still cause its effects, without dead letters. */
  public static final Duration LATEST_DELIVERY = STREAM.plus(LATE_DELIVERY);

  /**
   * How long a counter row keeps the checkpoint of a shard, from the creation of the shard: 26
   * hours from the last record that the shard can accept.
   */
  public static final Duration SHARD_CHECKPOINTS = SHARD_OPEN.plus(Duration.ofHours(26));

  /** How long the proof lasts that an event was counted once. */
  public static final Duration PROCESSED_EVENTS = Duration.ofDays(30);

  /** How long a count that became a dead letter stays pending. */
  public static final Duration PENDING_COUNTS = Duration.ofDays(30);

  /** How long the plan and the chunks of a fan-out stay readable. */
  public static final Duration FAN_OUT_PLANS = Duration.ofDays(14);

  /**
   * How long an index may lag behind the table without any feed lacking a post. DynamoDB promises
   * no bound; usually it is less than a second.
   */
  private static final Duration INDEX_LAG = Duration.ofHours(1);

  /** How long the delivery of a post is noted at its author. */
  public static final Duration RECENT_DELIVERIES = Duration.ofMinutes(65);

  /** How long a mute row stays after the mute has ended. */
  public static final Duration ENDED_MUTES = LATEST_EFFECT;

  /** How long a request with an {@code Idempotency-Key} is remembered. */
  public static final Duration IDEMPOTENCY_RECORDS = Duration.ofHours(24);

  /** How long a fence waits for its lane to pass. */
  public static final Duration FENCES = STREAM.plus(Duration.ofHours(1));

  /** How long an erasure waits before a sweep of the table can prove its end. */
  public static final Duration ERASURE_REST = Duration.ofHours(25);

  /** How long a finished erasure is remembered. */
  public static final Duration FINISHED_ERASURES = Duration.ofDays(30);

  /** How long an account is remembered as suspicious, and its dismissal. */
  public static final Duration SUSPICIONS = Duration.ofDays(30);

  /** How long the first follows of a new account are compared with those of others. */
  public static final Duration OPENINGS = Duration.ofDays(7);

  /** The rules between the durations. */
  static final List<Relation> RELATIONS =
      List.of(
          new Relation("EFFECTS_RECORD_AGE", EFFECTS_RECORD_AGE)
              .isShorterThan("STREAM", STREAM, "or the stream drops records unhandled"),
          new Relation("DISCARDED_BATCHES", DISCARDED_BATCHES)
              .isShorterThan(
                  "DEAD_LETTERS",
                  DEAD_LETTERS,
                  "or a replay comes after the marks of what was applied are gone"),
          new Relation("SHARD_CHECKPOINTS", SHARD_CHECKPOINTS)
              .isAtLeast(
                  "SHARD_OPEN + STREAM + LATE_DELIVERY",
                  SHARD_OPEN.plus(STREAM).plus(LATE_DELIVERY),
                  "or a late record of the shard is not counted"),
          new Relation("PROCESSED_EVENTS", PROCESSED_EVENTS)
              .isLongerThan(
                  "LATEST_EFFECT", LATEST_EFFECT, "or a redriven dead letter counts twice"),
          new Relation("PENDING_COUNTS", PENDING_COUNTS)
              .isLongerThan(
                  "LATEST_EFFECT", LATEST_EFFECT, "or a redriven dead letter is not counted"),
          new Relation("FAN_OUT_PLANS", FAN_OUT_PLANS)
              .isAtLeast("DEAD_LETTERS", DEAD_LETTERS, "or a redriven chunk finds no plan"),
          new Relation("RECENT_DELIVERIES", RECENT_DELIVERIES)
              .isAtLeast(
                  "INDEX_LAG + MAX_CLOCK_SKEW",
                  INDEX_LAG.plus(Timestamps.MAX_CLOCK_SKEW),
                  "or a feed lacks a post that the index does not show yet"),
          new Relation("ENDED_MUTES", ENDED_MUTES)
              .isAtLeast(
                  "LATEST_EFFECT", LATEST_EFFECT, "or a late effect ignores the mute of its time"),
          new Relation("SUSPICIONS", SUSPICIONS)
              .isLongerThan(
                  "LATEST_EFFECT",
                  LATEST_EFFECT,
                  "or a redriven dead letter lists an account again that was dismissed"),
          new Relation("OPENINGS", OPENINGS)
              .isLongerThan(
                  "STREAM", STREAM, "or accounts that a late lane compares have no rows any more"),
          new Relation("FENCES", FENCES)
              .isLongerThan("STREAM", STREAM, "or a lane that is behind finds no fence"),
          new Relation("ERASURE_REST", ERASURE_REST)
              .isLongerThan("STREAM", STREAM, "or a late record brings an erased account back"),
          new Relation("ERASURE_REST", ERASURE_REST)
              .isLongerThan(
                  "IDEMPOTENCY_RECORDS",
                  IDEMPOTENCY_RECORDS,
                  "or a repeated request brings an erased account back"),
          new Relation("FINISHED_ERASURES", FINISHED_ERASURES)
              .isLongerThan(
                  "LATEST_EFFECT",
                  LATEST_EFFECT,
                  "or a redriven dead letter brings an erased account back"));

  private Retention() {}

  /**
   * A duration under a rule. Each rule returns the duration, so a violation fails when this class
   * loads.
   *
   * @param name of the constant
   * @param value the duration
   * @throws IllegalStateException when a rule does not hold; the message names both durations and
   *     the consequence
   */
  record Relation(String name, Duration value) {
    Relation isLongerThan(String bound, Duration duration, String consequence) {
      return require(value.compareTo(duration) > 0, "longer than", bound, duration, consequence);
    }

    Relation isAtLeast(String bound, Duration duration, String consequence) {
      return require(value.compareTo(duration) >= 0, "at least", bound, duration, consequence);
    }

    Relation isShorterThan(String bound, Duration duration, String consequence) {
      return require(value.compareTo(duration) < 0, "shorter than", bound, duration, consequence);
    }

    private Relation require(
        boolean holds, String relation, String bound, Duration duration, String consequence) {
      if (!holds) {
        throw new IllegalStateException(
            "Retention.%s (%s) must be %s %s (%s), %s"
                .formatted(name, value, relation, bound, duration, consequence));
      }
      return this;
    }
  }
}
