package social.feed.infra;

import java.util.List;
import java.util.Map;
import social.feed.streams.celebrity.CelebrityFlagChanged;
import software.amazon.awscdk.services.events.EventBus;
import software.amazon.awscdk.services.iam.PolicyDocument;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.pipes.CfnPipe;
import software.amazon.awscdk.services.pipes.CfnPipe.PipeTargetEventBridgeEventBusParametersProperty;
import software.amazon.awscdk.services.pipes.CfnPipe.PipeTargetParametersProperty;
import software.amazon.awscdk.services.sqs.Queue;
import software.constructs.Construct;

/**
 * A pipe that forwards each message of the events queue to the bus, with its body as the detail.
 * The multiplexer writes to a queue and not to the bus, because a queue also runs on a laptop.
 */
final class EventPipe extends Construct {
  /** The source of the events, by which subscribers filter. */
  static final String SOURCE = "feed.multiplexer";

  EventPipe(Construct scope, Queue events, EventBus bus) {
    super(scope, "EventPipe");
    var role =
        Role.Builder.create(this, "Role")
            .assumedBy(new ServicePrincipal("pipes.amazonaws.com"))
            .inlinePolicies(
                Map.of(
                    "Forward",
                    PolicyDocument.Builder.create()
                        .statements(
                            List.of(
                                TableAccess.allow(
                                    List.of(
                                        "sqs:DeleteMessage",
                                        "sqs:GetQueueAttributes",
                                        "sqs:ReceiveMessage"),
                                    List.of(events.getQueueArn())),
                                TableAccess.allow(
                                    List.of("events:PutEvents"), List.of(bus.getEventBusArn()))))
                        .build()))
            .build();
    CfnPipe.Builder.create(this, "Pipe")
        .roleArn(role.getRoleArn())
        .source(events.getQueueArn())
        .target(bus.getEventBusArn())
        .targetParameters(
            PipeTargetParametersProperty.builder()
                .eventBridgeEventBusParameters(
                    PipeTargetEventBridgeEventBusParametersProperty.builder()
                        .source(SOURCE)
                        .detailType(CelebrityFlagChanged.NAME)
                        .build())
                .inputTemplate("<$.body>")
                .build())
        .build();
  }
}
