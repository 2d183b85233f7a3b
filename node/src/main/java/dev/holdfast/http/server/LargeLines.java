package dev.holdfast.http.server;

import com.linecorp.armeria.common.RequestHeaders;
import org.jspecify.annotations.Nullable;

/// Which requests may have bodies too large for memory: lines of JSON that are written one after
/// the other, `_bulk`.
final class LargeLines {
  private LargeLines() {}

  static boolean mayBe(RequestHeaders headers) {
    String method = headers.method().name();
    @Nullable String type = headers.get("content-type");
    return (method.equals("POST") || method.equals("PUT"))
        && isBulk(headers.path())
        && type != null
        && type.contains("json");
  }

  /// `/_bulk` or `/{index}/_bulk`.
  static boolean isBulk(String target) {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    int last = path.lastIndexOf("/_bulk");
    return last == path.length() - "/_bulk".length() && path.lastIndexOf('/', last - 1) <= 0;
  }
}
