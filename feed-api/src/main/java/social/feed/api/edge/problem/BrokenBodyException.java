package social.feed.api.edge.problem;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The body of a request ended before its length: the client is gone, and reads no response. */
public final class BrokenBodyException extends IOException {
  private static final long serialVersionUID = 1;

  private BrokenBodyException(IOException cause) {
    super("The body of the request broke off", cause);
  }

  /** Returns a body whose failures are of this kind, also where others wrap them. */
  public static InputStream marked(InputStream body) {
    return new FilterInputStream(body) {
      @Override
      public int read() throws IOException {
        try {
          return super.read();
        } catch (IOException e) {
          throw new BrokenBodyException(e);
        }
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        try {
          return super.read(buffer, offset, length);
        } catch (IOException e) {
          throw new BrokenBodyException(e);
        }
      }

      /** Reads the rest of the body first. */
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } catch (IOException e) {
          throw new BrokenBodyException(e);
        }
      }
    };
  }
}
