package social.feed.api.search;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.search.AccountPosition;
import social.feed.search.Highlight;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchPosition;
import social.feed.search.SearchTimeoutException;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;

/**
 * Asks the search index, where there is one. It may be late, so callers filter what it finds. No
 * units of the table.
 */
@Singleton
public final class Searches {
  /** A text to search for: at most half of {@link SearchIndex#MAX_WORDS}, in code points. */
  public static final String TEXT = "^[\\s\\S]{1,128}$";

  /** What is wrong with another text. */
  public static final String TEXT_MESSAGE = "has 1 to 128 characters";

  private static final Logger LOG = LoggerFactory.getLogger(Searches.class);

  /** No search of a page begins after this time, except the first; each has a limit of its own. */
  static final Duration LONGEST_PAGE = Duration.ofSeconds(2);

  private static final int PARTS = 4;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final @Nullable SearchIndex index;
  private final InstantSource clock;
  private final SearchPlaces places;

  Searches(@Nullable SearchIndex index, InstantSource clock, SearchPlaces places) {
    this.index = index;
    this.clock = clock;
    this.places = places;
  }

  /**
   * Begins the searches of one page, of which there may be several where the index is late.
   *
   * @param callerId whose searches they are
   * @throws ProblemException {@code search_off}
   */
  public OfPage begin(String callerId) {
    return new OfPage(index(), callerId);
  }

  /** The searches of one page. */
  public final class OfPage {
    private final SearchIndex index;
    private final String callerId;
    private final Instant end = clock.instant().plus(LONGEST_PAGE);
    private boolean isFirst = true;
    private boolean isRefused;

    private OfPage(SearchIndex index, String callerId) {
      this.index = index;
      this.callerId = callerId;
    }

    /**
     * Returns whether another search may begin: the page has not taken {@link #LONGEST_PAGE}, and
     * no search of it was refused.
     */
    public boolean mayGoOn() {
      return !isRefused && clock.instant().isBefore(end);
    }

    /**
     * Returns ids of posts, the most relevant first. A list ends after {@value
     * SearchIndex#MAX_DEPTH} of them. Blank words find nothing. Where another search than the first
     * takes too long or is refused, returns none of them, and where to continue.
     *
     * @param request of at most {@value SearchIndex#MAX_HITS}
     * @throws ProblemException {@code search_unavailable}, and {@code rate_limited} by {@link
     *     SearchPlaces}, of the first search
     */
    public Page<String> posts(PostQuery query, PageRequest request) {
      @Nullable String after = request.after();
      return query.words().isBlank()
          ? new Page<>(List.of(), null)
          : find(
              request,
              () ->
                  index.findPosts(
                      query, after == null ? null : postPosition(after), request.limit()),
              hit -> new Positioned<>(text(hit.position()), hit.id()));
    }

    /**
     * As {@link #posts}, of accounts, the best matches first.
     *
     * @param request of at most {@value SearchIndex#MAX_HITS}
     * @throws ProblemException {@code search_unavailable}, and {@code rate_limited} by {@link
     *     SearchPlaces}, of the first search
     */
    public Page<String> accounts(String words, PageRequest request) {
      @Nullable String after = request.after();
      return find(
          request,
          () ->
              index.findAccounts(
                  words, after == null ? null : accountPosition(after), request.limit()),
          hit -> new Positioned<>(text(hit.position()), hit.id()));
    }

    private <H> Page<String> find(
        PageRequest request,
        SearchPlaces.Search<List<H>> find,
        Function<H, Positioned<String>> positioned) {
      boolean isFurther = !isFirst;
      isFirst = false;
      try {
        return page(places.take(callerId, find), positioned, request);
      } catch (SearchTimeoutException e) {
        if (isFurther) {
          return new Page<>(List.of(), request.after());
        }
        throw unavailable(e);
      } catch (IOException e) {
        throw unavailable(e);
      } catch (ProblemException e) {
        if (!isFurther) {
          throw e;
        }
        // Other requests of the caller took the place. What the page has is read and paid.
        isRefused = true;
        return new Page<>(List.of(), request.after());
      }
    }
  }

  private static <H> Page<String> page(
      List<H> hits, Function<H, Positioned<String>> positioned, PageRequest request) {
    List<Positioned<String>> slots = hits.stream().map(positioned).toList();
    return new Page<>(slots, hits.size() < request.limit() ? null : slots.getLast().position());
  }

  /** Returns where words occur in a text. */
  public List<Highlight> highlights(String text, String words) {
    try {
      return index().highlights(text, words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A part of the hits would look like all of them. */
  private static ProblemException unavailable(IOException cause) {
    LOG.warn("A search has no result", cause);
    return new ProblemException(
        ProblemCode.SEARCH_UNAVAILABLE, ProblemCode.SEARCH_UNAVAILABLE.cause(), RETRY_AFTER);
  }

  private SearchIndex index() {
    if (index == null) {
      throw new ProblemException(ProblemCode.SEARCH_OFF);
    }
    return index;
  }

  private static String text(SearchPosition position) {
    return "%d:%d:%d:%s"
        .formatted(
            position.asOf().toEpochMilli(),
            Float.floatToIntBits(position.score()),
            position.passed(),
            position.id());
  }

  private static SearchPosition postPosition(String text) {
    String[] parts = text.split(":", PARTS);
    return new SearchPosition(
        Instant.ofEpochMilli(Long.parseLong(parts[0])),
        Float.intBitsToFloat(Integer.parseInt(parts[1])),
        parts[3],
        Integer.parseInt(parts[2]));
  }

  /** The length of the handle divides it from the id. */
  private static String text(AccountPosition position) {
    return "%d:%d:%d:%s%s"
        .formatted(
            Float.floatToIntBits(position.score()),
            position.passed(),
            position.handle().length(),
            position.handle(),
            position.id());
  }

  private static AccountPosition accountPosition(String text) {
    String[] parts = text.split(":", PARTS);
    int length = Integer.parseInt(parts[2]);
    return new AccountPosition(
        Float.intBitsToFloat(Integer.parseInt(parts[0])),
        parts[3].substring(0, length),
        parts[3].substring(length),
        Integer.parseInt(parts[1]));
  }
}
