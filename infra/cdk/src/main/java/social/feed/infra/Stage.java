package social.feed.infra;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import social.feed.table.kernel.declaration.TableDeclaration;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.logs.RetentionDays;

/** A stage of deployment, and the settings that differ between stages. */
enum Stage {
  /** Disposable: data are not protected, and resources are minimal. */
  DEV(500, 0, 0, 1, 1, 2, RetentionDays.ONE_WEEK),

  /** Production: data are kept when stacks are deleted. */
  PROD(20_000, 100, 200, 2, 3, 30, RetentionDays.THREE_MONTHS);

  private static final int SWEEP_UNITS_MAX = 500;

  /** Read units of a request, rounded up. */
  private static final int PART_FOR_REQUESTS = 10;

  /** The part of the maximum that a sweep may use. */
  private static final int PART_FOR_SWEEPS = 10;

  /** The part of the maximum that the parts of erasures may use. Most of these units are writes. */
  private static final int PART_FOR_REMOVALS = 10;

  /** The part of the gateway's requests that one caller may send. */
  private static final int PART_FOR_CALLERS = 5;

  /** The default of the API. */
  private static final int REQUESTS_OF_CALLER_MAX = 100;

  private final int unitsMax;
  private final int countsConcurrency;
  private final int apiConcurrency;
  private final int natGateways;
  private final int tasksMin;
  private final int tasksMax;
  private final RetentionDays logsKept;

  Stage(
      int unitsMax,
      int countsConcurrency,
      int apiConcurrency,
      int natGateways,
      int tasksMin,
      int tasksMax,
      RetentionDays logsKept) {
    this.unitsMax = unitsMax;
    this.countsConcurrency = countsConcurrency;
    this.apiConcurrency = apiConcurrency;
    this.natGateways = natGateways;
    this.tasksMin = tasksMin;
    this.tasksMax = tasksMax;
    this.logsKept = logsKept;
  }

  /**
   * Returns the stage with this label.
   *
   * @throws MissingInputException if there is no such stage
   */
  static Stage named(String name) {
    return Arrays.stream(values())
        .filter(stage -> stage.label().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new MissingInputException("stage must be one of " + all() + ", not " + name));
  }

  private static String all() {
    return Arrays.stream(values()).map(Stage::label).collect(Collectors.joining(", "));
  }

  /** Returns the name in lower case, which is part of the names of the stacks. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the declaration of the table at this stage. */
  TableDeclaration table() {
    return this == PROD ? FeedTable.DECLARATION : FeedTable.DECLARATION.unprotected();
  }

  /** Returns whether data stay when their stack, or what holds them, is removed. */
  boolean keepsData() {
    return this == PROD;
  }

  /**
   * Returns the policy for data when their stack is deleted. What a failed first deployment created
   * is deleted again, so that the next attempt starts from nothing.
   */
  RemovalPolicy removal() {
    return this == PROD ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
  }

  /**
   * Returns the policy for resources that are protected against deletion. A failed first deployment
   * leaves them: CloudFormation cannot delete them, and a rollback that fails blocks the next
   * attempt. Their names are generated, so the next attempt creates others.
   */
  RemovalPolicy removalOfProtected() {
    return this == PROD ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  }

  /**
   * Returns the maximum of read units, and of write units, that the table and each of its indexes
   * may use in a second. It limits the cost of a mistake and is not a capacity plan.
   */
  int unitsMax() {
    return unitsMax;
  }

  /** Returns the read units a second that a sweep for pending erasures may use on average. */
  int erasureSweepUnits() {
    return Math.min(SWEEP_UNITS_MAX, unitsMax / PART_FOR_SWEEPS);
  }

  /**
   * Returns the units a second that the parts of all erasures together may use on average before
   * the sweep, with what they cause behind the stream.
   */
  int erasureRemovalUnits() {
    return unitsMax / PART_FOR_REMOVALS;
  }

  /**
   * Returns how much of the account's concurrency is reserved for the counts lane. {@code ./feed
   * plan} computes what a lane needs: four times the calls that run at once on average, at most one
   * for each shard of the stream. Zero reserves none: an account may begin with ten concurrent
   * invocations, and of these Lambda lets nothing be reserved.
   */
  int countsConcurrency() {
    return countsConcurrency;
  }

  /**
   * Returns how much of the account's concurrency is reserved for the API as a function, which is
   * also its maximum. Zero reserves none, for the same reason as with counts.
   */
  int apiConcurrency() {
    return apiConcurrency;
  }

  /** Returns the requests a second that the gateway passes to the API as a function. */
  int requestsMax() {
    return unitsMax / PART_FOR_REQUESTS;
  }

  /**
   * Returns the requests a second of one caller that an instance of the API as a function serves.
   * Callers who send one request after the other reach one instance, and cannot use up what the
   * gateway passes.
   */
  int requestsOfCaller() {
    return Math.min(REQUESTS_OF_CALLER_MAX, requestsMax() / PART_FOR_CALLERS);
  }

  /** Returns whether members are so many that Cognito's own sender is not enough. */
  boolean needsMailSender() {
    return this == PROD;
  }

  /**
   * Returns whether who may administer the pool can sign in as a member with a password, from a
   * shell ({@code infra/token}).
   */
  boolean operatorsSignIn() {
    return this == DEV;
  }

  /** Returns whether a new version of a function gets a part of the calls first. */
  boolean shiftsReleases() {
    return this == PROD;
  }

  /** Returns the number of NAT gateways, each in its own zone. */
  int natGateways() {
    return natGateways;
  }

  /** Returns the minimum number of API tasks. */
  int tasksMin() {
    return tasksMin;
  }

  /** Returns the maximum number of API tasks. */
  int tasksMax() {
    return tasksMax;
  }

  /** Returns the nodes of the domain of the search index, each in its own zone. */
  int searchNodes() {
    return this == PROD ? 2 : 1;
  }

  /** Returns the retention of logs. */
  RetentionDays logsKept() {
    return logsKept;
  }
}
