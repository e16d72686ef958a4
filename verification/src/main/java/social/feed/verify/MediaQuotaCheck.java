package social.feed.verify;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.TableScanner.Stored;
import social.feed.table.row.Keys;
import social.feed.table.row.Media;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The quota of an account is the number of its files and the sum of their announced sizes. Starts
 * from the accounts that have numbers: one query and one read unit a file each. Starts from the
 * files as well, for accounts that lost their numbers: one read unit each. The index may lag, and
 * the stream releases the quota of a deleted file, so a repair counts again behind a fence of the
 * effects.
 */
final class MediaQuotaCheck implements Check {
  private static final int PAGE = 100;

  private static final AttributeValue NONE = AttributeValue.fromN("0");

  private final TableScanner scanner;

  /**
   * What the files of an account take.
   *
   * @param files their number
   * @param bytes the sum of their announced sizes
   */
  record Usage(long files, long bytes) {
    /** Returns the numbers that the item of an account has. */
    static Usage of(Map<String, AttributeValue> account) {
      return new Usage(number(account, User.MEDIA_COUNT), number(account, User.MEDIA_BYTES));
    }

    private static long number(Map<String, AttributeValue> account, String attribute) {
      return Long.parseLong(account.getOrDefault(attribute, NONE).n());
    }

    private Usage and(Media file) {
      return new Usage(files + 1, bytes + file.bytes());
    }

    private Usage and(Usage other) {
      return new Usage(files + other.files, bytes + other.bytes);
    }
  }

  MediaQuotaCheck(TableScanner scanner) {
    this.scanner = scanner;
  }

  @Override
  public String name() {
    return "media quotas";
  }

  @Override
  public boolean concerns(TableScanner.Item item) {
    return item instanceof Stored stored
        && (stored.row() instanceof Media
            || (stored.row() instanceof User && hasNumbers(stored.item())));
  }

  private static boolean hasNumbers(Map<String, AttributeValue> account) {
    return account.containsKey(User.MEDIA_COUNT) || account.containsKey(User.MEDIA_BYTES);
  }

  @Override
  public List<Drift> drifts(List<TableScanner.Item> items) {
    var stored = items.stream().map(Stored.class::cast).toList();
    var accounts =
        stored.stream()
            .filter(item -> item.row() instanceof User)
            .flatMap(account -> drift(account, account).stream());
    return Stream.concat(accounts, ofFiles(stored)).toList();
  }

  /** The files of accounts without numbers, one of each account. */
  private Stream<Drift> ofFiles(List<Stored> items) {
    var files =
        items.stream()
            .filter(item -> item.row() instanceof Media)
            .collect(
                Collectors.toMap(
                    item -> User.key(((Media) item.row()).ownerId()),
                    Function.identity(),
                    (first, _) -> first));
    return scanner.at(files.keySet()).stream()
        .filter(Stored.class::isInstance)
        .map(Stored.class::cast)
        .filter(account -> account.row() instanceof User && !hasNumbers(account.item()))
        .flatMap(account -> drift(requireNonNull(files.get(account.key())), account).stream());
  }

  /**
   * @param from where it was found
   */
  private Optional<Drift> drift(Stored from, Stored account) {
    var userId = ((User) account.row()).userId();
    var stored = Usage.of(account.item());
    var counted = counted(userId);
    return stored.equals(counted)
        ? Optional.empty()
        : Drift.at(
                from.row(),
                "%s: media_count is %d and media_bytes is %d, but %d files with %d bytes were counted"
                    .formatted(
                        account.key(),
                        stored.files(),
                        stored.bytes(),
                        counted.files(),
                        counted.bytes()),
                repairs ->
                    counted(userId).equals(counted)
                        && repairs.setMediaQuota(account, counted.files(), counted.bytes()))
            .map(drift -> drift.behind(Set.of(Place.effects(Keys.user(userId)))));
  }

  /** Reads the files of an account, pending ones too. */
  private Usage counted(String userId) {
    var usage = new Usage(0, 0);
    var after = Keys.FIRST;
    while (true) {
      var page = scanner.keys(Index.POSTS_BY_AUTHOR, Keys.mediaOf(userId), after, PAGE);
      usage =
          scanner.at(page.values()).stream()
              .filter(Stored.class::isInstance)
              .map(item -> ((Stored) item).row())
              .filter(Media.class::isInstance)
              .map(Media.class::cast)
              .reduce(usage, Usage::and, Usage::and);
      if (page.size() < PAGE) {
        return usage;
      }
      after = page.sequencedKeySet().getLast();
    }
  }
}
