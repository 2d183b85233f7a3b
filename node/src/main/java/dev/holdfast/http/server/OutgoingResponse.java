package dev.holdfast.http.server;

import dev.holdfast.http.Header;
import dev.holdfast.http.spool.SpoolFile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An answer ready for the wire: bytes `[0, length)` are the body, of a file where it is too large
/// for memory. For HEAD the body is what GET would send, and only its length goes out.
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record OutgoingResponse(
    int status,
    List<Header> headers,
    byte[] body,
    @Nullable SpoolFile file,
    long length,
    boolean isBodySent) {
  /// The body from its first byte on.
  InputStream stream() {
    return file == null ? new ByteArrayInputStream(body, 0, (int) length) : file.read();
  }

  OutgoingResponse with(List<Header> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<Header> all = new ArrayList<>(headers);
    all.addAll(more);
    return new OutgoingResponse(status, all, body, file, length, isBodySent);
  }
}
