package dev.holdfast.http.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponseWriter;
import dev.holdfast.http.spool.SpoolFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the body of an answer out of a file, a piece when the one before has gone.
final class FileSending {
  private static final Logger LOG = LoggerFactory.getLogger(FileSending.class);

  private static final int PIECE_BYTES = 256 << 10;

  private FileSending() {}

  /// Returns when all has gone, or the client has.
  static void send(SpoolFile file, HttpResponseWriter writer) {
    try (InputStream in = file.read()) {
      while (true) {
        byte[] piece = in.readNBytes(PIECE_BYTES);
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
