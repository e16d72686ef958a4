package social.feed.search.lucene;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** A directory whose disk is full for some files. */
final class FullDisk extends FilterDirectory {
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicReference<Runnable> next = new AtomicReference<>(() -> {});

  FullDisk(Directory directory) {
    super(directory);
  }

  /** Refuses the next files. */
  void refuses(int files) {
    refused.set(files);
  }

  /** Runs something once, before the next commit is complete. */
  void beforeTheEndOfACommit(Runnable something) {
    next.set(something);
  }

  @Override
  public void rename(String source, String target) throws IOException {
    next.getAndSet(() -> {}).run();
    super.rename(source, target);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (refused.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IOException("No space left on device");
    }
    return super.createOutput(name, context);
  }
}
