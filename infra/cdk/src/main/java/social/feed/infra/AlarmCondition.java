package social.feed.infra;

import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;

/**
 * When an alarm goes off.
 *
 * @param comparison how a data point is compared with the threshold
 * @param threshold the threshold
 * @param datapoints how many data points must breach it
 * @param missing what a period without data means
 */
record AlarmCondition(
    ComparisonOperator comparison,
    Number threshold,
    Datapoints datapoints,
    TreatMissingData missing) {

  /** Returns a condition for a metric that has no data while nothing happens. */
  static AlarmCondition atLeast(Number threshold, Datapoints datapoints) {
    return new AlarmCondition(
        ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        threshold,
        datapoints,
        TreatMissingData.NOT_BREACHING);
  }

  /** Returns a condition for a metric whose absence is as bad as a low number. */
  static AlarmCondition below(Number threshold, Datapoints datapoints) {
    return new AlarmCondition(
        ComparisonOperator.LESS_THAN_THRESHOLD, threshold, datapoints, TreatMissingData.BREACHING);
  }

  /** Returns a condition of an alarm that ends only when new data show that the cause is gone. */
  AlarmCondition untilNewData() {
    return new AlarmCondition(comparison, threshold, datapoints, TreatMissingData.IGNORE);
  }
}
