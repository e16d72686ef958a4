package social.feed.local;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import social.feed.event.EventType;
import social.feed.local.ChildProcess.Program;
import social.feed.local.LoopbackCalls.Receiver;
import social.feed.streams.plan.Lane;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.table.media.MediaFolder;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.table.user.CelebrityRule;

/**
 * The multiplexer in a process of its own, next to others of the same platform. Like an instance of
 * the function on AWS it gets its batches from the event source, as Lambda's JSON.
 */
final class MultiplexerProcess {
  private MultiplexerProcess() {}

  /**
   * Returns the program of such a process.
   *
   * @param traces where the search index is asked about erased accounts
   */
  static Program program(
      URI dynamodb,
      Queues queues,
      long celebrityThreshold,
      Path media,
      ConfiguredSinks sinks,
      URI traces,
      SuspicionRules suspicion) {
    return new Program(
        MultiplexerProcess.class,
        List.of(
            dynamodb.toString(),
            queues.deadLetters().toString(),
            queues.events().toString(),
            Long.toString(celebrityThreshold),
            media.toString(),
            queues.sinks().map(URI::toString).orElse(""),
            String.join(",", sinks.names()),
            traces.toString(),
            sinks.notPublic().stream().map(EventType::eventName).collect(Collectors.joining(",")),
            suspicion.named().entrySet().stream()
                .map(threshold -> threshold.getKey() + "=" + threshold.getValue())
                .collect(Collectors.joining(","))),
        Map.of(),
        false);
  }

  /** Handles the batches that it gets, until its parent ends. */
  public static void main(String[] arguments) {
    var traces = RemoteTraces.at(URI.create(arguments[8]));
    var multiplexer =
        LocalMultiplexer.at(
            URI.create(arguments[1]),
            new LocalMultiplexer.Setup(
                new Queues(
                    URI.create(arguments[2]),
                    URI.create(arguments[3]),
                    listed(arguments[6]).stream().map(URI::create).findAny()),
                new CelebrityRule(Long.parseLong(arguments[4])),
                LocalMultiplexer.SWEEPING,
                LocalMultiplexer.newXray(false),
                new MediaFolder(Path.of(arguments[5])),
                new LocalPlan(
                    new LocalEvents(
                        new ConfiguredSinks(
                            listed(arguments[7]), EventType.notPublic(listed(arguments[9])))),
                    SuspicionRules.STANDARD.with(thresholds(arguments[10])),
                    new SuspiciousAccounts()),
                _ -> traces));
    var calls = LoopbackCalls.serve(Integer.parseInt(arguments[0]), receivers(multiplexer));
    ChildProcess.isReady(calls.address());
    ChildProcess.awaitEndOfParent();
  }

  private static List<String> listed(String argument) {
    return argument.isEmpty() ? List.of() : List.of(argument.split(",", -1));
  }

  private static Map<String, String> thresholds(String argument) {
    return listed(argument).stream()
        .map(threshold -> threshold.split("=", 2))
        .collect(Collectors.toMap(threshold -> threshold[0], threshold -> threshold[1]));
  }

  /** Returns what answers the calls of each lane. */
  static Map<String, Receiver> receivers(LocalMultiplexer multiplexer) {
    return Arrays.stream(Lane.values())
        .collect(
            Collectors.toMap(
                Lane::alias, lane -> event -> written(multiplexer.handle(lane, read(event)))));
  }

  /**
   * Calls a process with a batch, and waits for its response.
   *
   * @throws IOException if the process died or failed. The batch may have had some of its effects
   */
  static TimeWindowEventResponse call(URI process, Lane lane, DynamodbTimeWindowEvent event)
      throws IOException {
    var response =
        LoopbackCalls.call(process, lane.alias(), json(DynamodbTimeWindowEvent.class, event));
    return serializer(TimeWindowEventResponse.class).fromJson(response);
  }

  private static DynamodbTimeWindowEvent read(String event) {
    return serializer(DynamodbTimeWindowEvent.class).fromJson(event);
  }

  private static String written(TimeWindowEventResponse response) {
    return json(TimeWindowEventResponse.class, response);
  }

  private static <T> String json(Class<T> type, T value) {
    var json = new ByteArrayOutputStream();
    serializer(type).toJson(value, json);
    return json.toString(StandardCharsets.UTF_8);
  }

  private static <T> PojoSerializer<T> serializer(Class<T> type) {
    return LambdaEventSerializers.serializerFor(type, MultiplexerProcess.class.getClassLoader());
  }
}
