package dev.holdfast.http.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponseWriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the body of an answer a piece at a time, each when the one before has gone: what is handed
/// to the network is copied there as a whole, however slowly its client reads.
final class AnswerSending {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerSending.class);

  private static final int PIECE_BYTES = 256 << 10;

  /// Answers up to this go at once.
  static final int AT_ONCE_BYTES_MAX = 1 << 20;

  private AnswerSending() {}

  /// Returns when all has gone, or the client has.
  static void send(InputStream body, HttpResponseWriter writer) {
    try (body) {
      while (true) {
        byte[] piece = body.readNBytes(PIECE_BYTES);
        if (piece.length == 0) {
          writer.close();
          return;
        }
        if (!writer.tryWrite(HttpData.wrap(piece))) {
          return;
        }
        writer.whenConsumed().join();
      }
    } catch (CompletionException | CancellationException e) {
      LOG.debug("an answer was not read to its end", e);
    } catch (IOException e) {
      LOG.warn("an answer could not be read from its file [why={}]", e.toString());
      writer.close(e);
    }
  }
}
