package social.feed.infra;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import social.feed.table.kernel.declaration.TableDeclaration;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.logs.RetentionDays;

/** Where the platform is deployed to, and what differs there. */
enum Stage {
  /** To be thrown away: nothing is protected, little is paid for. */
  DEV(500, 1, 1, 2, RetentionDays.ONE_WEEK),

  /** Keeps its data whatever happens to the stacks. */
  PROD(20_000, 2, 3, 30, RetentionDays.THREE_MONTHS);

  private final int unitsMax;
  private final int natGateways;
  private final int tasksMin;
  private final int tasksMax;
  private final RetentionDays logsKept;

  Stage(int unitsMax, int natGateways, int tasksMin, int tasksMax, RetentionDays logsKept) {
    this.unitsMax = unitsMax;
    this.natGateways = natGateways;
    this.tasksMin = tasksMin;
    this.tasksMax = tasksMax;
    this.logsKept = logsKept;
  }

  /**
   * The stage of a name in lower case.
   *
   * @throws MissingInputException when there is none of this name
   */
  static Stage named(String name) {
    return Arrays.stream(values())
        .filter(stage -> stage.label().equals(name))
        .findFirst()
        .orElseThrow(() -> new MissingInputException("stage is one of " + all() + ", not " + name));
  }

  private static String all() {
    return Arrays.stream(values()).map(Stage::label).collect(Collectors.joining(", "));
  }

  /** The name in lower case, as it is in the names of the stacks. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The table as it is there. */
  TableDeclaration table() {
    return this == PROD ? FeedTable.DECLARATION : FeedTable.DECLARATION.unprotected();
  }

  /** What becomes of data when its stack is deleted. */
  RemovalPolicy removal() {
    return this == PROD ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  }

  /**
   * The most read units, and as many write units, that the table and each of its indexes may use in
   * a second. A bound on what a mistake costs, not a plan of capacity.
   */
  int unitsMax() {
    return unitsMax;
  }

  /** Ways out of the private network; one for each of as many zones. */
  int natGateways() {
    return natGateways;
  }

  /** Tasks of the API that always run. */
  int tasksMin() {
    return tasksMin;
  }

  /** Tasks of the API at the most. */
  int tasksMax() {
    return tasksMax;
  }

  /** How long logs are kept. */
  RetentionDays logsKept() {
    return logsKept;
  }
}
