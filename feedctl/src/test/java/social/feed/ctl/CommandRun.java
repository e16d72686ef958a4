package social.feed.ctl;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;

/**
 * A command that ran in this process.
 *
 * @param code its exit code
 * @param out what it printed
 * @param err what it reported
 */
public record CommandRun(int code, String out, String err) {
  /** Runs a command with its arguments. */
  public static CommandRun of(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** Runs a command against the table of a platform. */
  public static CommandRun on(LocalPlatform platform, String... arguments) {
    return on(platform, platform.api(), arguments);
  }

  /** Runs a command against the table of a platform, whose API is at another address. */
  public static CommandRun on(LocalPlatform platform, URI api, String... arguments) {
    var where =
        List.of(
            "--url", api.toString(),
            "--endpoint", platform.dynamodb().toString(),
            "--table", PlatformSettings.TABLE);
    return of(Stream.concat(Stream.of(arguments), where.stream()).toArray(String[]::new));
  }

  /**
   * Runs a command for a table of AWS, with an address of a platform where nothing answers. System
   * properties of the SDK name the endpoint and the credentials.
   */
  public static CommandRun ofAws(URI dynamodb, String... arguments) {
    var properties =
        Map.of(
            "aws.endpointUrlDynamoDb", dynamodb.toString(),
            "aws.accessKeyId", "local",
            "aws.secretAccessKey", "local");
    var where =
        List.of(
            "--url", "http://127.0.0.1:1",
            "--region", "us-east-1",
            "--table", PlatformSettings.TABLE);
    properties.forEach(System::setProperty);
    try {
      return of(Stream.concat(Stream.of(arguments), where.stream()).toArray(String[]::new));
    } finally {
      properties.keySet().forEach(System::clearProperty);
    }
  }

  /** Returns all that it printed, then all that it reported. */
  public String text() {
    return out + err;
  }
}
