package social.feed.engine;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * The handler of HTTP requests of DynamoDB Local, of which one JVM may have several. Each new one
 * replaces the operations of all of them, which are in a static map, by an empty map, and fills
 * that one. A request that another engine handles meanwhile would be answered with 400, "The action
 * or operation requested is invalid". So no request is handled while a handler is created.
 */
final class EngineHandler extends Handler.Wrapper {
  private static final ReadWriteLock OPERATIONS = new ReentrantReadWriteLock();

  EngineHandler(LocalDynamoDBRequestHandler requests) {
    super(created(requests));
  }

  private static Handler created(LocalDynamoDBRequestHandler requests) {
    OPERATIONS.writeLock().lock();
    try {
      return new LocalDynamoDBServerHandler(requests, null);
    } finally {
      OPERATIONS.writeLock().unlock();
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    OPERATIONS.readLock().lock();
    try {
      return super.handle(request, response, callback);
    } finally {
      OPERATIONS.readLock().unlock();
    }
  }
}
