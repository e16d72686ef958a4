package social.feed.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.testkit.GeneratedPage;
import social.feed.verify.Report;
import social.feed.verify.Verification;

/**
 * Measures every route, every stream effect, every event on its way to the sinks and every command
 * at two sizes of each knob. An operation may grow only as {@code known-growth.txt} says.
 *
 * <p>A repair whose count waits reads as {@code verify} does, and as each round of another repair.
 * Every world measures it, without the HTTP between a command and the table. The two commands are
 * measured in some worlds, and with {@code -Dbounds.fix=ALL} in all.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ITBounds {
  private static final Set<Knob> KNOBS_OF_VERIFICATIONS =
      Knob.isFull() || "ALL".equals(System.getProperty("bounds.fix"))
          ? EnumSet.allOf(Knob.class)
          : EnumSet.of(Knob.POSTS);

  private final List<Operation> routes = Routes.operations();
  private final List<Operation> commands = Commands.operations();
  private final Matrix matrix = Matrix.empty();

  /** The planted bugs are no operations of the platform, so they have a matrix of their own. */
  private final Matrix planted = Matrix.empty();

  private final Set<String> documented;
  private final Set<String> served;
  private final Report drift;

  ITBounds() {
    try (var world = MeasuredWorld.small()) {
      drift =
          new Verification(world.table().table(), Optional.of(MeasuredWorld.RULE))
              .run(() -> {}, _ -> {});
      documented = Routes.documented(world);
      served = world.routes();
      all().forEach(operation -> matrix.addSmall(operation.name(), operation.measure(world)));
      for (var bug : PlantedGrowth.values()) {
        planted.addSmall(bug.operation().name(), bug.operation().measure(world));
      }
    }
    for (var entry : measuredWithLarge().entrySet()) {
      entry.getValue().forEach((name, work) -> add(name, entry.getKey(), work));
    }
  }

  private void add(String name, Knob knob, Work work) {
    var to = planted.small().containsKey(name) ? planted : matrix;
    to.addLarge(name, knob, work);
  }

  /**
   * Measures two worlds at once; each has a table, an index and a folder of its own. Of those of
   * the full scale there is one in memory.
   */
  private Map<Knob, Map<String, Work>> measuredWithLarge() {
    try (var threads = Executors.newFixedThreadPool(Knob.isFull() ? 1 : 2)) {
      var measured =
          Arrays.stream(Knob.values())
              .map(knob -> threads.submit(() -> Map.entry(knob, measuredWithLarge(knob))))
              .toList();
      var works = new EnumMap<Knob, Map<String, Work>>(Knob.class);
      for (var one : measured) {
        works.put(one.get().getKey(), one.get().getValue());
      }
      return works;
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, Work> measuredWithLarge(Knob knob) {
    var works = new LinkedHashMap<String, Work>();
    try (var world = MeasuredWorld.withLarge(knob)) {
      all().stream()
          .filter(operation -> isMeasured(operation, knob))
          .forEach(operation -> works.put(operation.name(), operation.measure(world)));
      Arrays.stream(PlantedGrowth.values())
          .filter(bug -> bug.knob() == knob)
          .map(PlantedGrowth::operation)
          .forEach(operation -> works.put(operation.name(), operation.measure(world)));
    }
    return works;
  }

  /**
   * Commands come first, while all rows agree; later there is something to repair. The sweep is
   * next, because it reads what other operations leave.
   */
  private List<Operation> all() {
    var all = new ArrayList<>(commands);
    all.add(Effects.SWEEP);
    all.addAll(routes);
    all.addAll(Effects.operations());
    all.addAll(Sinks.operations());
    return all;
  }

  private static boolean isMeasured(Operation operation, Knob knob) {
    return !Commands.VERIFICATIONS.contains(operation.name())
        || KNOBS_OF_VERIFICATIONS.contains(knob);
  }

  /** The rows that are written in bulk agree with each other, as those of a platform do. */
  @Test
  void smallWorld_hasNoDrift() {
    assertThat(drift.isClean()).as(drift.render()).isTrue();
  }

  @Test
  void operations_areMeasuredWithEveryKnob_andVerificationsWithSome() {
    assertThat(all())
        .allSatisfy(
            operation ->
                assertThat(matrix.measured(operation.name()))
                    .isEqualTo(
                        Commands.VERIFICATIONS.contains(operation.name())
                            ? KNOBS_OF_VERIFICATIONS
                            : EnumSet.allOf(Knob.class)));
  }

  @Test
  void operations_growOnlyAsListed() {
    var known = KnownGrowth.load();
    assertThat(Knob.isFull() ? matrix.excesses(known) : matrix.differences(known)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void plantedGrowth_isFound(PlantedGrowth bug) {
    var name = bug.operation().name();

    assertThat(planted.grows(name, bug.knob(), bug.measure())).isTrue();
    assertThat(planted.differences(KnownGrowth.parse("")))
        .filteredOn(found -> found.contains(name + " | "))
        .singleElement()
        .asString()
        .startsWith(unlisted(name, bug.knob()));
  }

  /** The cell of the right one is listed, and grows up to the size of a part. */
  @Test
  void retractionInOneRecord_growsFasterThanTheListedCell() {
    var bug = PlantedGrowth.RETRACTION_IN_ONE_RECORD.operation().name();
    var right =
        KnownGrowth.load()
            .of("POST MODIFY visibility: NotifySpecialFollowers", Knob.SPECIALS)
            .orElseThrow();

    assertThat(planted.differences(new KnownGrowth(List.of(right.of(bug)))))
        .anySatisfy(
            found ->
                assertThat(found)
                    .startsWith("grows by ")
                    .contains(" write units instead of 1000: " + bug));
  }

  /** The same of a part of an erasure. */
  @Test
  void followersInOnePart_growFasterThanTheListedCell() {
    var bug = PlantedGrowth.FOLLOWERS_IN_ONE_PART.operation().name();
    var right = KnownGrowth.load().of(ErasureParts.OF_FOLLOWERS, Knob.FOLLOWERS).orElseThrow();

    assertThat(planted.differences(new KnownGrowth(List.of(right.of(bug)))))
        .anySatisfy(found -> assertThat(found).contains("write units instead of").contains(bug));
  }

  /**
   * Each listed cell is one that the matrix sees grow: without its line it is found. No bug is
   * planted here.
   */
  @Test
  void listedCells_areFoundWithoutTheirLines() {
    var found = matrix.differences(KnownGrowth.parse(""));

    assertThat(KnownGrowth.load().lines())
        .filteredOn(line -> matrix.measured(line.operation()).contains(line.knob()))
        .anyMatch(line -> line.operation().equals("get /v1/feed, older than the stored feed"))
        .allSatisfy(
            line ->
                assertThat(found)
                    .anyMatch(cell -> cell.startsWith(unlisted(line.operation(), line.knob()))));
  }

  private static String unlisted(String operation, Knob knob) {
    return "grows, and is not listed: %s | %s | ".formatted(operation, knob);
  }

  @Test
  void routes_areThoseOfTheDocument() {
    var measured = routes.stream().map(Routes::routeOf).collect(Collectors.toSet());
    assertThat(measured).contains(Routes.UPLOAD);
    measured.remove(Routes.UPLOAD);
    assertThat(measured).isEqualTo(documented);
  }

  /** A route is measured, or the page says why it is not. */
  @Test
  void routes_ofTheServer_areMeasuredOrExplained() {
    assertThat(served).contains("post /v1/dev/drain").containsAll(documented);
    assertThat(Routes.unexplained(served, routes)).isEmpty();
    assertThat(Routes.unexplained(served, List.of())).contains("get /v1/feed", Routes.UPLOAD);
  }

  @Test
  void page_isUpToDate() throws IOException {
    var omitted = new LinkedHashMap<>(Routes.omitted());
    omitted.putAll(Commands.omitted());
    var page = BoundsPage.render(matrix, KnownGrowth.load(), omitted);
    if (Knob.isFull()) {
      Files.writeString(Path.of("target", "bounds.md"), page);
    } else {
      GeneratedPage.named("bounds.md").is(page);
    }
  }
}
