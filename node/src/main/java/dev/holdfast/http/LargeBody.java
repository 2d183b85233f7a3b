package dev.holdfast.http;

import dev.holdfast.http.spool.SpoolFile;
import java.io.IOException;
import java.io.InputStream;

/// Lines of JSON too large to be held in memory: read from their beginning as often as need be.
public interface LargeBody {
  /// The lines, without their `Content-Encoding`. What is read may end with a
  /// [dev.holdfast.world.Refusal]: 413 when they become too long, 400 when they cannot be decoded.
  InputStream open() throws IOException;

  /// How many bytes of it may be held at a time, for lines that are shorter.
  long partBytes();

  /// Notes bytes of it that will be held until the request ends.
  ///
  /// @throws dev.holdfast.world.Refusal `circuit_breaking_exception` (429)
  void reserve(long bytes);

  /// A file for what its answer needs; it goes with the request.
  SpoolFile file() throws IOException;
}
