package dev.holdfast.http.spool;

import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The files of one request; they go with it. Safe for use by any thread.
public final class RequestFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RequestFiles.class);

  private final Spool spool;
  private final List<SpoolFile> files = new ArrayList<>();
  private boolean isClosed;

  RequestFiles(Spool spool) {
    this.spool = spool;
  }

  /// What of a request is in memory at most.
  public long memoryBytes() {
    return spool.memoryBytes();
  }

  /// An empty file for a body.
  ///
  /// @throws Refusal 429 when it cannot be made
  /// @throws IOException when the request has ended
  public SpoolFile create() throws IOException {
    return create(false);
  }

  /// An empty file for an answer, or what it is made of: what has been done is told as long as
  /// there is disk. Room for it may be reserved before.
  ///
  /// @throws Refusal 429 when it cannot be made
  /// @throws IOException when the request has ended
  public SpoolFile createForAnswer() throws IOException {
    return create(true);
  }

  private synchronized SpoolFile create(boolean isAnswer) throws IOException {
    if (isClosed) {
      throw new IOException("the request has ended");
    }
    try {
      SpoolFile file = new SpoolFile(spool, spool.create(), isAnswer);
      files.add(file);
      return file;
    } catch (IOException e) {
      LOG.warn("no file for a large request [why={}]", e.toString());
      throw Spool.full("no file can be made in the data folder: " + e.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    for (SpoolFile file : files) {
      file.close();
    }
    files.clear();
  }
}
