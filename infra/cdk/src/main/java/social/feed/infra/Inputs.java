package social.feed.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import software.constructs.Node;

/**
 * The inputs of a deployment, as context of the CDK ({@code -c stage=prod}).
 *
 * @param stage {@code stage}, {@code dev} by default
 * @param region {@code region}, {@code eu-central-1} by default
 * @param trendHalfLife {@code trendHalfLife}, {@code 6h} by default: the time in which a use of a
 *     tag loses half its weight; the API and the multiplexer must have the same value
 * @param countsConcurrency {@code countsConcurrency}: the concurrency that is reserved for the
 *     counts lane, none where it is 0; the stage's by default
 * @param functionZip {@code functionZip}: path of the multiplexer's package
 * @param api the inputs of the API
 * @param mailSender {@code mailFrom}: the sender of the members' e-mails. {@code prod} needs one
 * @param otherTable {@code tableName} and {@code streamLabel}: a table that no stack has created,
 *     in place of the one that the data stack creates by default
 * @param traces {@code tracing}, off by default, and {@code collector}: the share of requests with
 *     a trace, and where spans are sent
 * @param media {@code media}, {@code none} by default: where the bytes of images are
 * @param distribution {@code mediaDistribution}, {@code none} by default, {@code mediaPublicKey}
 *     and {@code mediaKeySecret}: a distribution in front of the bucket of images
 * @param sinks {@code events}, {@code kafkaBootstrap}, {@code kafkaTopic}, {@code kafkaSecret},
 *     {@code privateEvents}, {@code webhooks}, and {@code search}: where events for other systems
 *     are published, and whether posts and accounts are written into a search index; nowhere by
 *     default
 * @param repair {@code repair}, {@code false} by default: whether the release goes on while
 *     responses fail and records become dead letters, which the version before it may cause
 */
record Inputs(
    Stage stage,
    String region,
    String trendHalfLife,
    int countsConcurrency,
    Path functionZip,
    ApiInputs api,
    Optional<MailSender> mailSender,
    Optional<ExistingTable> otherTable,
    TraceInputs traces,
    MediaKind media,
    DistributionInputs distribution,
    SinkInputs sinks,
    boolean repair) {
  static final String STAGE = "stage";
  static final String FUNCTION_ZIP = "functionZip";
  static final String MAIL_FROM = "mailFrom";
  static final String REPAIR = "repair";

  private static final String COUNTS_CONCURRENCY = "countsConcurrency";

  /**
   * @throws MissingInputException with the missing input and how to give it
   */
  Inputs {
    if (!Files.isRegularFile(functionZip)) {
      throw new MissingInputException(
          "%s must be the path of the multiplexer's package. There is no file %s"
              .formatted(FUNCTION_ZIP, functionZip.toAbsolutePath()));
    }
    traces.require(api.kind());
    if (mailSender.isEmpty() && stage.needsMailSender()) {
      throw new MissingInputException(
          ("Give the sender of the members' e-mails: -c %s=no-reply@YOUR.DOMAIN. The domain must be"
                  + " a verified identity of SES in %s, in an account that has left SES's sandbox."
                  + " Without a sender Cognito sends some 50 e-mails a day, and no one else can"
                  + " sign up.")
              .formatted(MAIL_FROM, region));
    }
  }

  /**
   * Returns the inputs in the context of an app.
   *
   * @throws MissingInputException if one is missing or wrong, or if a name is that of no input
   */
  static Inputs of(Node app) {
    return of(new InputContext(app));
  }

  /** Returns the inputs in a context, which then has their names. */
  static Inputs of(InputContext context) {
    var stage = context.stage();
    var media = MediaKind.of(context);
    var inputs =
        new Inputs(
            stage,
            context.value("region", "eu-central-1"),
            context.value("trendHalfLife", "6h"),
            context.number(COUNTS_CONCURRENCY, stage.countsConcurrency()),
            context.path(FUNCTION_ZIP),
            ApiInputs.of(context),
            context.optional(MAIL_FROM).map(MailSender::new),
            ExistingTable.of(context),
            TraceInputs.of(context),
            media,
            DistributionInputs.of(context, media),
            SinkInputs.of(context),
            context.flag(REPAIR));
    context.requireKnown();
    return inputs;
  }
}
