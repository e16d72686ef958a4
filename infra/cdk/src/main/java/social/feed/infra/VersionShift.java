package social.feed.infra;

import java.util.List;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.codedeploy.AutoRollbackConfig;
import software.amazon.awscdk.services.codedeploy.LambdaApplication;
import software.amazon.awscdk.services.codedeploy.LambdaDeploymentConfig;
import software.amazon.awscdk.services.codedeploy.LambdaDeploymentGroup;
import software.amazon.awscdk.services.lambda.Alias;
import software.constructs.Construct;

/** Moves an alias to each new version, and back when the deployment fails or an alarm goes off. */
final class VersionShift {
  private VersionShift() {}

  /** Gives a new version a part of the calls first, where the stage does that, and then all. */
  static void of(
      Construct scope,
      String id,
      LambdaApplication application,
      Alias alias,
      Stage stage,
      List<Alarm> alarms) {
    LambdaDeploymentGroup.Builder.create(scope, id)
        .application(application)
        .alias(alias)
        .deploymentConfig(
            stage.shiftsReleases()
                ? LambdaDeploymentConfig.CANARY_10_PERCENT_5_MINUTES
                : LambdaDeploymentConfig.ALL_AT_ONCE)
        .alarms(alarms)
        .autoRollback(
            AutoRollbackConfig.builder()
                .failedDeployment(true)
                .stoppedDeployment(true)
                .deploymentInAlarm(true)
                .build())
        .build();
  }
}
