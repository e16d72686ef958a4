package social.feed.engine;

import org.elasticmq.NodeAddress;

/** The address that ElasticMQ writes into queue URLs; without it they all name port 9324. */
final class QueueUrls {

  private QueueUrls() {}

  static NodeAddress on(int port) {
    return new NodeAddress("http", ListenOn.LOOPBACK, port, "");
  }
}
