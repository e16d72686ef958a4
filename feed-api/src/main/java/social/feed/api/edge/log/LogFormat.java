package social.feed.api.edge.log;

import io.micronaut.context.annotation.Context;

/** Applies the format of log lines, which may be set by a property as well. */
@Context
final class LogFormat {

  LogFormat(LogConfiguration configuration) {
    LogEncoder.use(configuration.isJson());
  }
}
