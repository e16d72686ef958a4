package social.feed.streams.effect;

import java.util.function.Consumer;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.sink.EventOutbox;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.media.MediaStore;
import social.feed.table.row.MediaRemoval;

/**
 * How effects work, and what they reach outside of the table.
 *
 * @param backfillNewest how many posts of an author a new follower gets
 * @param sizes how much is done at a time
 * @param sweeping when the sweeps for erasures run, and how fast
 * @param removing how rows of an erased account, and posts of former followers, are removed
 * @param events where changes of the celebrity flag are published
 * @param media the bytes of files
 * @param outbox where all other events go, of a plan that has them
 * @param traces what a search index has of erased accounts
 * @param stuckRemovals gets each removal of objects that has failed for more than a day, at each
 *     further failure
 */
public record EffectSettings(
    int backfillNewest,
    BatchSizes sizes,
    ErasureSweeps.Settings sweeping,
    Concurrency removing,
    CelebrityEvents events,
    MediaStore media,
    EventOutbox outbox,
    ErasureTraces traces,
    Consumer<MediaRemoval> stuckRemovals) {
  /** Returns settings that reach nothing but the table. */
  public static EffectSettings of(
      int backfillNewest, BatchSizes sizes, ErasureSweeps.Settings sweeping) {
    return new EffectSettings(
        backfillNewest,
        sizes,
        sweeping,
        Concurrency.ofThreads(sizes.removedAtOnce()),
        _ -> {},
        MediaStore.NONE,
        EventOutbox.NONE,
        ErasureTraces.NONE,
        _ -> {});
  }

  /** Returns these settings whose removals run in another way. */
  public EffectSettings withRemoving(Concurrency removing) {
    return new EffectSettings(
        backfillNewest, sizes, sweeping, removing, events, media, outbox, traces, stuckRemovals);
  }

  /** Returns these settings, which publish changes of the celebrity flag. */
  public EffectSettings withEvents(CelebrityEvents events) {
    return new EffectSettings(
        backfillNewest, sizes, sweeping, removing, events, media, outbox, traces, stuckRemovals);
  }

  /** Returns these settings with a store of media. */
  public EffectSettings withMedia(MediaStore media) {
    return new EffectSettings(
        backfillNewest, sizes, sweeping, removing, events, media, outbox, traces, stuckRemovals);
  }

  /** Returns these settings, which publish the events of the plan. */
  public EffectSettings withOutbox(EventOutbox outbox) {
    return new EffectSettings(
        backfillNewest, sizes, sweeping, removing, events, media, outbox, traces, stuckRemovals);
  }

  /** Returns these settings of a platform with a search index. */
  public EffectSettings withTraces(ErasureTraces traces) {
    return new EffectSettings(
        backfillNewest, sizes, sweeping, removing, events, media, outbox, traces, stuckRemovals);
  }

  /** Returns these settings, which report removals of objects that keep failing. */
  public EffectSettings withStuckRemovals(Consumer<MediaRemoval> stuckRemovals) {
    return new EffectSettings(
        backfillNewest, sizes, sweeping, removing, events, media, outbox, traces, stuckRemovals);
  }
}
