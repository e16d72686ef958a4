package social.feed.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;

/**
 * A search index that refuses calls, loses answers, and writes late what it seemed to have lost.
 * Its process is killed and starts again with what was committed.
 */
final class UnsteadyIndex implements AutoCloseable {
  private static final int OFTEN = 15;
  private static final int RARE = 20;
  private static final Set<String> WRITES =
      Set.of("putPost", "putAccount", "deletePost", "deleteAccount", "replace", "remove");

  /** The right answer of an index, and what it does. */
  @FunctionalInterface
  interface Answer {
    @Nullable Object get() throws IOException;
  }

  /** Sees each call of an index, and may answer it otherwise. */
  @FunctionalInterface
  interface Between {
    @Nullable Object call(String method, @Nullable Object[] arguments, Answer right)
        throws IOException;
  }

  private final InstantSource clock;
  private final IntPredicate chance;
  private final List<Answer> late = new ArrayList<>();
  private Directory directory = new ByteBuffersDirectory();
  private LuceneIndex index;
  private boolean isDown;
  private boolean isSteady;

  /**
   * @param chance true once in so many times
   */
  UnsteadyIndex(InstantSource clock, IntPredicate chance) {
    this.clock = clock;
    this.chance = chance;
    this.index = opened();
  }

  private LuceneIndex opened() {
    try {
      return LuceneIndex.in(directory, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the index without any faults. It is another one after a kill. */
  SearchIndex sound() {
    return index;
  }

  /** Returns the index as the platform reaches it. */
  SearchIndex asReached() {
    return asReached((_, _, right) -> right.get());
  }

  /** Returns the index as the platform reaches it, with something in between. */
  SearchIndex asReached(Between between) {
    return (SearchIndex)
        Proxy.newProxyInstance(
            SearchIndex.class.getClassLoader(),
            new Class<?>[] {SearchIndex.class},
            (_, method, arguments) ->
                between.call(
                    method.getName(),
                    arguments,
                    () -> reached(method.getName(), () -> applied(method, arguments))));
  }

  private @Nullable Object applied(Method method, @Nullable Object[] arguments) throws IOException {
    try {
      return method.invoke(index, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new AssertionError(e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private @Nullable Object reached(String method, Answer right) throws IOException {
    if (isDown) {
      throw new IOException("The index is away");
    }
    if (isSteady) {
      return right.get();
    }
    // Often a write stays that is not durable.
    if (chance.test(method.equals("commit") ? 2 : OFTEN)) {
      throw new IOException("The index refused " + method);
    }
    if (WRITES.contains(method) && chance.test(RARE)) {
      late.add(right);
      throw new IOException("The index hangs, and goes on later");
    }
    var answer = right.get();
    if (chance.test(OFTEN)) {
      throw new IOException("The answer of the index is lost");
    }
    return answer;
  }

  /** Refuses everything from now on, or no longer. */
  void setDown(boolean down) {
    goesOn();
    isDown = down;
  }

  /** Has no faults from now on. */
  void becomesSteady() {
    setDown(false);
    isSteady = true;
  }

  /** Writes what hung. */
  void goesOn() {
    var all = List.copyOf(late);
    late.clear();
    for (var write : all) {
      try {
        write.get();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Begins again with what was committed. What hung is lost. */
  void kill() {
    late.clear();
    try {
      var kept = new ByteBuffersDirectory();
      if (DirectoryReader.indexExists(directory)) {
        for (var file : SegmentInfos.readLatestCommit(directory).files(true)) {
          kept.copyFrom(directory, file, file, IOContext.DEFAULT);
        }
      }
      index.close();
      directory = kept;
      index = opened();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
